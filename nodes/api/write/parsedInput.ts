import { InputError } from '../values/inputError';
import { isObject } from '../json/objects';
import { deletionOf, requireSubtableId, subtableOf } from '../values/subtableKeys';
import { isBlank } from '../values/text';

/** What a user wants written: field ids or names, rows of subtables, and ids of rows to delete. */
export type RecordInput = Readonly<Record<string, unknown>>;

/** The same by its parts, whatever the form of its rows. */
export interface ParsedInput {
	/** The values of the record itself, with what reading added beside its fields. */
	fields: PlacedValue[];
	rows: InputRow[];
	/** The ids of subtables that are given as an array without rows. */
	emptySubtables: string[];
	/** Not validated yet: the value of an ignored key may be anything. */
	deletedRows: Array<{ key: string; subtableId: string; rowId: string }>;
}

/** A value of the record, or of a row of a subtable. */
export interface PlacedValue {
	key: string;
	value: unknown;
	subtableId?: string;
}

/** A row of a subtable; without an id it is a new one. */
export interface InputRow {
	subtableId: string;
	rowId?: string;
	values: PlacedValue[];
}

/** One spelling for each id, so that no two name the same row. */
const rowIdForm = /^(?:0|-?[1-9]\d*)$/;

/**
 * Returns an input's fields, rows and rows to delete, in their order. Throws InputError for what is no row, row id or subtable:
 * an expression that finds no id must not make a new row.
 */
export function parseInput(input: RecordInput): ParsedInput {
	const parsed: ParsedInput = { fields: [], rows: [], emptySubtables: [], deletedRows: [] };
	for (const [key, value] of Object.entries(input)) {
		const rowsId = subtableOf(key);
		const deletionId = deletionOf(key);
		if (rowsId !== undefined) {
			for (const row of givenRows(key, value)) parsed.rows.push(inputRow(rowsId, ...row));
			if (Array.isArray(value) && value.length === 0) parsed.emptySubtables.push(rowsId);
		} else if (deletionId !== undefined) {
			for (const rowId of Array.isArray(value) ? value : [value]) {
				if (isBlank(rowId)) continue;
				parsed.deletedRows.push({ key, subtableId: deletionId, rowId: String(rowId) });
			}
		} else {
			if (!isBlank(value)) requireSubtableId(key);
			parsed.fields.push({ key, value });
		}
	}
	return parsed;
}

/** Returns all values of the record and of its rows. */
export function placedValues({ fields, rows }: ParsedInput): PlacedValue[] {
	return [...fields, ...rows.flatMap(({ values }) => values)];
}

/** Rows in either form: an object keyed by row id, or an array of rows. */
function givenRows(key: string, value: unknown): Array<[row: RecordInput, rowId?: string]> {
	if (isBlank(value)) return [];
	if (Array.isArray(value)) {
		return value.map((row) => objectOf(key, row)).map((row) => [row, ownRowId(key, row)]);
	}
	return Object.entries(objectOf(key, value)).map(([rowId, row]) => {
		if (rowIdForm.test(rowId)) return [objectOf(`${key}.${rowId}`, row), rowId];
		throw new InputError(`'${rowId}' in '${key}' is not a row ID. Give new rows as an array`);
	});
}

function ownRowId(key: string, row: RecordInput): string | undefined {
	if (!Object.prototype.hasOwnProperty.call(row, '_rowId')) return undefined;
	const { _rowId: rowId } = row;
	if (isBlank(rowId)) {
		throw new InputError(
			`A row in '${key}' has an empty _rowId`,
			'Check its expression. A row without _rowId is a new one.',
		);
	}
	if (rowIdForm.test(String(rowId))) return String(rowId);
	throw new InputError(`'${String(rowId)}' in '${key}' is not a row ID`);
}

function inputRow(subtableId: string, row: RecordInput, rowId?: string): InputRow {
	const entries = Object.entries(row).filter(([key]) => key !== '_rowId');
	return { subtableId, rowId, values: entries.map(([key, value]) => ({ key, value, subtableId })) };
}

function objectOf(key: string, value: unknown): RecordInput {
	if (isObject(value)) return value;
	throw new InputError(`'${key}' must hold rows: objects of field and value`);
}

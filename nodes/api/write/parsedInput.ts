import { getOrInsert, isObject } from '../json/objects';
import { InputError } from '../values/inputError';
import { isWholeNumber } from '../values/sheetAddress';
import { deletionOf, isRowKey, requireSubtableId, subtableOf } from '../values/subtableKeys';
import { isBlank } from '../values/text';
import { unusedRowIds, type RecordChanges } from './recordContent';

/** What a user wants written: field ids or names, rows of subtables, and ids of rows to delete. */
export type RecordInput = Readonly<Record<string, unknown>>;

/** The same by its parts, whatever the form of its rows. */
export interface ParsedInput {
	/** The values of the record, with what reading added beside its fields, and those of its rows. */
	values: PlacedValue[];
	/** Subtable id → the ids of the given rows; none for an array without rows. */
	rows: Map<string, string[]>;
	deletedRows: RecordChanges['deletedRows'];
}

/** A value of the record, or of a row of a subtable; a new row has a negative id. */
export interface PlacedValue {
	key: string;
	value: unknown;
	subtableId?: string;
	rowId?: string;
}

interface InputRow {
	row: RecordInput;
	rowId?: string;
}

/** One spelling for each id, so that no two name the same row. */
const rowIdForm = /^(?:0|-?[1-9]\d*)$/;

/** Returns the parts of an input, in their order. Throws InputError: an expression that finds no row id, say, must not make a new row. */
export function parseInput(input: RecordInput, ignoredKeys?: ReadonlySet<string>): ParsedInput {
	const parsed: ParsedInput = { values: [], rows: new Map(), deletedRows: new Map() };
	const given: Array<InputRow & { key: string; subtableId: string }> = [];
	for (const [key, value] of Object.entries(input)) {
		if (ignoredKeys?.has(key)) continue;
		const subtableId = subtableOf(key);
		const deletionId = deletionOf(key);
		if (subtableId !== undefined) {
			if (Array.isArray(value)) getOrInsert(parsed.rows, subtableId, () => []);
			given.push(...givenRows(key, value).map((row) => ({ ...row, key, subtableId })));
		} else if (deletionId !== undefined) {
			const rowIds = [value].flat().filter((one) => !isBlank(one));
			for (const rowId of rowIds.map(String)) {
				if (!isWholeNumber(rowId)) throw noRowId(rowId, key);
				getOrInsert(parsed.deletedRows, deletionId, () => []).push(rowId);
			}
		} else {
			if (!isBlank(value)) requireSubtableId(key);
			parsed.values.push({ key, value });
		}
	}
	const newRowIds = unusedRowIds(new Set(given.flatMap(({ rowId }) => rowId ?? [])));
	for (const { key: place, subtableId, row, rowId = newRowIds.next().value } of given) {
		const rowIds = getOrInsert(parsed.rows, subtableId, () => []);
		if (rowIds.includes(rowId)) throw new InputError(`'${place}' holds the row ${rowId} twice`);
		rowIds.push(rowId);
		for (const [key, value] of Object.entries(row)) {
			if (key !== '_rowId') parsed.values.push({ key, value, subtableId, rowId });
		}
	}
	return parsed;
}

/** Returns the rows in either form: an object keyed by row ID, without keys that are no row IDs, or an array of rows. */
function givenRows(key: string, value: unknown): InputRow[] {
	if (isBlank(value)) return [];
	if (Array.isArray(value)) {
		const rows = value.map((row) => objectOf(key, row));
		return rows.map((row) => ({ row, rowId: ownRowId(key, row) }));
	}
	const rows = Object.entries(objectOf(key, value));
	return rows
		.filter(([rowId]) => isRowKey(rowId))
		.map(([rowId, row]) => {
			if (rowIdForm.test(rowId)) return { row: objectOf(`${key}.${rowId}`, row), rowId };
			throw noRowId(rowId, key, '. Give new rows as an array');
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
	throw noRowId(String(rowId), key);
}

function noRowId(rowId: string, key: string, advice = ''): InputError {
	return new InputError(`'${rowId}' in '${key}' is not a row ID${advice}`);
}

function objectOf(key: string, value: unknown): RecordInput {
	if (isObject(value)) return value;
	throw new InputError(`'${key}' must hold rows: objects of field and value`);
}

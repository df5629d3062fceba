import { getOrInsert, isObject } from '../json/objects';
import { InputError } from '../values/inputError';
import { quotedValue, unusableValue } from '../values/singleValue';
import { wholeNumberText } from '../values/sheetAddress';
import {
	deletionOf,
	isRowKey,
	requireSubtableId,
	subtableKey,
	subtableOf,
} from '../values/subtableKeys';
import { isBlank } from '../values/text';
import { unusedRowIds, type RecordChanges } from './recordContent';

/** An input of a write: values by field IDs or names, rows of subtables, and IDs of rows to delete. */
export type RecordInput = Readonly<Record<string, unknown>>;

/** The parts of an input, with rows in a uniform format. */
export interface ParsedInput {
	/** Values of the record and of its rows, including keys that reads add to the fields, for example `_title`. */
	values: PlacedValue[];
	/** Subtable ID → IDs of the rows in the input, without rows to delete; an empty list for an array without rows. */
	rows: Map<string, string[]>;
	deletedRows: RecordChanges['deletedRows'];
}

/** A value of the record or of a row. A new row has a negative ID. */
export interface PlacedValue {
	key: string;
	value: unknown;
	subtableId?: string;
	rowId?: string;
	/** Whether the user entered the row beside the item. Ignored fields of the item do not concern it. */
	isEntered?: boolean;
}

interface InputRow {
	row: RecordInput;
	rowId?: string;
}

type PlacedRow = InputRow & { key: string; subtableId: string; isEntered?: boolean };

/** A row that the user entered beside the item. */
export interface EnteredRow {
	subtableId: string;
	row: RecordInput;
}

/** The only spelling of a row ID, so that two spellings cannot name the same row. */
const rowIdForm = /^(?:0|-?[1-9]\d*)$/;

/**
 * Returns the parts of an input without `ignoredKeys`, which do not apply to keys in rows, and of entered rows. The values of rows
 * follow the values of the record. Throws InputError for malformed or repeated rows, and for an invalid row ID, which must not become a new row.
 */
export function parseInput(
	input: RecordInput,
	ignoredKeys?: ReadonlySet<string>,
	enteredRows: readonly EnteredRow[] = [],
): ParsedInput {
	const parsed: ParsedInput = { values: [], rows: new Map(), deletedRows: new Map() };
	const rows: PlacedRow[] = [];
	for (const [key, value] of Object.entries(input)) {
		if (ignoredKeys?.has(key)) continue;
		const subtableId = subtableOf(key);
		const deletionId = deletionOf(key);
		if (subtableId !== undefined) {
			if (Array.isArray(value)) getOrInsert(parsed.rows, subtableId, () => []);
			rows.push(...inputRows(key, value).map((row) => ({ ...row, key, subtableId })));
		} else if (deletionId !== undefined) {
			addDeletions(parsed, deletionId, key, value);
		} else {
			if (!isBlank(value)) requireSubtableId(key);
			parsed.values.push({ key, value });
		}
	}
	for (const { subtableId, row } of enteredRows) {
		const key = subtableKey(subtableId);
		rows.push({ row, rowId: rowIdInRow(key, row), key, subtableId, isEntered: true });
	}
	addRowValues(parsed, rows);
	return parsed;
}

/** Adds the row IDs under a key of deletions. */
function addDeletions(parsed: ParsedInput, subtableId: string, key: string, value: unknown): void {
	for (const entry of [value].flat().filter((element) => !isBlank(element))) {
		const rowId = wholeNumberText(String(entry));
		if (rowId === undefined) throw invalidRowId(entry, key);
		const rowIds = getOrInsert(parsed.deletedRows, subtableId, () => []);
		if (!rowIds.includes(rowId)) rowIds.push(rowId);
	}
}

/**
 * Adds the values of rows. A row without an ID gets a negative one. Rows to delete are left out: an item that was read has all rows
 * of its record.
 */
function addRowValues(parsed: ParsedInput, rows: readonly PlacedRow[]): void {
	const newRowIds = unusedRowIds(new Set(rows.flatMap(({ rowId }) => rowId ?? [])));
	for (const { key: place, row, rowId = newRowIds.next().value, ...rest } of rows) {
		const { subtableId } = rest;
		if (parsed.deletedRows.get(subtableId)?.includes(rowId)) continue;
		const rowIds = getOrInsert(parsed.rows, subtableId, () => []);
		if (rowIds.includes(rowId)) {
			throw new InputError(
				`'${place}' holds the row ${rowId} twice`,
				'Merge both into one row. A row without _rowId is a new one.',
			);
		}
		rowIds.push(rowId);
		for (const [key, value] of Object.entries(row)) {
			if (key !== '_rowId') parsed.values.push({ ...rest, key, value, rowId });
		}
	}
}

/** Returns the rows in an array, or in an object with row IDs as keys. Throws InputError for any other value. */
function inputRows(key: string, value: unknown): InputRow[] {
	if (isBlank(value)) return [];
	if (Array.isArray(value)) {
		const rows = value.map((row) => objectOf(key, row));
		return rows.map((row) => ({ row, rowId: rowIdInRow(key, row) }));
	}
	const rows = Object.entries(objectOf(key, value));
	return rows
		.filter(([rowId]) => isRowKey(rowId))
		.map(([rowId, row]) => {
			if (rowIdForm.test(rowId)) return { row: objectOf(`${key}.${rowId}`, row), rowId };
			throw invalidRowId(rowId, key, '. Give new rows as an array');
		});
}

/** Returns the `_rowId` of a row; undefined if the row has no such key. Throws InputError if it is empty or not a row ID. */
function rowIdInRow(key: string, row: RecordInput): string | undefined {
	if (!Object.prototype.hasOwnProperty.call(row, '_rowId')) return undefined;
	const { _rowId: rowId } = row;
	if (isBlank(rowId)) {
		throw new InputError(
			`A row in '${key}' has an empty _rowId`,
			'Check its expression. A row without _rowId is a new one.',
		);
	}
	if (rowIdForm.test(String(rowId))) return String(rowId);
	throw invalidRowId(rowId, key);
}

function invalidRowId(rowId: unknown, key: string, advice = ''): InputError {
	const what = unusableValue(rowId);
	return new InputError(
		what === undefined
			? `'${String(rowId)}' in '${key}' is not a row ID${advice}`
			: `'${key}' has ${what} in place of a row ID`,
		'A row ID is a whole number, such as _rowId of a row that was read.',
	);
}

function objectOf(key: string, value: unknown): RecordInput {
	if (isObject(value)) return value;
	throw new InputError(
		`'${key}' must hold rows: objects of field and value`,
		`It holds ${quotedValue(value)}. Give an array such as [{ "Article": "Chair" }]. A JSON text can be converted in an expression: {{ JSON.parse($json.rows) }}.`,
	);
}

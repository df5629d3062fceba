import { isObject } from './objects';
import { InputError } from './inputError';
import { deletionOf, subtableOf } from './subtableKeys';

/** What a user wants written: field ids or names, `_subtable_<id>`, `_DELSUB_<id>`. */
export type RecordInput = Readonly<Record<string, unknown>>;

/** A row of the input; without an id it is a new one. */
export interface InputRow {
	rowId?: string;
	values: RecordInput;
}

/** A value of the input, and where it stands: in the record, or in a row of a subtable. */
export interface PlacedValue {
	key: string;
	value: unknown;
	subtableId?: string;
}

/** One spelling for each id, so that no two name the same row. */
const rowIdForm = /^(?:0|-?[1-9]\d*)$/;

/**
 * All values of the input and of its rows, with their keys.
 *
 * @throws InputError for rows that are none
 */
export function* placedValues(input: RecordInput): Generator<PlacedValue> {
	for (const [key, value] of Object.entries(input)) {
		const subtableId = subtableOf(key);
		if (subtableId === undefined) {
			if (deletionOf(key) === undefined) yield { key, value };
			continue;
		}
		for (const { values } of rowsOf(key, value)) {
			for (const [name, given] of Object.entries(values)) {
				yield { key: name, value: given, subtableId };
			}
		}
	}
}

/**
 * Rows in either form: an object keyed by row id, or an array of rows.
 *
 * @throws InputError for anything else, and for row ids that are none: an expression
 *   that finds no id must not make a new row
 */
export function rowsOf(key: string, value: unknown): InputRow[] {
	if (value === null || value === undefined || value === '') return [];
	if (Array.isArray(value)) return value.map((row) => arrayRow(key, row));
	return Object.entries(objectOf(key, value)).map(([rowId, row]) => {
		if (!rowIdForm.test(rowId)) {
			throw new InputError(`'${rowId}' in '${key}' is not a row ID. Give new rows as an array`);
		}
		return { rowId, values: withoutRowId(objectOf(`${key}.${rowId}`, row)) };
	});
}

function arrayRow(key: string, row: unknown): InputRow {
	const values = objectOf(key, row);
	if (!Object.prototype.hasOwnProperty.call(values, '_rowId')) return { values };
	const { _rowId: rowId } = values;
	if (rowId === undefined || rowId === null || rowId === '') {
		throw new InputError(
			`A row in '${key}' has an empty _rowId`,
			'Check its expression. A row without _rowId is a new one.',
		);
	}
	if (!rowIdForm.test(String(rowId))) {
		throw new InputError(`'${String(rowId)}' in '${key}' is not a row ID`);
	}
	return { rowId: String(rowId), values: withoutRowId(values) };
}

function withoutRowId(values: RecordInput): RecordInput {
	return Object.fromEntries(Object.entries(values).filter(([key]) => key !== '_rowId'));
}

function objectOf(key: string, value: unknown): RecordInput {
	if (!isObject(value)) throw new InputError(`'${key}' must hold rows: objects of field and value`);
	return value;
}

import { numberOrText } from '../read/record';
import { deletionKey, deletionPart, rowFieldName, subtableKey } from '../values/subtableKeys';

/** A value as a write carries it; several are a multiple selection; '' clears the field. */
export type FieldValue = string | number | boolean | string[];

/** Field id → value, in the order given. */
export type FieldValues = Map<string, FieldValue>;

/** What a write changes in one record (specification, endpoints 6 and 7). */
export interface RecordChanges {
	fields: FieldValues;
	/** Subtable id → row id → values; rows to be created have negative ids. */
	subtables: Map<string, Map<string, FieldValues>>;
	/** Subtable id → ids of the rows to delete. */
	deletedRows: Map<string, string[]>;
}

/** Changes that change nothing. */
export function noChanges(): RecordChanges {
	return { fields: new Map(), subtables: new Map(), deletedRows: new Map() };
}

/** Whether there is nothing to send. */
export function isEmpty({ fields, subtables, deletedRows }: RecordChanges): boolean {
	return fields.size === 0 && subtables.size === 0 && deletedRows.size === 0;
}

/** -1, -2, …, without the ids that are used already. */
export function* unusedRowIds(used: ReadonlySet<string>): Generator<string, never> {
	for (let rowId = -1; ; rowId--) if (!used.has(String(rowId))) yield String(rowId);
}

/**
 * The JSON body of a write: field ids as keys, `_subtable_<id>` as an object keyed by row id,
 * `_DELSUB_<id>` as an array of row ids.
 */
export function jsonBody({ fields, subtables, deletedRows }: RecordChanges): string {
	const body = Object.fromEntries<unknown>(fields);
	for (const [subtableId, rows] of subtables) {
		body[subtableKey(subtableId)] = Object.fromEntries(
			[...rows].map(([rowId, values]) => [rowId, Object.fromEntries(values)]),
		);
	}
	for (const [subtableId, rowIds] of deletedRows) {
		body[deletionKey(subtableId)] = rowIds.map(numberOrText);
	}
	return JSON.stringify(body);
}

/**
 * The same changes as form fields: a multiple selection repeats its name, a subtable field is
 * `<field id>_<row id>`, a deletion is `DELSUB_<subtable id>=<row id>`.
 */
export function formFields(changes: RecordChanges): Array<[name: string, value: string]> {
	const { fields, subtables, deletedRows } = changes;
	const parts: Array<[string, string]> = [];
	for (const [fieldId, value] of fields) parts.push(...formParts(fieldId, value));
	for (const rows of subtables.values()) {
		for (const [rowId, values] of rows) {
			for (const [fieldId, value] of values)
				parts.push(...formParts(rowFieldName(fieldId, rowId), value));
		}
	}
	for (const [subtableId, rowIds] of deletedRows) {
		for (const rowId of rowIds) parts.push([deletionPart(subtableId), rowId]);
	}
	return parts;
}

function formParts(name: string, value: FieldValue): Array<[string, string]> {
	if (!Array.isArray(value)) return [[name, String(value)]];
	// No part at all would leave the selection as it is.
	if (value.length === 0) return [[name, '']];
	return value.map((element) => [name, element]);
}

import { getOrInsert } from '../json/objects';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import { rowsOf } from '../read/record';
import { kindIn, type FieldKinds } from '../schema/valueKinds';
import { isMasked } from '../values/text';
import { noChanges, type FieldValues, type RecordChanges } from './recordContent';

/**
 * Returns the part of the changes that differs from a stored record, by the kinds of the fields. A masked or missing value counts
 * as different. Rows to delete are left out if the record has the subtable without them.
 */
export function differingChanges(
	record: JsonObject,
	{ fields, subtables, deletedRows }: RecordChanges,
	kinds: FieldKinds | undefined,
): RecordChanges {
	const result = { ...noChanges(), fields: differingValues(record, fields, kinds) };
	for (const [subtableId, rows] of subtables) {
		for (const [rowId, values] of rows) {
			const stored = rowsOf(record, subtableId)?.get(rowId);
			const differing = differingValues(stored, values, kinds);
			if (differing.size === 0) continue;
			getOrInsert(result.subtables, subtableId, () => new Map()).set(rowId, differing);
		}
	}
	for (const [subtableId, rowIds] of deletedRows) {
		const stored = rowsOf(record, subtableId);
		const existing = stored ? rowIds.filter((rowId) => stored.has(rowId)) : rowIds;
		if (existing.length > 0) result.deletedRows.set(subtableId, existing);
	}
	return result;
}

/** Returns the values that differ from those of a stored record or row, by the kinds of the fields. */
export function differingValues(
	stored: JsonValue | undefined,
	values: FieldValues,
	kinds: FieldKinds | undefined,
): FieldValues {
	const result: FieldValues = new Map();
	for (const [fieldId, value] of values) {
		const current = isJsonObject(stored) ? stored.get(fieldId) : undefined;
		const isUnchanged =
			!isMasked(current) && kindIn(kinds, { fieldId }).isUnchanged(current, value);
		if (!isUnchanged) result.set(fieldId, value);
	}
	return result;
}

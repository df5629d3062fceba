import { getOrInsert } from '../json/objects';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import { rowsOf } from '../read/record';
import { kindIn, type FieldKinds } from '../sheet/kinds/valueKinds';
import { isMasked } from '../values/text';
import { subtableKey } from '../values/subtableKeys';
import { noChanges } from './recordContent';
import type { FilePlace, FieldValues, RecordChanges } from './recordContent';

/**
 * Returns the part of the changes that differs from a stored record, by the kinds of the fields. A masked or missing value counts
 * as different. Rows to delete are left out if the record lacks them; it also lacks a subtable without rows.
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
		const existing = rowIds.filter((rowId) => stored?.has(rowId));
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

/**
 * Returns the IDs of the fields, and the keys of the subtables, whose stored values the content changes. `difference` is its part
 * that differs from the stored record. Leaves out values that the user may not see.
 */
export function changedKeys(
	record: JsonObject,
	difference: RecordChanges,
	files: readonly FilePlace[],
): string[] {
	const isKnown = (fieldId: string) => record.has(fieldId) && !isMasked(record.get(fieldId));
	const fieldIds = [...difference.fields.keys()].filter(isKnown);
	const subtableIds = [...difference.subtables.keys(), ...difference.deletedRows.keys()];
	const ofFiles = files.flatMap(({ fieldId, rowId, subtableId }) => {
		if (rowId === undefined) return [fieldId];
		return subtableId === undefined ? [] : [subtableKey(subtableId)];
	});
	return [...new Set([...fieldIds, ...subtableIds.map(subtableKey), ...ofFiles])];
}

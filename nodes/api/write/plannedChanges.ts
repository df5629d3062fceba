import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import { rowsOf } from '../read/record';
import { subtableKey } from '../values/subtableKeys';
import { partName, valuesOf, type FilePlace, type RecordContent } from './recordContent';

/** Changes that a write would make, as two records keyed by field ID that hold only the touched fields and rows. */
export interface PlannedChanges {
	/** Stored values. New rows, and fields that are not returned, are missing. */
	before: JsonObject;
	/** The touched fields and rows after the write, without deleted rows. */
	after: JsonObject;
}

/** Returns the changes that a write would make. New rows have negative IDs, and new files are given by their names. */
export function plannedChanges(
	stored: JsonObject,
	{ changes, files }: RecordContent,
	replacesFiles = false,
): PlannedChanges {
	const before: JsonObject = new Map();
	const after: JsonObject = new Map();
	const set = (place: FilePlace, value: JsonValue) => {
		const { fieldId, rowId, subtableId = '' } = place;
		const holderIn = (record: JsonObject) =>
			rowId === undefined ? record : objectIn(objectIn(record, subtableKey(subtableId)), rowId);
		const current = valueAt(stored, place);
		if (current !== undefined) holderIn(before).set(fieldId, current);
		holderIn(after).set(fieldId, value);
	};
	for (const place of valuesOf(changes)) set(place, place.value);
	for (const [subtableId, rowIds] of changes.deletedRows) {
		for (const rowId of rowIds) {
			const row = rowOf(stored, subtableId, rowId);
			if (row) objectIn(before, subtableKey(subtableId)).set(rowId, row);
		}
	}
	for (const file of files) {
		// A file without a subtable ID is of the record, or its row is ambiguous. Its key is then the name of its form part.
		const place = file.subtableId === undefined ? { fieldId: partName(file) } : file;
		const present = valueAt(after, place) ?? (replacesFiles ? [] : valueAt(stored, place));
		set(place, [...[present ?? []].flat().filter((value) => value !== ''), file.file.name]);
	}
	return { before, after };
}

function rowOf(record: JsonObject, subtableId: string, rowId: string): JsonObject | undefined {
	const row = rowsOf(record, subtableId)?.get(rowId);
	return isJsonObject(row) ? row : undefined;
}

function valueAt(record: JsonObject, { fieldId, rowId, subtableId = '' }: FilePlace) {
	return (rowId === undefined ? record : rowOf(record, subtableId, rowId))?.get(fieldId);
}

/** Returns the object of a key. Adds an empty object if the key is missing. */
function objectIn(parent: JsonObject, key: string): JsonObject {
	const known = parent.get(key);
	const object: JsonObject = isJsonObject(known) ? known : new Map();
	parent.set(key, object);
	return object;
}

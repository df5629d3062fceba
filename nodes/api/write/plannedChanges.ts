import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import { rowsOf } from '../read/record';
import { subtableKey } from '../values/subtableKeys';
import { partName, valuesOf, type FilePlace, type RecordContent } from './recordContent';

/** What a write would change, in the form of a record that is read by ids: only what it touches. */
export interface PlannedChanges {
	/** As it is stored; new rows and what is not shown are missing. */
	before: JsonObject;
	/** As it would be sent; deleted rows are missing. */
	after: JsonObject;
}

/** Returns what a write would change of a record. New rows have negative ids; files that are sent stand by their names. */
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
	for (const given of files) {
		// Without its subtable, the row is ambiguous.
		const place = given.subtableId === undefined ? { fieldId: partName(given) } : given;
		const others = valueAt(after, place) ?? (replacesFiles ? [] : valueAt(stored, place));
		set(place, [...[others ?? []].flat().filter((value) => value !== ''), given.file.name]);
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

/** Returns the object under a key, which is added where there is none. */
function objectIn(parent: JsonObject, key: string): JsonObject {
	const known = parent.get(key);
	const object: JsonObject = isJsonObject(known) ? known : new Map();
	parent.set(key, object);
	return object;
}

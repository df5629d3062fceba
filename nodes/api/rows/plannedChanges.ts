import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import { rowsOf } from '../read/record';
import { isSubtableKey, rowFieldName, subtableKey } from '../values/subtableKeys';
import { isExistingRow, type FilePlace, type RecordContent } from '../write/recordContent';

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
	for (const [fieldId, value] of changes.fields) set({ fieldId }, value);
	for (const [subtableId, rows] of changes.subtables) {
		for (const [rowId, values] of rows)
			for (const [fieldId, value] of values) set({ fieldId, rowId, subtableId }, value);
	}
	for (const [subtableId, rowIds] of changes.deletedRows) {
		for (const rowId of rowIds) {
			const row = rowOf(stored, subtableId, rowId);
			if (row) objectIn(before, subtableKey(subtableId)).set(rowId, row);
		}
	}
	for (const { file, fieldId, rowId, subtableId } of files) {
		// Without its subtable, the row is ambiguous.
		const isOpen = rowId !== undefined && subtableId === undefined;
		const place = isOpen
			? { fieldId: rowFieldName(fieldId, rowId) }
			: { fieldId, rowId, subtableId };
		const others = valueAt(after, place) ?? (replacesFiles ? [] : valueAt(stored, place));
		set(place, [...[others ?? []].flat().filter((value) => value !== ''), file.name]);
	}
	return { before, after };
}

/** Returns a record as it would be after the changes. New rows have no ids yet: what stands for them is no number. */
export function withChanges(stored: JsonObject, { before, after }: PlannedChanges): JsonObject {
	const changed = new Map([...stored, ...after]);
	for (const key of [...before.keys(), ...after.keys()].filter(isSubtableKey)) {
		const [rows, was, becomes] = [rowsAt(stored, key), rowsAt(before, key), rowsAt(after, key)];
		const left = new Map([...rows].filter(([id]) => !was.has(id) || becomes.has(id)));
		for (const [id, row] of becomes) {
			const own = left.get(id);
			const all = isJsonObject(own) && isJsonObject(row) ? new Map([...own, ...row]) : row;
			left.set(isExistingRow(id) ? id : newKey(left), all);
		}
		changed.set(key, left);
	}
	return changed;
}

function newKey(rows: JsonObject, count = 1): string {
	const key = `new ${count}`;
	return rows.has(key) ? newKey(rows, count + 1) : key;
}

function rowsAt(record: JsonObject, key: string): JsonObject {
	const rows = record.get(key);
	return isJsonObject(rows) ? rows : new Map<string, JsonValue>();
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
	if (isJsonObject(known)) return known;
	const made: JsonObject = new Map();
	parent.set(key, made);
	return made;
}

import { isJsonObject, type JsonObject } from '../api/json/orderedJson';
import type { SheetRecord } from '../api/read/record';
import type { FieldIndex } from '../api/sheet/fieldIndex';
import { idInKey, mayBeUnnamedField, readKeyOf } from '../api/sheet/fields';
import type { SheetFields } from '../api/sheet/sheetFields';
import { InputError } from '../api/values/inputError';
import { isSubtableKey, subtableOf } from '../api/values/subtableKeys';
import type { OutputOptions } from '../shared/parameters/options';
import { fieldChanges, fieldStates } from '../shared/watchedFields';
import type { FieldChanges, FieldStates } from '../shared/watchedFields';

/** Maximum number of records whose watched values are stored. */
const maxWatchedRecords = 3_000;

/** The watched fields of a node, and their last values. */
export interface WatchedFields {
	/** Field IDs and keys of subtables, which do not change when a field is renamed. Names if the service lists no fields. */
	ids: string[];
	/** Record ID → last values by those IDs, most recently read record last. */
	values: Map<string, FieldStates>;
}

/** The keys of watched fields in the records of a poll. */
export interface WatchedKeys {
	/** ID of a watched field → its key in records. */
	keys: Map<string, string>;
	/** Key of a watched subtable → key of a field in its rows → field ID. */
	rowFields: Map<string, Map<string, string>>;
}

type Naming = OutputOptions['naming'];

/**
 * Returns the keys of watched fields in records that were just read. If the records lack a key, or have an unknown one, the fields
 * are loaded again, because a field may have been renamed a moment ago. Unknown fields, and fields that no record has, are left out. Throws
 * ServiceError, and InputError if no source lists fields: without their IDs, each record would count as changed.
 */
export async function fetchWatchedKeys(
	sheetFields: SheetFields,
	ids: readonly string[],
	naming: Naming,
	records: readonly SheetRecord[],
): Promise<WatchedKeys> {
	const isOutdated = async (known: WatchedKeys) => {
		const areCurrent = naming === 'EID' || areFieldsListed(await sheetFields.load(), records);
		return !areCurrent || known.keys.size !== ids.length || !areInRecords(known, records);
	};
	const load = async () => await loadWatchedKeys(sheetFields, ids, naming);
	const watchedKeys = await sheetFields.renewedIf(isOutdated, load);
	if (!(await isOutdated(watchedKeys))) return watchedKeys;
	if (naming !== 'EID' && (await sheetFields.load()).isEmpty) throw withoutFields(sheetFields);
	const { keys, rowFields } = watchedKeys;
	const present = [...keys].filter(([, key]) => isInRecords(key, records));
	return { keys: new Map(present), rowFields };
}

/** Returns the error for a poll in which no source lists fields, although there are records. The next poll asks all sources. */
function withoutFields(sheetFields: SheetFields): InputError {
	sheetFields.forgetListsAndRefusals();
	return new InputError(
		'The service does not list the fields of the sheet now, so the watched fields cannot be compared',
		undefined,
		undefined,
		true,
	);
}

/**
 * Stores the values of a record's watched fields. Returns the changes to the values stored before, by keys in records. All
 * fields count as changed if no values were stored.
 */
export function noteWatched(
	{ values }: WatchedFields,
	{ id: recordId, content }: SheetRecord,
	watchedKeys: WatchedKeys,
): FieldChanges {
	const { keys } = watchedKeys;
	const ids = [...keys.keys()];
	const before = values.get(recordId);
	const states = fieldStates(contentById(content, watchedKeys), ids);
	if (states) keepValues(values, recordId, { ...before, ...states });
	const { changed, previous } = fieldChanges(ids, before, states);
	const keyOf = (id: string) => keys.get(id) ?? id;
	return {
		changed: changed.map(keyOf),
		previous: new Map([...previous].map(([id, value]) => [keyOf(id), value])),
	};
}

/** Stores the values of fields that are watched from now on. Values of other watched fields stay, because their changes may not be emitted yet. */
export function noteNewlyWatched(
	{ values }: WatchedFields,
	{ id: recordId, content }: SheetRecord,
	watchedKeys: WatchedKeys,
	newIds: readonly string[],
): void {
	const ids = [...watchedKeys.keys.keys()];
	const states = fieldStates(contentById(content, watchedKeys), ids);
	const newStates = Object.entries(states ?? {}).filter(([id]) => newIds.includes(id));
	if (newStates.length === 0) return;
	keepValues(values, recordId, { ...values.get(recordId), ...Object.fromEntries(newStates) });
}

/** Returns the watched fields with these IDs. Values of other fields are dropped. */
export function withWatched(
	before: WatchedFields | undefined,
	ids: readonly string[],
): WatchedFields {
	const values: WatchedFields['values'] = new Map();
	for (const [recordId, states] of before?.values ?? []) {
		const kept = Object.entries(states).filter(([id]) => ids.includes(id));
		if (kept.length > 0) values.set(recordId, Object.fromEntries(kept));
	}
	return { ids: [...ids], values };
}

function keepValues(values: WatchedFields['values'], recordId: string, states: FieldStates): void {
	values.delete(recordId);
	values.set(recordId, states);
	const [oldest] = values.keys();
	if (values.size > maxWatchedRecords && oldest !== undefined) values.delete(oldest);
}

/** Returns the keys of the watched fields in reads. Loads the names in reads only if a key or the rows of a subtable need them. */
async function loadWatchedKeys(
	sheetFields: SheetFields,
	ids: readonly string[],
	naming: Naming,
): Promise<WatchedKeys> {
	const known = watchedKeysIn(await sheetFields.load(), ids, naming);
	const hasRows = naming !== 'EID' && ids.some(isSubtableKey);
	if (known.keys.size === ids.length && !hasRows) return known;
	return watchedKeysIn(await sheetFields.load({ readNames: true }), ids, naming);
}

/** Returns the keys of the watched fields by the fields of the sheet. */
function watchedKeysIn(index: FieldIndex, ids: readonly string[], naming: Naming): WatchedKeys {
	const keys = new Map<string, string>();
	const rowFields: WatchedKeys['rowFields'] = new Map();
	for (const id of ids) {
		const key = naming === 'EID' ? id : watchedKeyIn(index, id);
		if (key !== undefined) keys.set(id, key);
		const subtableId = subtableOf(id);
		if (subtableId === undefined || naming === 'EID') continue;
		const fields = index.fieldsOf({ subtableId });
		const entries = fields.map((field) => [readKeyOf(field), field.fieldId] as const);
		if (entries.length > 0) rowFields.set(id, new Map(entries));
	}
	return { keys, rowFields };
}

/** Returns the key of a watched field in reads by name; undefined if it is not known. */
function watchedKeyIn(index: FieldIndex, id: string): string | undefined {
	if (id.startsWith('_')) return id;
	// If the service lists no names, for example for a sheet without records, any text may be a name.
	if (index.fieldsOf('record').length === 0) return idInKey(id) === undefined ? id : undefined;
	const [field, ...others] = index.listed(id, 'record');
	return field && others.length === 0 ? index.readKey(field) : undefined;
}

/**
 * Returns whether the list has all fields of the records. It lacks one if fields were renamed or added since. Then even a listed
 * name may belong to another field now. Ignores the numbers that the service adds to double names. Returns true if the list is not
 * complete, but not if it is empty.
 */
function areFieldsListed(index: FieldIndex, [record]: readonly SheetRecord[]): boolean {
	if (index.isEmpty) return false;
	if (!index.isComplete || !record) return true;
	const isListed = (key: string) =>
		index.listed(key, 'record').length > 0 || index.hasName(key.replace(/\d+$/, ''), 'record');
	return [...record.content.keys()].every(
		(key) => key.startsWith('_') || mayBeUnnamedField(key) || isListed(key),
	);
}

/** Returns whether the records have all keys, and the rows of watched subtables have only known fields. */
function areInRecords({ keys, rowFields }: WatchedKeys, records: readonly SheetRecord[]): boolean {
	if (![...keys.values()].every((key) => isInRecords(key, records))) return false;
	return [...rowFields].every(([key, fieldIds]) =>
		records.every(({ content }) =>
			rowsIn(content, key).every((row) =>
				[...row.keys()].every((name) => fieldIds.has(name) || name.startsWith('_')),
			),
		),
	);
}

/** Returns whether at least one record has the key. True for subtables, because records leave out subtables without rows. */
function isInRecords(key: string, records: readonly SheetRecord[]): boolean {
	return isSubtableKey(key) || records.some(({ content }) => content.has(key));
}

function rowsIn(content: JsonObject, key: string): JsonObject[] {
	const rows = content.get(key);
	return isJsonObject(rows) ? [...rows.values()].filter(isJsonObject) : [];
}

/** Returns the watched fields of a record, and the fields of watched rows, by their IDs. */
function contentById(content: JsonObject, { keys, rowFields }: WatchedKeys): JsonObject {
	const byId: JsonObject = new Map();
	for (const [id, key] of keys) {
		const value = content.get(key);
		if (value === undefined) continue;
		const fieldIds = rowFields.get(id);
		byId.set(id, isJsonObject(value) && fieldIds ? rowsById(value, fieldIds) : value);
	}
	return byId;
}

/** Returns the rows with field IDs as keys. A field without a known ID keeps its key. */
function rowsById(rows: JsonObject, fieldIds: ReadonlyMap<string, string>): JsonObject {
	const rowById = (row: JsonObject): JsonObject =>
		new Map([...row].map(([key, value]) => [fieldIds.get(key) ?? key, value]));
	return new Map([...rows].map(([id, row]) => [id, isJsonObject(row) ? rowById(row) : row]));
}

import { isJsonObject, type JsonObject } from '../json/orderedJson';
import { digest, textDigest } from '../json/canonicalJson';
import { commentsKey, isRowKey, isSubtableKey } from '../values/subtableKeys';

/**
 * Keys for the service's own use: search index, calendar, time stamp, parent record, position on a page, and the
 * state of a record in the vendor's mobile app.
 * They are not fields.
 */
const serviceKeys = [
	'_index_',
	'_index_calDates_',
	'_dataTimestamp',
	'_parentRagicId',
	'_header_Y',
	'_start_X',
	// Reads of the vendor's mobile app have these keys.
	...['_if_entry_manager', '_locked', '_access_user', '_notify_user'],
	...['_approve_status', '_approve_next', '_data_nodeIds'],
];

/** Keys that simplified items omit or rename. */
export const internalKeys: ReadonlySet<string> = new Set([
	...['_svcId', '_ragicId', '_index_title_', '_star'],
	...serviceKeys,
]);

/** Keys of records and items that are never the name of a field. */
export const nonFieldKeys: ReadonlySet<string> = new Set([
	...internalKeys,
	...['_recordId', '_rowId', '_title', '_starred', '_timeZone', '_warning'],
	// Keys that writes and triggers add to items.
	...['_action', '_changed', '_changes', '_copiedFrom', '_fileNames', '_missing'],
	...['_event', '_verified', '_source', '_deleted', '_changedFields', '_previous', '_remaining'],
	'_unreadable',
]);

/**
 * Keys that the service adds to records on request (`info`, `approval`, `conversation`, `history`). It sends `_seq` with
 * every read.
 */
const informationKeys: ReadonlySet<string> = new Set([
	...['_create_date', '_create_user', '_update_date', '_update_user', '_seq'],
	...['_approval', '_conversation', '_history'],
]);

/**
 * Keys whose values change without an edit: when a record is saved unmodified, when other records change, or with the
 * account's time zone.
 */
const volatileKeys: ReadonlySet<string> = new Set([
	...['_create_date', '_update_date', '_update_user', '_seq', 'changedFields', '109'],
	...serviceKeys,
]);

/** Keys of the record ID in raw and simplified reads. */
const sourceIdKeys = ['_svcId', '_ragicId', '_recordId'];

/** Returns whether a key of a record is not a field, but was added by a read, a write or a trigger. */
export function isAddedKey(key: string): boolean {
	return key === commentsKey || nonFieldKeys.has(key) || informationKeys.has(key);
}

/** Returns whether the service adds a key to records on request, for example `_update_date`. */
export function isInformationKey(key: string): boolean {
	return informationKeys.has(key);
}

/** Returns the ID of the record that an item was read from, or undefined if the item contains none. */
export function sourceRecordId(item: Readonly<Record<string, unknown>>): string | undefined {
	return sourceIdKeys.map((key) => String(item[key] ?? '')).find((id) => /^\d+$/.test(id));
}

/**
 * Returns the offset from UTC, in hours, of the times in an item; undefined for the account's time zone. A spreadsheet returns it as
 * a text, and as an empty text if the item had none.
 */
export function sourceOffset(item: Readonly<Record<string, unknown>>): number | undefined {
	const { _timeZone: offset } = item;
	const hours = typeof offset === 'string' && offset.trim() !== '' ? Number(offset) : offset;
	return typeof hours === 'number' && Number.isFinite(hours) ? hours : undefined;
}

/** Returns a digest of the members without volatile keys. A prefix of it is a valid shorter digest. */
export function contentDigest(content: JsonObject): string {
	return digest(editable(content));
}

/**
 * Returns a digest of the sorted values that a person can change, without empty values and names of fields. It stays the same
 * when a field is renamed or added, and when fields exchange their values. A prefix of it is a valid shorter digest.
 */
export function valuesDigest(content: JsonObject): string {
	return textDigest(JSON.stringify(valueTexts(content)));
}

/**
 * Returns a digest of the names of all fields in their order, and of the row IDs. It stays the same when values change, and changes
 * when two fields swap their names.
 */
export function keysDigest(content: JsonObject): string {
	return textDigest(JSON.stringify(keysIn(editable(content))));
}

function keysIn(content: JsonObject): string[] {
	return [...content].flatMap(([key, value]) => {
		const inner = isJsonObject(value) ? keysIn(value) : [];
		return [key, ...inner.map((innerKey) => `${key} ${innerKey}`)];
	});
}

function valueTexts(content: JsonObject): string[] {
	const texts: string[] = [];
	for (const [key, value] of editable(content)) {
		if (isJsonObject(value)) texts.push(JSON.stringify([key, rowTexts(value)]));
		else if (value !== '' && value !== null) texts.push(JSON.stringify(value));
	}
	return texts.filter((text) => text !== '[]').sort();
}

function rowTexts(rows: JsonObject): string[] {
	return [...rows].map(([rowId, row]) => {
		return JSON.stringify([rowId, isJsonObject(row) ? valueTexts(row) : row]);
	});
}

/**
 * Returns a record or a row without volatile keys, empty subtables, and keys such as `_count` beside rows. Row IDs are never
 * removed, although they may look like the keys of system fields.
 */
function editable(content: JsonObject): JsonObject {
	const members: JsonObject = new Map();
	for (const [key, value] of content) {
		if (volatileKeys.has(key)) continue;
		const inner = isJsonObject(value) ? rowsIn(value, isSubtableKey(key)) : value;
		const isEmptySubtable = isSubtableKey(key) && isJsonObject(inner) && inner.size === 0;
		if (!isEmptySubtable) members.set(key, inner);
	}
	return members;
}

function rowsIn(value: JsonObject, isSubtable: boolean): JsonObject {
	const rows = [...value].filter(([id]) => !isSubtable || isRowKey(id));
	return new Map(rows.map(([id, row]) => [id, isJsonObject(row) ? editable(row) : row]));
}

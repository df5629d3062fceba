import { isJsonObject, type JsonObject } from '../json/orderedJson';
import { digest, textDigest } from '../json/canonicalJson';
import { commentsKey } from '../values/subtableKeys';

/** What the service keeps for its own search and calendar, and where the record stands on a page. */
const ownKeys = [
	...['_index_', '_index_calDates_', '_dataTimestamp'],
	...['_parentRagicId', '_header_Y', '_start_X'],
];

/** Told under other names, or kept by the service for itself. */
export const internalKeys: ReadonlySet<string> = new Set([
	...['_svcId', '_ragicId', '_index_title_', '_star'],
	...ownKeys,
]);

/** What stands beside the fields in a record or in its item: no name for a field's value. */
export const keysBesideFields: ReadonlySet<string> = new Set([
	...internalKeys,
	...['_recordId', '_rowId', '_title', '_starred', '_timeZone', '_warning'],
	// Of writes, and of triggers.
	...['_action', '_fileNames'],
	...['_event', '_verified', '_source', '_deleted', '_changedFields', '_previous', '_remaining'],
]);

/** What the service adds to records where it is asked for. */
const informationKeys: ReadonlySet<string> = new Set([
	...['_create_date', '_create_user', '_update_date', '_update_user', '_seq'],
	...['_approval', '_conversation', '_history'],
]);

/** Keys that change whenever a record is saved, modified or not, when others are, or when the account's time zone does. */
const savedKeys: ReadonlySet<string> = new Set([
	...['_create_date', '_update_date', '_update_user', '_seq', 'changedFields', '109'],
	...ownKeys,
]);

/** The ids of records, in the spellings of simplified and of raw reads. */
const recordIdKeys = ['_svcId', '_ragicId', '_recordId'];

/** Whether a key stands beside the fields in what is read. */
export function isAddedKey(key: string): boolean {
	return key === commentsKey || keysBesideFields.has(key) || informationKeys.has(key);
}

/** The id of the record that an item was read from; undefined when it says none. */
export function sourceRecordId(item: Readonly<Record<string, unknown>>): string | undefined {
	return recordIdKeys.map((key) => String(item[key] ?? '')).find((id) => /^\d+$/.test(id));
}

/** A digest of what a person can change of a record; its first characters are one as well. */
export function contentDigest(content: JsonObject): string {
	return digest(editable(content));
}

/**
 * Returns a digest of the values that a person can change, without empty values and without the names of fields: it stays the
 * same when a field is renamed or added. Its first characters are a digest as well.
 */
export function valuesDigest(content: JsonObject): string {
	return textDigest(JSON.stringify(valueTexts(content)));
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

/** A record or a row without what nobody edits; rows are by their ids, which may look like the keys of system fields. */
function editable(content: JsonObject): JsonObject {
	const members = [...content].filter(([key]) => !savedKeys.has(key));
	const rowsIn = (value: JsonObject): JsonObject =>
		new Map([...value].map(([id, row]) => [id, isJsonObject(row) ? editable(row) : row]));
	return new Map(members.map(([key, value]) => [key, isJsonObject(value) ? rowsIn(value) : value]));
}

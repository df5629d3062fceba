import { commentsKey } from '../values/subtableKeys';

/** Keys that this package or the service adds to records, rows and results, beside the fields. */
const addedKey =
	/^_(?:recordId|rowId|title|starred|action|warning|timeZone|svcId|ragicId|star|seq|dataTimestamp|history|approval|conversation|(?:index|create|update)_.*)$/;

/** The ids of records, in the spellings of simplified and of raw reads. */
const recordIdKeys = ['_recordId', '_svcId', '_ragicId'];

/** Whether a key stands beside the fields in what is read. */
export function isAddedKey(key: string): boolean {
	return key === commentsKey || addedKey.test(key);
}

/** The id of the record that an item was read from; undefined when it says none. */
export function sourceRecordId(item: Readonly<Record<string, unknown>>): string | undefined {
	return recordIdKeys.map((key) => String(item[key] ?? '')).find((id) => /^\d+$/.test(id));
}

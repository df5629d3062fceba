import type { Client } from '../http/client';
import { processCache } from '../http/processState';
import { textDigest } from '../json/canonicalJson';
import { getOrInsert } from '../json/objects';
import type { JsonObject, JsonValue } from '../json/orderedJson';
import { normalForm } from '../values/normalForm';
import { sheetPath, type RecordAddress, type SheetAddress } from '../values/sheetAddress';

/** What this process knows of a record that it has written: the normal forms of its values, by field id. */
export type WrittenRecord = Map<string, readonly string[]>;

/** What this process wrote to the records of a sheet, by their ids: filters suffer from index lag. */
const writtenRecords = processCache<Map<string, WrittenRecord>>('writtenRecords');

/** Of each sheet, the latest ones. */
const mostRecords = 2_000;

/** Of longer texts, only so many characters are compared. */
const longestForm = 200;

/** Returns what this process wrote to the records of a sheet, for any user of the account. */
export function writtenTo(client: Client, sheet: SheetAddress): Map<string, WrittenRecord> {
	return getOrInsert(writtenRecords, sheetName(client, sheet), () => new Map());
}

/** Adds what was sent to a record, and what the answer shows of it; or what was read since. */
export function addWritten(
	client: Client,
	{ sheet, recordId }: RecordAddress,
	fields: Iterable<[string, JsonValue]>,
	saved?: JsonObject,
): void {
	const written = writtenTo(client, sheet);
	const record: WrittenRecord = written.get(recordId) ?? new Map();
	for (const [id, value] of saved ?? []) {
		const shown = normalForms(value);
		// What is shown as before, such as a mask or HTML, stands for what was written.
		if (!record.get(id)?.some((form) => shown.includes(form))) record.set(id, shown);
	}
	for (const [id, value] of fields) {
		record.set(id, normalForms([value, saved?.get(id) ?? value]));
	}
	written.delete(recordId);
	written.set(recordId, record);
	const [oldest] = written.keys();
	if (written.size > mostRecords && oldest !== undefined) written.delete(oldest);
}

/** Whether what was written to a field may be a value, by normal forms; undefined where that is not known: what was empty, others may have filled in. */
export function mayHold(own?: readonly string[], forms: readonly string[] = []) {
	if (own?.some((form) => forms.includes(form))) return true;
	return own === undefined || own.includes('') ? undefined : false;
}

/** Returns the normal form of a value and, of a multiple selection, those of its choices. */
export function normalForms(value: JsonValue | undefined): string[] {
	if (Array.isArray(value)) return value.flatMap(normalForms);
	return [normalForm(String(value ?? '').slice(0, longestForm))];
}

/** Returns a text for a sheet that is the same for all users of the account. */
export function sheetName({ connection }: Client, sheet: SheetAddress): string {
	const { baseUrl, account } = connection;
	return textDigest([baseUrl, sheetPath(account, sheet)].join('\n'));
}

import type { Client } from '../http/client';
import { processCache } from '../http/processState';
import { textDigest } from '../json/canonicalJson';
import { getOrInsert } from '../json/objects';
import type { JsonObject, JsonValue } from '../json/orderedJson';
import { normalForm } from '../values/normalForm';
import { sheetPath, type RecordAddress, type SheetAddress } from '../values/sheetAddress';

/** Normal forms of the values written to fields of a record, by field id. */
type WrittenFields = Map<string, readonly string[]>;

/** What this process wrote to the records of a sheet, by their ids: filters suffer from index lag. */
const writtenRecords = processCache<Map<string, WrittenFields>>('writtenRecords');

/** Of each sheet, the latest ones. */
const mostRecords = 2_000;

/** Of longer texts, only so many characters are compared. */
const longestForm = 200;

/** Returns what this process wrote to the records of a sheet, for any user of the account. */
export function writtenTo(client: Client, sheet: SheetAddress): Map<string, WrittenFields> {
	return getOrInsert(writtenRecords, sheetName(client, sheet), () => new Map());
}

/** Adds what was sent to a record and, where the answer shows it, what was saved of that; or what was read since. */
export function addWritten(
	client: Client,
	{ sheet, recordId }: RecordAddress,
	fields: Iterable<[string, JsonValue]>,
	saved?: JsonObject,
): void {
	const written = writtenTo(client, sheet);
	const record: WrittenFields = written.get(recordId) ?? new Map();
	for (const [id, value] of fields) {
		record.set(id, normalForms([value, saved?.get(id) ?? value]));
	}
	written.delete(recordId);
	written.set(recordId, record);
	const [oldest] = written.keys();
	if (written.size > mostRecords && oldest !== undefined) written.delete(oldest);
}

/** Returns the normal form of a value and, of a multiple selection, those of its choices. */
export function normalForms(value: JsonValue | undefined): string[] {
	if (Array.isArray(value)) return value.flatMap(normalForms);
	return [normalForm(String(value ?? '').slice(0, longestForm))];
}

/** Returns the same text for a sheet in all executions and for all users of the account. */
export function sheetName({ connection }: Client, sheet: SheetAddress): string {
	const { baseUrl, account } = connection;
	return textDigest([baseUrl, sheetPath(account, sheet)].join('\n'));
}

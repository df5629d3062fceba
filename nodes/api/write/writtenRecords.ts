import type { Client } from '../http/client';
import { processCache } from '../http/processState';
import { textDigest } from '../json/canonicalJson';
import { getOrInsert } from '../json/objects';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import { normalForm } from '../values/normalForm';
import { sheetPath, type RecordAddress, type SheetAddress } from '../values/sheetAddress';

/** What this process knows of a record that it has written. */
export interface WrittenRecord {
	/** The normal forms of the values that were written, by field id. */
	readonly fields: Map<string, readonly string[]>;
	/** Hashes of the other values that the last answer showed: a record may have hundreds. */
	others?: Uint32Array;
}

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

/** Adds what was sent to a record and, where the answer shows it, what was saved of that; or what was read since. */
export function addWritten(
	client: Client,
	{ sheet, recordId }: RecordAddress,
	fields: Iterable<[string, JsonValue]>,
	saved?: JsonObject,
): void {
	const written = writtenTo(client, sheet);
	const record: WrittenRecord = written.get(recordId) ?? { fields: new Map() };
	for (const [id, known] of record.fields) {
		const shown = normalForms(saved?.get(id));
		// What is shown as before, such as a mask or HTML, stands for what was written.
		const isOther = saved?.has(id) && !shown.some((form) => known.includes(form));
		if (isOther) record.fields.set(id, shown);
	}
	for (const [id, value] of fields) {
		record.fields.set(id, normalForms([value, saved?.get(id) ?? value]));
	}
	if (saved) {
		const others = [...saved].filter(([id]) => !record.fields.has(id));
		record.others = Uint32Array.from(others.flatMap(([id, value]) => valueHashes(id, value)));
	}
	written.delete(recordId);
	written.set(recordId, record);
	const [oldest] = written.keys();
	if (written.size > mostRecords && oldest !== undefined) written.delete(oldest);
}

/** A value that records may hold in a field, in its normal forms. */
export interface SoughtValue {
	fieldId: string;
	forms: readonly string[];
	hashes: readonly number[];
}

/** Returns what to look for. */
export function soughtValue(fieldId: string, value: JsonValue | undefined): SoughtValue {
	const forms = normalForms(value);
	return { fieldId, forms, hashes: forms.map((form) => valueHash(fieldId, form)) };
}

/** Whether a record holds a value, by what was written; undefined where that is not known: others may have changed it. */
export function mayHold(
	{ fields, others }: WrittenRecord,
	{ fieldId, forms, hashes }: SoughtValue,
): boolean | undefined {
	const own = fields.get(fieldId);
	if (own) return forms.some((form) => own.includes(form));
	return hashes.some((hash) => others?.includes(hash)) || undefined;
}

function valueHashes(fieldId: string, value: JsonValue): number[] {
	if (isJsonObject(value)) return [];
	return normalForms(value).map((form) => valueHash(fieldId, form));
}

/** What is taken for another value costs one read. */
function valueHash(fieldId: string, form: string): number {
	let hash = 0;
	for (const character of `${fieldId} ${form}`) {
		hash = (Math.imul(hash, 31) + character.charCodeAt(0)) >>> 0;
	}
	return hash;
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

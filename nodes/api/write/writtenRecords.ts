import type { Client } from '../http/client';
import { processCache } from '../http/processState';
import { getOrInsert } from '../json/objects';
import { copyText, type JsonObject, type JsonValue } from '../json/orderedJson';
import { normalForm } from '../values/normalForm';
import { isMasked } from '../values/text';
import { sheetPath, type SheetAddress } from '../values/sheetAddress';

/** The values that this process wrote to a record, by field ID. */
type WrittenRecord = Map<string, WrittenValues>;

/** Normal form of a field → IDs of the records that were written with it. They may have another value now, or be unknown. */
type FieldIndex = Map<string, Set<string>>;

/** The texts that were written to a field. Most fields are never compared, so the normal forms are made when they are first needed. */
class WrittenValues {
	private knownForms?: readonly string[];

	/** @param texts texts as `comparedTexts` returns them */
	constructor(private readonly texts: readonly string[]) {}

	get forms(): readonly string[] {
		return (this.knownForms ??= this.texts.map(normalForm));
	}
}

const sheets = processCache<WrittenRecords>('writtenRecords');

/** Maximum number of entries per sheet: of written records, and of deleted records. The latest entries are kept. */
const maxEntries = 2_000;

/** Number of characters of a text that are compared. */
const maxComparedLength = 200;

/**
 * The values that this process wrote to the records of a sheet, and the records that it deleted. Filters do not find these
 * changes for a while, because the index of the service lags. Written values are known to all users of the account. A record is
 * gone only for the users who deleted it or whose read showed it, because another user may see it.
 */
export class WrittenRecords {
	private readonly records = new Map<string, WrittenRecord>();
	/** Index of each field to match on. Records are only added to it, so it is dropped from time to time. */
	private readonly indexes = new Map<string, FieldIndex>();
	/** Number of writes since all indexes were dropped. */
	private indexedWrites = 0;
	/** Record ID → digests of the users for whom the record is gone. */
	private readonly deletedIds = new Map<string, Set<string>>();

	/**
	 * Adds values that were sent to a record or read from it, and the saved record if the answer contains it. Counts the record
	 * as existing, because people can restore a deleted one.
	 */
	add(recordId: string, fields: Iterable<[string, JsonValue]>, saved?: JsonObject): void {
		const record: WrittenRecord = this.records.get(recordId) ?? new Map();
		addReturned(record, saved);
		addSent(record, fields, saved);
		setLatest(this.records, recordId, record);
		this.deletedIds.delete(recordId);
		this.addToIndexes(recordId, record);
	}

	private addToIndexes(recordId: string, record: WrittenRecord): void {
		for (const [fieldId, index] of this.indexes) {
			addToIndex(index, record.get(fieldId)?.forms, recordId);
		}
		this.indexedWrites++;
		if (this.indexedWrites < maxEntries) return;
		// The next look-up makes an index of the records that are known then, with their latest values.
		this.indexes.clear();
		this.indexedWrites = 0;
	}

	/**
	 * Must be called if a record is gone for a user: after a confirmed deletion, or if a single read by this user does not find it.
	 * Never call it for an error response to a write, which may be about a row or a file.
	 */
	addDeleted(recordId: string, userDigest: string): void {
		const users = this.deletedIds.get(recordId) ?? new Set();
		setLatest(this.deletedIds, recordId, users.add(userDigest));
	}

	/** Returns whether a record is gone for a user. People may have restored it since. */
	isDeleted(recordId: string, userDigest: string): boolean {
		return this.deletedIds.get(recordId)?.has(userDigest) === true;
	}

	/** Returns whether a record is gone for any user, so that it must be read before it is used. */
	mayBeDeleted(recordId: string): boolean {
		return this.deletedIds.has(recordId);
	}

	/** Returns the normal forms that were written to a field, or undefined if they are not known. */
	formsOf(recordId: string, fieldId: string): readonly string[] | undefined {
		return this.records.get(recordId)?.get(fieldId)?.forms;
	}

	/**
	 * Returns the IDs of the records that may match a key, by the normal forms of its values: at least one written value matches,
	 * and no other one is known to differ. Leaves out the records that are gone for the user.
	 */
	candidates(
		fieldIds: readonly string[],
		keyForms: ReadonlyArray<readonly string[]>,
		userDigest: string,
	): string[] {
		const found = new Set<string>();
		for (const [position, fieldId] of fieldIds.entries()) {
			const index = getOrInsert(this.indexes, fieldId, () => this.newIndex(fieldId));
			for (const form of keyForms[position] ?? []) {
				for (const recordId of index.get(form) ?? []) found.add(recordId);
			}
		}
		return [...found].filter(
			(recordId) =>
				!this.isDeleted(recordId, userDigest) && this.mayMatch(recordId, fieldIds, keyForms),
		);
	}

	private mayMatch(
		recordId: string,
		fieldIds: readonly string[],
		keyForms: ReadonlyArray<readonly string[]>,
	): boolean {
		let hasMatch = false;
		const hasNoOther = fieldIds.every((fieldId, position) => {
			const answer = matchesWritten(this.formsOf(recordId, fieldId), keyForms[position]);
			hasMatch ||= answer === 'yes';
			return answer !== 'no';
		});
		return hasNoOther && hasMatch;
	}

	private newIndex(fieldId: string): FieldIndex {
		const index: FieldIndex = new Map();
		for (const [recordId, record] of this.records) {
			addToIndex(index, record.get(fieldId)?.forms, recordId);
		}
		return index;
	}
}

/** Adds the values of a saved record. Keeps a written value if the returned one is only another form of it, such as a mask or HTML. */
function addReturned(record: WrittenRecord, saved: JsonObject = new Map()): void {
	for (const [id, value] of saved) {
		// Another user may see the value.
		if (isMasked(value)) continue;
		const returned = new WrittenValues(comparedTexts(value));
		const isKnown = record.get(id)?.forms.some((form) => returned.forms.includes(form));
		if (!isKnown) record.set(id, returned);
	}
}

/** Sets the values that were sent to a record. Each counts as written together with what the service returned for its field. */
function addSent(
	record: WrittenRecord,
	fields: Iterable<[string, JsonValue]>,
	saved?: JsonObject,
): void {
	for (const [id, value] of fields) {
		const returned = saved?.get(id);
		const hasReturned = returned !== undefined && returned !== null;
		record.set(id, new WrittenValues(comparedTexts(hasReturned ? [value, returned] : value)));
	}
}

function addToIndex(index: FieldIndex, forms: readonly string[] = [], recordId: string): void {
	for (const form of forms) getOrInsert(index, form, () => new Set()).add(recordId);
}

/** Sets the value of a key as the latest entry, and drops the entry that was set longest ago if there are too many. */
function setLatest<Value>(entries: Map<string, Value>, key: string, value: Value): void {
	entries.delete(key);
	entries.set(key, value);
	const [oldest] = entries.keys();
	if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
}

/** Returns what this process wrote to the records of a sheet, for any user of the account. */
export function writtenRecords(client: Client, sheet: SheetAddress): WrittenRecords {
	return getOrInsert(sheets, sheetKey(client, sheet), () => new WrittenRecords());
}

/**
 * Returns whether the forms that were written to a field match those of a value: unknown if nothing is known of the field, or if
 * it was left empty, since the service or a person may have filled it in.
 */
export function matchesWritten(
	written: readonly string[] | undefined,
	forms: readonly string[] = [],
): 'no' | 'unknown' | 'yes' {
	if (written?.some((form) => forms.includes(form))) return 'yes';
	return written === undefined || written.includes('') ? 'unknown' : 'no';
}

/** Returns the normal form of a value, or those of the choices of a multiple selection. Returns [''] for any empty value. */
export function normalForms(value: JsonValue | undefined): string[] {
	return comparedTexts(value).map(normalForm);
}

/** Returns the value as text, or the choices of a multiple selection. Shortens each text to the characters that are compared. */
function comparedTexts(value: JsonValue | undefined): string[] {
	if (Array.isArray(value) && value.length > 0) return value.flatMap(comparedTexts);
	return [copyText(String(value ?? '').slice(0, maxComparedLength))];
}

/** Returns a cache key of a sheet that is the same for all users of the account (unlike `cacheKey`). */
export function sheetKey({ connection }: Client, sheet: SheetAddress): string {
	const { baseUrl, account } = connection;
	return `${baseUrl}${sheetPath(account, sheet)}`;
}

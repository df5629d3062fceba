import { processCache, type ExpiringValue } from '../../http/processState';
import { getOrInsert } from '../../json/objects';
import type { JsonObject, JsonValue } from '../../json/orderedJson';
import { bytesOf, setWritten, writtenForms } from './writtenValues';
import type { WrittenValues } from './writtenValues';

/** Maximum memory for the known records of all sheets, in MB. The records that were written longest ago are dropped first. */
const maxMemoryMegabytes = 32;

/** Time for which a record is known after its last write or deletion, in minutes. */
const maxKnownMinutes = 60;

/** Size in bytes of a known record without its values, with its place in the indexes. Measured in Node.js 24. */
const recordBytes = 800;

/** Written values of a record, and the users for whom it is gone. */
interface KnownRecord {
	readonly id: string;
	readonly sheet: KnownSheet;
	readonly written: WrittenValues;
	/** Digests of the users for whom the record is gone. Another user may see it. */
	readonly goneFor: Set<string>;
	bytes: number;
	/** Monotonic time in ms of the last change. */
	at: number;
	/** Neighbors in the order of the last changes; undefined at the ends. */
	older?: KnownRecord;
	newer?: KnownRecord;
}

/** IDs of known records by the normal forms that were written to one field. The records may have another value now. */
class FieldForms {
	private readonly byForm = new Map<string, Set<string>>();
	/** IDs of records that may have any value: nothing was written to the field, or an empty value, which may be filled in. */
	private readonly unknown = new Set<string>();

	constructor(private readonly fieldId: string) {}

	add({ id, written }: KnownRecord): void {
		const forms = writtenForms(written, this.fieldId);
		for (const form of forms ?? []) getOrInsert(this.byForm, form, () => new Set()).add(id);
		if (!forms || forms.includes('')) this.unknown.add(id);
	}

	remove({ id, written }: KnownRecord): void {
		for (const form of writtenForms(written, this.fieldId) ?? []) {
			const ids = this.byForm.get(form);
			ids?.delete(id);
			if (ids?.size === 0) this.byForm.delete(form);
		}
		this.unknown.delete(id);
	}

	/** Returns the IDs of the records that were written with one of the forms or may have any value. */
	candidates(forms: readonly string[]): Set<string> {
		const written = forms.flatMap((form) => [...(this.byForm.get(form) ?? [])]);
		return new Set([...written, ...this.unknown]);
	}

	/** Returns the maximum number of candidates. */
	candidateCount(forms: readonly string[]): number {
		const counts = forms.map((form) => this.byForm.get(form)?.size ?? 0);
		return counts.reduce((sum, count) => sum + count, this.unknown.size);
	}

	/** Returns whether a record was written with one of the forms: unknown if it may have any value. */
	match(id: string, forms: readonly string[]): 'no' | 'unknown' | 'yes' {
		if (forms.some((form) => this.byForm.get(form)?.has(id))) return 'yes';
		return this.unknown.has(id) ? 'unknown' : 'no';
	}
}

/** The known records of a sheet. Each field that was searched has an index. */
class KnownSheet {
	readonly records = new Map<string, KnownRecord>();
	private readonly indexes = new Map<string, FieldForms>();

	constructor(readonly key: string) {}

	/**
	 * Returns the IDs of the records that may match a key: at least one value matches, and no other one is known to differ. Begins
	 * with the field that the fewest records may match, because thousands may share the value of another one.
	 */
	find(key: ReadonlyMap<string, readonly string[]>): string[] {
		const fields = [...key].map(([fieldId, forms]) => ({ index: this.indexOf(fieldId), forms }));
		const counts = fields.map(({ index, forms }) => index.candidateCount(forms));
		const rarest = fields[counts.indexOf(Math.min(...counts))];
		const candidates = rarest?.index.candidates(rarest.forms) ?? new Set();
		return [...candidates].filter((id) => {
			const matches = fields.map(({ index, forms }) => index.match(id, forms));
			return matches.includes('yes') && !matches.includes('no');
		});
	}

	/** Must be called before the values of a record change, and before it is dropped. */
	removeFromIndexes(record: KnownRecord): void {
		for (const index of this.indexes.values()) index.remove(record);
	}

	addToIndexes(record: KnownRecord): void {
		for (const index of this.indexes.values()) index.add(record);
	}

	private indexOf(fieldId: string): FieldForms {
		return getOrInsert(this.indexes, fieldId, () => {
			const index = new FieldForms(fieldId);
			for (const record of this.records.values()) index.add(record);
			return index;
		});
	}
}

/**
 * Knowledge of this process about the records of all sheets: written values, and records that are gone. Filters do not
 * find these changes for a while, because the index of the service lags. The memory has a budget in bytes, and each record an age.
 * Each use drops the records that are too old, and so does each garbage collection (see `processState`).
 */
export class ProcessMemory implements ExpiringValue {
	private readonly sheets = new Map<string, KnownSheet>();
	private bytes = 0;
	private count = 0;
	/** Ends of the chain of all known records. A `Set` would be slow, because it skips removed entries one by one. */
	private oldest?: KnownRecord;
	private newest?: KnownRecord;

	/** @param maxBytes budget of the memory, in bytes */
	constructor(private readonly maxBytes = maxMemoryMegabytes * 1024 * 1024) {}

	/** Number of the known records of all sheets. */
	get size(): number {
		this.dropExpired();
		return this.count;
	}

	/** Adds a confirmed write, or values that a single read returned. The record exists, because people can restore a deleted one. */
	addWritten(
		sheetKey: string,
		recordId: string,
		fields: Iterable<[string, JsonValue]>,
		saved?: JsonObject,
	): void {
		const record = this.recordToChange(sheetKey, recordId);
		record.sheet.removeFromIndexes(record);
		setWritten(record.written, fields, saved);
		record.goneFor.clear();
		record.sheet.addToIndexes(record);
		this.add(record);
	}

	/** Adds that a record is gone for a user. */
	addGone(sheetKey: string, recordId: string, userDigest: string): void {
		const record = this.recordToChange(sheetKey, recordId);
		record.goneFor.add(userDigest);
		this.add(record);
	}

	/** Returns the digests of the users for whom a record is gone. People may have restored it since. */
	goneFor(sheetKey: string, recordId: string): ReadonlySet<string> {
		return this.record(sheetKey, recordId)?.goneFor ?? new Set();
	}

	/** Returns the normal forms that were written to a field, or undefined if they are not known. */
	formsOf(sheetKey: string, recordId: string, fieldId: string): readonly string[] | undefined {
		return writtenForms(this.record(sheetKey, recordId)?.written, fieldId);
	}

	/**
	 * Returns the IDs of the records that may match a key: at least one written value matches, and no other one is known to differ.
	 *
	 * @param key field ID → normal forms of its value
	 */
	find(sheetKey: string, key: ReadonlyMap<string, readonly string[]>): string[] {
		this.dropExpired();
		return this.sheets.get(sheetKey)?.find(key) ?? [];
	}

	private record(sheetKey: string, recordId: string): KnownRecord | undefined {
		this.dropExpired();
		return this.sheets.get(sheetKey)?.records.get(recordId);
	}

	/** Takes a known record out of the chain, and returns it, or returns a new record. Must be followed by `add`. */
	private recordToChange(sheetKey: string, recordId: string): KnownRecord {
		const known = this.record(sheetKey, recordId);
		if (known) this.unlink(known);
		const sheet = getOrInsert(this.sheets, sheetKey, () => new KnownSheet(sheetKey));
		const nothing = { written: new Map(), goneFor: new Set<string>(), bytes: 0, at: 0 };
		return known ?? { id: recordId, sheet, ...nothing };
	}

	/** Adds a record as the latest one. */
	private add(record: KnownRecord): void {
		record.bytes = recordBytes + bytesOf(record.written);
		record.at = performance.now();
		this.bytes += record.bytes;
		this.count++;
		record.sheet.records.set(record.id, record);
		record.older = this.newest;
		if (this.newest) this.newest.newer = record;
		else this.oldest = record;
		this.newest = record;
		this.dropExpired();
	}

	/** Takes a record out of the chain. */
	private unlink(record: KnownRecord): void {
		const { older, newer } = record;
		if (older) older.newer = newer;
		else this.oldest = newer;
		if (newer) newer.older = older;
		else this.newest = older;
		record.older = undefined;
		record.newer = undefined;
		this.bytes -= record.bytes;
		this.count--;
	}

	/** Drops the records that are too old, and the oldest ones while the memory exceeds its budget. */
	dropExpired(): void {
		const latestExpired = performance.now() - maxKnownMinutes * 60_000;
		for (let record = this.oldest; record; record = this.oldest) {
			if (this.bytes <= this.maxBytes && record.at > latestExpired) return;
			const { sheet } = record;
			sheet.removeFromIndexes(record);
			this.unlink(record);
			sheet.records.delete(record.id);
			if (sheet.records.size === 0) this.sheets.delete(sheet.key);
		}
	}
}

const memories = processCache<ProcessMemory>('recordMemory');

/** Returns the memory of this process. */
export function processMemory(): ProcessMemory {
	return getOrInsert(memories, 'process', () => new ProcessMemory());
}

import type { Client } from '../http/client';
import { ServiceError } from '../http/serviceError';
import { acquire } from '../http/waiting';
import type { JsonValue } from '../json/orderedJson';
import { listPages } from '../read/pages';
import { whereParameter, type WhereCondition } from '../read/query';
import { plainReadOptions, type ReadOptions } from '../read/readOptions';
import type { SheetRecord } from '../read/record';
import { getRecord, recordsIn } from '../read/records';
import { longestFresh, type RecordsByIds } from '../read/recordLoader';
import { Schema } from '../schema/schema';
import { isSameInSomeKind, kindIn, type FieldKinds, type ValueKind } from '../schema/valueKinds';
import { InputError } from '../values/inputError';
import { batchesByLength } from '../values/query';
import type { SheetAddress } from '../values/sheetAddress';
import { isMasked } from '../values/text';
import type { SavedRecord } from './records';
import { isMatch } from './diff';
import { addWritten, mayHold, normalForms, sheetName, writtenTo } from './writtenRecords';

/** The values to match on, one for each match field. */
export type MatchKey = readonly string[];

interface FoundRecord {
	id: string;
	values: ReadonlyArray<JsonValue | undefined>;
	/** Normal forms of the first value: it need not be compared with keys that have others. */
	forms: readonly string[];
	/** A match field that is masked or missing. */
	hidden?: string;
}

/** Values are compared as they are stored: unmasked where the user may see them, rich text as its markup. */
const storedValues = plainReadOptions('EID', ['bbcode', true], ['ignoreMask', true]);

/** With these codes, the service may refuse one value of a look-up (specification, "Errors"). */
const valueCodes = [undefined, 201, 202];

/** Servers and proxies on the way accept addresses of about 8,000 characters. */
const longestConditions = 7_000;

/**
 * Finds the existing records for many keys with few requests: a batch of keys is asked for when the first of them is
 * needed. What the filter finds is compared by the types of the fields; what this process has written counts, too.
 */
export class Matches {
	/** What look-ups found for a key, by its text, and when: records of other keys among them. */
	private readonly found = new Map<string, { records: FoundRecord[]; at: number }>();
	/** The keys that are looked up together, by the text of each, from the first look-up on. */
	private batches?: Map<string, readonly MatchKey[]>;
	private readonly reading: ReadOptions;
	private readonly schema: Schema;
	/** Kinds of the fields, as far as they are known. */
	private kinds?: FieldKinds;

	/** Takes all keys that will be asked for, which may be added until the first one is. `seen` receives what look-ups return. */
	constructor(
		private readonly client: Client,
		private readonly sheet: SheetAddress,
		private readonly fieldIds: readonly string[],
		private readonly keys: readonly MatchKey[],
		private readonly seen?: RecordsByIds,
	) {
		this.reading = seen?.reading ?? { ...storedValues, fields: fieldIds };
		this.schema = new Schema(client, sheet);
	}

	/** Runs `work`, which looks a key up and then writes, under the lock of all keys of its normal form. Deadlocks if it locks another key. */
	async whileLocked<T>(key: MatchKey, work: () => Promise<T>): Promise<T> {
		const release = await acquire(this.lockName(key), this.client.signal);
		try {
			return await work();
		} finally {
			release();
		}
	}

	/** Returns the ids of records that match a key, the lowest first; with `refresh`, as of now. Throws ServiceError; InputError for an empty value. */
	async recordIds(key: MatchKey, refresh = false): Promise<string[]> {
		// For blanks, the service would find all records whose field is empty.
		const empty = this.fieldIds.find((_, index) => !key[index]?.trim());
		if (empty !== undefined) {
			throw new InputError(
				`The field '${await this.schema.nameFor(empty)}' to match on has no value in this item`,
				'Give each item a value for every field to match on.',
			);
		}
		this.kinds ??= await this.schema.kindsIfKnown();
		const written = writtenTo(this.client, this.sheet);
		const { records, at = -Infinity } = this.found.get(keyText(key)) ?? {};
		const mayDiffer = refresh || written.has(this.lockName(key));
		const isFresh = !mayDiffer && performance.now() - at < longestFresh;
		const found = (isFresh && records) || (await this.lookUp(key));
		const ids: string[] = [];
		const forms = key.map(normalForms);
		const mayMatch = (record: FoundRecord) => record.forms.some((form) => forms[0]?.includes(form));
		for (const record of found) {
			if (record.hidden !== undefined) throw hiddenField(await this.schema.nameFor(record.hidden));
			if (mayMatch(record) && (await this.matches(record, key))) ids.push(record.id);
		}
		for (const [id, record] of [...written]) {
			const holds = this.fieldIds.map((fieldId, index) =>
				mayHold(record.get(fieldId), forms[index]),
			);
			if (holds.includes(false) || !holds.includes(true)) continue;
			if (found.some((one) => one.id === id && mayMatch(one))) continue;
			if (await this.matchesNow(id, key)) ids.push(id);
		}
		return ids.sort((left, right) => Number(left) - Number(right));
	}

	/** Returns what a message calls a key: its values and the names of their fields. */
	async describe(key: MatchKey): Promise<string> {
		const names = await Promise.all(this.fieldIds.map(async (id) => await this.schema.nameFor(id)));
		return names.map((name, index) => `'${key[index]}' in '${name}'`).join(' and ');
	}

	/** Creates a record of the key. Should that fail, the key is looked up again: the record may be there all the same. */
	async created(key: MatchKey, create: () => Promise<SavedRecord>): Promise<SavedRecord> {
		const written = writtenTo(this.client, this.sheet);
		written.set(this.lockName(key), new Map());
		const saved = await create();
		written.delete(this.lockName(key));
		this.note([key], [{ id: saved.recordId, values: key, forms: normalForms(key[0]) }]);
		return saved;
	}

	private async matches({ id, values }: FoundRecord, key: MatchKey): Promise<boolean> {
		const written = writtenTo(this.client, this.sheet).get(id);
		const isOutdated = this.fieldIds.some((fieldId, index) => {
			const forms = written?.get(fieldId);
			return forms && !normalForms(values[index]).some((form) => forms.includes(form));
		});
		return isOutdated ? await this.matchesNow(id, key) : await this.areSame(values, key);
	}

	private async matchesNow(recordId: string, key: MatchKey): Promise<boolean> {
		const address = { sheet: this.sheet, recordId };
		const record = await getRecord(this.client, address, this.reading);
		if (!record) {
			writtenTo(this.client, this.sheet).delete(recordId);
			return false;
		}
		const own = [...record.content].filter(([id]) => this.fieldIds.includes(id));
		addWritten(this.client, address, own);
		this.seen?.see(record, true);
		return await this.areSame(this.valuesOf(record), key);
	}

	private async areSame(values: FoundRecord['values'], key: MatchKey): Promise<boolean> {
		const isDoubtful = (index: number) =>
			values[index] !== key[index] && isSameInSomeKind(values[index], key[index] ?? '');
		// Without the kind, a second record might be created for the same number or date.
		if (this.fieldIds.some((_, index) => isDoubtful(index))) {
			this.kinds ??= await this.schema.kinds();
		}
		return this.fieldIds.every((fieldId, index) =>
			isMatch(this.kindOf(fieldId), values[index], key[index] ?? ''),
		);
	}

	private kindOf(fieldId: string): ValueKind {
		return kindIn(this.kinds, { fieldId });
	}

	/** Returns the keys in batches, by the text of each. */
	private batched(): Map<string, readonly MatchKey[]> {
		const filled = this.keys.filter((key) => key.every((text) => text.trim() !== ''));
		const keys = new Map(filled.map((key) => [keyText(key), key]));
		const lengthOf = (key: MatchKey) =>
			this.conditions([key]).map(whereParameter).join('&').length + 1;
		const batches = batchesByLength(keys.values(), lengthOf, longestConditions);
		return new Map(batches.flatMap((batch) => batch.map((key) => [keyText(key), batch])));
	}

	/** Looks a key up, together with those of its batch that come behind it. */
	private async lookUp(key: MatchKey): Promise<FoundRecord[]> {
		const batches = (this.batches ??= this.batched());
		const batch = batches.get(keyText(key)) ?? [key];
		const keys = batch.slice(batch.findIndex((other) => keyText(other) === keyText(key)));
		return await this.recordsFor(keys).catch(async (error: unknown) => {
			if (keys.length < 2 || !(error instanceof ServiceError)) throw error;
			const { kind, code } = error.details;
			const isRefused = kind === 'refused' && valueCodes.includes(code);
			if (!isRefused && kind !== 'rejected') throw error;
			// The service does not take a value, such as a date that is none: it fails alone.
			for (const other of keys) batches.delete(keyText(other));
			return await this.lookUp(key);
		});
	}

	private note(keys: readonly MatchKey[], records: FoundRecord[]): void {
		for (const key of keys) this.found.set(keyText(key), { records, at: performance.now() });
	}

	private async recordsFor(keys: readonly MatchKey[]): Promise<FoundRecord[]> {
		const found: FoundRecord[] = [];
		const request = { sheet: this.sheet, where: this.conditions(keys), reading: this.reading };
		for await (const page of listPages(this.client, request, recordsIn)) {
			for (const record of page) {
				const values = this.valuesOf(record);
				const hidden = this.fieldIds.find((_, index) => {
					const value = values[index];
					// What was asked for is no mask, even when it is stars.
					const isAsked = keys.some((key) => key[index] === value);
					return value === undefined || (isMasked(value) && !isAsked);
				});
				found.push({ id: record.id, values, forms: normalForms(values[0]), hidden });
				this.seen?.see(record);
			}
		}
		this.note(keys, found);
		return found;
	}

	private valuesOf({ content }: SheetRecord): FoundRecord['values'] {
		return this.fieldIds.map((fieldId) => content.get(fieldId));
	}

	/** Returns conditions that find the records of all the keys, and maybe more (specification, filter rules 6 and 8). */
	private conditions(keys: readonly MatchKey[]): WhereCondition[] {
		return this.fieldIds.flatMap((fieldId, index) => {
			const kind = this.kindOf(fieldId);
			const values = new Set(keys.flatMap((key) => kind.filterSpellings(key[index] ?? '')));
			return [...values].map((value) => ({ fieldId, operator: 'eq', value }));
		});
	}

	/** The same text for all keys of one normal form. */
	private lockName(key: MatchKey): string {
		const values = this.fieldIds.map((id, index) => [id, normalForms(key[index])]).sort();
		return JSON.stringify([sheetName(this.client, this.sheet), values]);
	}
}

/** The error of a match field that is masked or missing. */
export function hiddenField(name: string): InputError {
	return new InputError(
		`The service does not show the field '${name}' to this user, so nobody knows which records match`,
		'Match on another field, or use a credential whose user may see this one.',
	);
}

function keyText(key: MatchKey): string {
	return JSON.stringify(key);
}

import type { Client } from '../http/client';
import { maxBlockMilliseconds, runCooperatively } from '../http/eventLoop';
import { outcomeIsUnknown } from '../http/policies';
import { processState } from '../http/processState';
import { ServiceError, fallbackTo } from '../http/serviceError';
import { acquire } from '../http/waiting';
import type { Steps } from '../json/jsonReading';
import { getOrInsert } from '../json/objects';
import type { JsonObject, JsonValue } from '../json/orderedJson';
import { listPages } from '../read/pages';
import { whereParameter, type WhereCondition } from '../read/query';
import { plainReadOptions } from '../read/readOptions';
import type { SheetRecord } from '../read/record';
import { maxRecentAgeMs } from '../read/memory/loadedRecords';
import { recordMemory, sheetKey, type RecordMemory } from '../read/memory/recordMemory';
import { normalForms } from '../read/memory/writtenValues';
import { RecordLoader } from '../read/recordLoader';
import { recordsIn } from '../read/records';
import { SheetFields } from '../sheet/sheetFields';
import { mayBeEqual, kindIn, type FieldKinds } from '../sheet/kinds/valueKinds';
import type { ValueKind } from '../sheet/kinds/valueKind';
import { InputError } from '../values/inputError';
import { batchesByLength } from '../values/query';
import type { SheetAddress } from '../values/sheetAddress';
import { isMasked } from '../values/text';
import type { SavedRecord } from './records';
import { isEmptyMatchValue, isMatch, textsToFind, type MatchValue } from './matchValues';

/** Values to match on, one for each match field. */
export type MatchKey = readonly MatchValue[];

interface FoundRecord {
	id: string;
	/** Values of the match fields. */
	values: ReadonlyArray<JsonValue | undefined>;
}

/** Result of a look-up of one or more keys. */
interface LookUp {
	/** Normal form of the first value → records with it. Only keys with this form can match them. */
	byForm: ReadonlyMap<string, readonly FoundRecord[]>;
	/** A match field that is masked or missing in one of the records. */
	hiddenFieldId?: string;
	/** Monotonic time in ms. */
	at: number;
}

/** Read options for stored values: unmasked if the user may see them, rich text as markup. */
const storedValues = plainReadOptions('EID', ['bbcode', true], ['ignoreMask', true]);

/** Codes with which the service may refuse a single value of a look-up (specification, "Errors"). */
const valueCodes = [undefined, 201, 202];

/** Maximum length of the conditions of a look-up, in characters. Servers and proxies accept addresses of about 8,000. */
const maxConditionsLength = 7_000;

/**
 * Finds the existing records of many keys with few requests: a batch of keys is looked up when the first of them is
 * needed. Found records are compared by the types of the fields. Records that this process has written or deleted are
 * taken into account, because filters lag.
 */
export class MatchLookUp {
	/** Key as text → its last look-up, which may be shared with other keys. */
	private readonly lookUps = new Map<string, LookUp>();
	/** Key as text → keys that are looked up together. Set by the first look-up. */
	private batches?: Promise<Map<string, readonly MatchKey[]>>;
	/** Key as text → IDs of the records that matched it last. */
	private readonly matchedIds = new Map<string, readonly string[]>();
	/** Key as text → key that will be looked up. */
	private readonly keys = new Map<string, MatchKey>();
	/** Key as text → number of items that have no output yet. */
	private readonly remaining = new Map<string, number>();
	private readonly sheetFields: SheetFields;
	private readonly memory: RecordMemory;
	private readonly loader: RecordLoader;
	/** Known kinds of the fields. */
	private kinds?: FieldKinds;

	/** @param primedLoader loader that receives the found records */
	constructor(
		private readonly client: Client,
		private readonly sheet: SheetAddress,
		private readonly fieldIds: readonly string[],
		private readonly primedLoader?: RecordLoader,
	) {
		this.sheetFields = new SheetFields(client, sheet);
		this.memory = recordMemory(client, sheet);
		const reading = { ...storedValues, fields: fieldIds };
		this.loader = primedLoader ?? new RecordLoader(this.memory, sheet, reading);
	}

	/** Adds the key of an item. Keys that are added before the first look-up are looked up together. */
	add(key: MatchKey): void {
		const text = keyText(key);
		this.keys.set(text, key);
		this.remaining.set(text, (this.remaining.get(text) ?? 0) + 1);
	}

	/** Runs `work`, which looks up a key and then writes, while the lock of equal keys is held. Deadlocks if `work` locks another key. */
	async whileLocked<T>(key: MatchKey, work: () => Promise<T>): Promise<T> {
		const release = await acquire(this.lockName(key), this.client.signal);
		try {
			return await work();
		} finally {
			release();
		}
	}

	/**
	 * Returns the IDs of the records that match a key, in ascending order. Throws ServiceError, and InputError for an empty value
	 * and for a match field that is hidden from the user.
	 */
	async recordIds(key: MatchKey): Promise<string[]> {
		const name = this.lockName(key);
		const lookUp = this.lookUps.get(keyText(key));
		const isUsable = lookUp && isRecent(lookUp) && !this.memory.isUncertain(name);
		const ids = isUsable ? await this.matching(key, lookUp) : await this.recordIdsNow(key);
		if (ids.length > 0) this.memory.setUncertain(name, false);
		return ids;
	}

	/** Returns the same as `recordIds`, but always looks up the key, together with the keys that follow it in its batch. */
	async recordIdsNow(key: MatchKey): Promise<string[]> {
		// An empty value would find all records whose field is empty.
		const emptyId = this.fieldIds.find((_, index) => isEmptyMatchValue(key[index]));
		if (emptyId === undefined) {
			return await this.matching(key, await this.lookUp(key));
		}
		throw new InputError(
			`The field '${await this.sheetFields.nameFor(emptyId)}' to match on has no value in this item`,
			'Give each item a value for every field to match on.',
		);
	}

	/** Returns whether a record that matched a key still does. A look-up of over a minute ago is repeated. Throws ServiceError. */
	async stillMatches(key: MatchKey, recordId: string): Promise<boolean> {
		const lookUp = this.lookUps.get(keyText(key));
		if (!lookUp || !isRecent(lookUp)) await this.recordIdsNow(key);
		const isListed = this.matchedIds.get(keyText(key))?.includes(recordId) === true;
		return isListed || (await this.matchesNow(recordId, key));
	}

	/** Looks a key up, together with the keys that follow it in its batch, only to prime the loader. Throws ServiceError. */
	async primeLoader(key: MatchKey): Promise<void> {
		await this.lookUp(key);
	}

	/** Returns the values of a key and the names of their fields, for messages. */
	async describe(key: MatchKey): Promise<string> {
		const names = await Promise.all(
			this.fieldIds.map(async (id) => await this.sheetFields.nameFor(id)),
		);
		const texts = key.map((value) => [value].flat().join(', '));
		return names.map((name, index) => `'${texts[index]}' in '${name}'`).join(' and ');
	}

	/**
	 * Must be called before the record of a key is created. Throws InputError if the outcome of an earlier creation is unknown, so
	 * that the record may exist although filters do not find it yet.
	 */
	async requireCertainty(key: MatchKey): Promise<void> {
		if (!this.memory.isUncertain(this.lockName(key))) return;
		const minutes = processState.uncertainCreations.maxAge / 60_000;
		throw new InputError(
			`It is unknown whether an earlier write created the record with ${await this.describe(key)}, so it is not created again`,
			`Look for the record on the sheet, and run this again in ${minutes} minutes. By then, the service finds the record if it exists.`,
		);
	}

	/**
	 * Creates the record of a key. If the outcome is unknown, the key is uncertain (see `requireCertainty`). After any other
	 * failure, the next use of the key looks it up again.
	 */
	async create(key: MatchKey, create: () => Promise<SavedRecord>): Promise<SavedRecord> {
		const name = this.lockName(key);
		this.memory.setUncertain(name, true);
		const saved = await create().catch((error: unknown) => {
			if (isCertain(error)) this.memory.setUncertain(name, false);
			this.lookUps.delete(keyText(key));
			throw error;
		});
		this.memory.setUncertain(name, false);
		const values = key.map((value) => (typeof value === 'string' ? value : [...value]));
		this.lookUps.set(keyText(key), lookUpOf([{ id: saved.recordId, values }]));
		return saved;
	}

	/**
	 * Must be called when an item with this key has its output. Returns the IDs of the records that are not needed any more: those
	 * that matched the key, or none if another item has the same key.
	 */
	finish(key: MatchKey): readonly string[] {
		const text = keyText(key);
		const remaining = (this.remaining.get(text) ?? 1) - 1;
		this.remaining.set(text, remaining);
		if (remaining > 0) return [];
		const ids = this.matchedIds.get(text) ?? [];
		this.matchedIds.delete(text);
		return ids;
	}

	/**
	 * Returns the result of a write to a found record; undefined if it failed because the record is gone. The error alone may be
	 * about a row or a file, so the record is read. Throws the error of the write otherwise, also if the record cannot be read.
	 */
	async unlessGone<T>(recordId: string, writing: Promise<T>): Promise<T | undefined> {
		return await writing.catch(async (error: unknown) => {
			if (!(error instanceof ServiceError) || error.kind !== 'notFound') throw error;
			const content = await this.contentNow(recordId).catch(fallbackTo('unreadable' as const));
			if (content !== undefined) throw error;
			return undefined;
		});
	}

	/** Returns the IDs of the found records that match a key, and of records that this process has written. */
	private async matching(key: MatchKey, { byForm, hiddenFieldId }: LookUp): Promise<string[]> {
		if (hiddenFieldId !== undefined) throw await this.sheetFields.hiddenMatchField(hiddenFieldId);
		const forms = key.map((value, index) => this.formsOf(value, index));
		const [firstForms = []] = forms;
		const found = firstForms.flatMap((form) => byForm.get(form) ?? []);
		const candidates = new Map(found.map((record) => [record.id, record]));
		const ids: string[] = [];
		for (const record of candidates.values()) {
			if (await this.matches(record, key)) ids.push(record.id);
		}
		const written = new Map(this.fieldIds.map((id, index) => [id, forms[index] ?? []]));
		for (const id of this.memory.find(written)) {
			if (!candidates.has(id) && (await this.matchesNow(id, key))) ids.push(id);
		}
		ids.sort((left, right) => Number(left) - Number(right));
		this.matchedIds.set(keyText(key), ids);
		return ids;
	}

	private async matches({ id, values }: FoundRecord, key: MatchKey): Promise<boolean> {
		const { memory } = this;
		const isOutdated = this.fieldIds.some((fieldId, index) => {
			const forms = memory.writtenForms(id, fieldId);
			return forms && !normalForms(values[index]).some((form) => forms.includes(form));
		});
		const isTrusted = !isOutdated && !memory.mayBeGone(id);
		return isTrusted ? await this.areSame(values, key) : await this.matchesNow(id, key);
	}

	/** Loads a record, and returns whether it matches a key. Deleted records are loaded, too, because a user may have restored them. */
	private async matchesNow(recordId: string, key: MatchKey): Promise<boolean> {
		const content = await this.contentNow(recordId);
		return content ? await this.areSame(this.valuesOf({ id: recordId, content }), key) : false;
	}

	/** Loads a record by a single read; undefined if it is gone for this user. Remembers either result. Throws ServiceError. */
	private async contentNow(recordId: string): Promise<JsonObject | undefined> {
		const content = await this.loader.loadNow(this.client, recordId);
		if (content) {
			this.memory.read(
				recordId,
				[...content].filter(([id]) => this.fieldIds.includes(id)),
			);
		} else {
			this.memory.deleted(recordId);
		}
		return content;
	}

	private async areSame(values: FoundRecord['values'], key: MatchKey): Promise<boolean> {
		const isDoubtful = (index: number) =>
			values[index] !== key[index] && mayBeEqual(values[index], [key[index] ?? ''].flat());
		// Load the kinds, because otherwise a second record might be created for the same number or date.
		if (this.fieldIds.some((_, index) => isDoubtful(index))) {
			this.kinds ??= (await this.sheetFields.load({ kinds: true })).kinds;
		}
		return this.fieldIds.every((fieldId, index) =>
			isMatch(this.kindOf(fieldId), values[index], key[index] ?? ''),
		);
	}

	/** Returns the normal forms that a record with the value, or with one of its choices, has in a field. */
	private formsOf(value: MatchValue, index: number): string[] {
		const kind = this.kindOf(this.fieldIds[index] ?? '');
		// A service or an earlier write may have stored several choices as one text.
		const joined = typeof value === 'string' ? [] : [value.join(','), value.join(', ')];
		return [...new Set([...textsToFind(kind, value), ...joined].flatMap(normalForms))];
	}

	private kindOf(fieldId: string): ValueKind {
		return kindIn(this.kinds, { fieldId });
	}

	/** Returns the keys in batches, by the text of each. */
	private *batched(): Steps<Map<string, readonly MatchKey[]>> {
		const lengths = new Map<MatchKey, number>();
		for (const key of [...this.keys.values()]) {
			yield;
			if (key.some(isEmptyMatchValue)) continue;
			lengths.set(key, this.conditions([key]).map(whereParameter).join('&').length + 1);
		}
		const lengthOf = (key: MatchKey) => lengths.get(key) ?? 0;
		const batches = batchesByLength(lengths.keys(), lengthOf, maxConditionsLength);
		return new Map(batches.flatMap((batch) => batch.map((key) => [keyText(key), batch])));
	}

	/** Looks a key up, together with the keys that follow it in its batch. */
	private async lookUp(key: MatchKey): Promise<LookUp> {
		// The other spellings of a value depend on the kind of its field.
		this.kinds ??= (await this.sheetFields.loadKindsIfKnown())?.kinds;
		const batches = await (this.batches ??= runCooperatively(this.batched(), maxBlockMilliseconds));
		const batch = batches.get(keyText(key)) ?? [key];
		const keys = batch.slice(batch.findIndex((batched) => keyText(batched) === keyText(key)));
		return await this.recordsFor(keys).catch(async (error: unknown) => {
			if (keys.length < 2 || !(error instanceof ServiceError)) throw error;
			const { kind, code } = error.details;
			const isRefused = kind === 'refused' && valueCodes.includes(code);
			if (!isRefused && kind !== 'rejected') throw error;
			// The service rejects one of the values, such as an invalid date. Look each key up by itself, so that only that one fails.
			for (const batched of keys) batches.delete(keyText(batched));
			return await this.lookUp(key);
		});
	}

	private async recordsFor(keys: readonly MatchKey[]): Promise<LookUp> {
		const found: FoundRecord[] = [];
		let hiddenFieldId: string | undefined;
		const request = {
			sheet: this.sheet,
			where: this.conditions(keys),
			reading: this.loader.reading,
		};
		for await (const page of listPages(this.client, request, recordsIn)) {
			for (const record of page) {
				const values = this.valuesOf(record);
				hiddenFieldId ??= this.fieldIds.find((fieldId, index) => {
					const value = values[index];
					// Stars that are looked up are a value, not a mask.
					const isLookedUp = keys.some((key) => key[index] === value);
					return value === undefined || (this.isMask(fieldId, value) && !isLookedUp);
				});
				found.push({ id: record.id, values });
				this.primedLoader?.prime(record);
			}
		}
		const lookUp = lookUpOf(found, hiddenFieldId);
		for (const key of keys) this.lookUps.set(keyText(key), lookUp);
		return lookUp;
	}

	/** Returns whether a value may be a mask. The mask of a field that is known to be masked may show a part of the value. */
	private isMask(fieldId: string, value: JsonValue): boolean {
		const isPart = typeof value === 'string' && value.includes('*');
		return isMasked(value) || (isPart && this.kindOf(fieldId).is('masked'));
	}

	private valuesOf({ content }: SheetRecord): FoundRecord['values'] {
		return this.fieldIds.map((fieldId) => content.get(fieldId));
	}

	/** Returns conditions that find the records of all keys, and possibly more (specification, filter rules 6 and 8). */
	private conditions(keys: readonly MatchKey[]): WhereCondition[] {
		return this.fieldIds.flatMap((fieldId, index) => {
			const kind = this.kindOf(fieldId);
			const texts = keys.flatMap((key) => textsToFind(kind, key[index] ?? ''));
			const values = new Set(texts.flatMap((text) => kind.filterSpellings(text)));
			return [...values].map((value) => ({ fieldId, operator: 'eq', value }));
		});
	}

	/** Returns a text that is the same for all keys with the same normal forms. */
	private lockName(key: MatchKey): string {
		const formsOf = (value: MatchValue = '') => [value].flat().flatMap(normalForms).sort();
		const values = this.fieldIds.map((id, index) => [id, formsOf(key[index])]).sort();
		return JSON.stringify([sheetKey(this.client, this.sheet), values]);
	}
}

function isRecent({ at }: LookUp): boolean {
	return performance.now() - at < maxRecentAgeMs;
}

/** Returns whether a write that failed with this error was certainly not carried out. */
function isCertain(error: unknown): boolean {
	if (error instanceof ServiceError) return !outcomeIsUnknown(error);
	return error instanceof InputError;
}

function lookUpOf(found: readonly FoundRecord[], hiddenFieldId?: string): LookUp {
	const byForm = new Map<string, FoundRecord[]>();
	for (const record of found) {
		for (const form of normalForms(record.values[0])) {
			getOrInsert(byForm, form, () => []).push(record);
		}
	}
	return { byForm, hiddenFieldId, at: performance.now() };
}

function keyText(key: MatchKey): string {
	return JSON.stringify(key);
}

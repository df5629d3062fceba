import type { Client } from '../http/client';
import { acquire } from '../http/waiting';
import { processCache } from '../http/processState';
import { ServiceError } from '../http/serviceError';
import { textDigest } from '../json/canonicalJson';
import type { JsonValue } from '../json/orderedJson';
import { listPages } from '../read/pages';
import { plainReadOptions, type ReadOptions } from '../read/readOptions';
import type { SheetRecord } from '../read/record';
import { getRecord, recordsIn } from '../read/records';
import type { StoredRecords } from '../read/recordsByIds';
import { whereParameter, type WhereCondition } from '../read/query';
import { InputError } from '../values/inputError';
import { batchesByLength } from '../values/query';
import { normalForm } from '../values/normalForm';
import { sheetPath, type SheetAddress } from '../values/sheetAddress';
import { isMasked } from '../values/text';
import type { SavedRecord } from './records';

/** The values to match on, one for each match field. */
export type MatchKey = readonly string[];

/** A key, or the match fields of a record, with all that they are compared by. */
interface Comparable {
	values: MatchKey;
	/** All values to the letter. */
	text: string;
	/** The normal forms of each value; a multiple selection has one for each choice, too. */
	forms: string[][];
}

type ComparableRecord = Comparable & { id: string };

/** Existing records that a key matches, by the text of the key. */
type ExistingRecords = ReadonlyMap<string, string[]>;

/** The ids of the records that were found or created last under a key; none when the outcome of a creation is unknown. */
const keyRecords = processCache<readonly string[]>('keyRecords');

/** Values are compared as they are stored: unmasked where the user may see them, rich text as its markup. */
const storedValues = plainReadOptions('EID', ['bbcode', true], ['ignoreMask', true]);

/** Servers and proxies on the way accept addresses of about 8,000 characters. */
const longestConditions = 7_000;

/**
 * Finds the existing records for many keys with few requests: a batch of keys is asked for when the first of them is
 * needed. Of the records in the answer, a key matches those with its values to the letter or, where there is none,
 * in normal form. A key that the answer leaves open is asked for alone. Records that any execution of this process
 * found or created count as well, since filters suffer from index lag.
 */
export class Matches {
	/** What the first look-up yields for a key, by its text: asked for once, when it is needed. */
	private readonly answers = new Map<string, () => Promise<string[]>>();
	private readonly reading: ReadOptions;

	/**
	 * @param keys all keys that will be asked for
	 * @param seen receives the records that look-ups return
	 */
	constructor(
		private readonly client: Client,
		private readonly sheet: SheetAddress,
		private readonly fieldIds: readonly string[],
		keys: readonly MatchKey[],
		private readonly seen?: StoredRecords,
	) {
		this.reading = seen?.reading ?? { ...storedValues, fields: fieldIds };
		for (const batch of keyBatches(fieldIds, keys)) {
			const together = once(async () => await this.lookUpBatch(batch));
			for (const key of batch) {
				const answer = async () => (await together()).get(keyText(key)) ?? (await this.ask(key));
				this.answers.set(keyText(key), once(answer));
			}
		}
	}

	/**
	 * Runs `work`, which looks a key up and then writes, under the key lock: no other execution of this process does
	 * so for a key of the same normal form. To avoid deadlocks, only one key may be locked at a time.
	 *
	 * @throws what `work` throws; the reason of the signal when the execution is cancelled while waiting
	 */
	async whileLocked<T>(key: MatchKey, work: () => Promise<T>): Promise<T> {
		const release = await acquire(this.lockName(key), this.client.signal);
		try {
			return await work();
		} finally {
			release();
		}
	}

	/**
	 * Returns the ids of the records that match a key, in the order of the service.
	 *
	 * @throws ServiceError; InputError when a value of the key is empty
	 */
	async recordIds(key: MatchKey): Promise<string[]> {
		const empty = this.fieldIds.find((_, index) => isEmptyText(key[index] ?? ''));
		if (empty !== undefined) {
			throw new InputError(
				`The field ${empty} to match on has no value in this item`,
				'Give each item a value for every field to match on.',
			);
		}
		const found = await (this.answers.get(keyText(key))?.() ?? this.ask(key));
		return this.remember(key, found.length > 0 ? found : await this.notIndexedYet(key));
	}

	/** Returns the same without a cache. */
	async recordIdsNow(key: MatchKey): Promise<string[]> {
		return this.remember(key, await this.ask(key));
	}

	/** Creates a record of the key, which all executions of this process find from then on. */
	async created(key: MatchKey, create: () => Promise<SavedRecord>): Promise<SavedRecord> {
		// Should this fail, a record may have been created all the same.
		keyRecords.set(this.lockName(key), []);
		const saved = await create();
		this.remember(key, [saved.recordId]);
		return saved;
	}

	/**
	 * Returns the records that this process knows for the key although a look-up did not find them: its answer is from
	 * before, the index lags, or the service distinguishes the spellings. Where a record is found by its own values,
	 * it is the latter, and the service decides.
	 */
	private async notIndexedYet(key: MatchKey): Promise<string[]> {
		const known = keyRecords.get(this.lockName(key));
		if (!known) return [];
		if (known.length === 0) return await this.ask(key);
		const wanted = comparable(key);
		const records: ComparableRecord[] = [];
		for (const recordId of known) {
			const record = await getRecord(this.client, { sheet: this.sheet, recordId }, this.reading);
			if (record) records.push(comparableRecord(record, this.fieldIds, [wanted]));
		}
		const [first, ...others] = bestMatches(records, wanted);
		if (!first) return [];
		const isOtherSpelling = first.text !== wanted.text;
		if (isOtherSpelling && (await this.ask(first.values)).includes(first.id)) {
			return await this.ask(key);
		}
		return [first, ...others].map(({ id }) => id);
	}

	/** Looks a batch up. A value that the service refuses, such as a date that is none, leaves all keys open. */
	private async lookUpBatch(keys: readonly MatchKey[]): Promise<ExistingRecords> {
		return await this.lookUp(keys).catch((error: unknown) => {
			if (keys.length > 1 && mayConcernOneValue(error)) return new Map<string, string[]>();
			throw error;
		});
	}

	private async ask(key: MatchKey): Promise<string[]> {
		return (await this.lookUp([key])).get(keyText(key)) ?? [];
	}

	/**
	 * Returns the existing records of the keys. A key stays open where records may have been found by the spelling of
	 * another one only.
	 */
	private async lookUp(keys: readonly MatchKey[]): Promise<ExistingRecords> {
		const wanted = keys.map((key) => comparable(key));
		const where = keyConditions(this.fieldIds, keys);
		const request = { sheet: this.sheet, where, reading: this.reading };
		const records: ComparableRecord[] = [];
		for await (const page of listPages(this.client, request, recordsIn)) {
			for (const record of page) {
				records.push(comparableRecord(record, this.fieldIds, wanted));
				this.seen?.see(record);
			}
		}
		const matches = wanted.map((key) => ({ key, best: bestMatches(records, key) }));
		return new Map(
			matches
				.filter(({ key, best }) => best.every((record) => isFoundBy(key, record, wanted)))
				.map(({ key, best }) => [key.text, best.map(({ id }) => id)]),
		);
	}

	private remember(key: MatchKey, ids: string[]): string[] {
		if (ids.length === 0) return ids;
		keyRecords.set(this.lockName(key), ids);
		this.answers.set(keyText(key), async () => ids);
		return ids;
	}

	/** The same text for all keys of one normal form, in all executions and for all users of the account. */
	private lockName(key: MatchKey): string {
		const { baseUrl, account } = this.client.connection;
		const values = this.fieldIds.map((id, index) => [id, normalForm(key[index] ?? '')]).sort();
		return textDigest(JSON.stringify([baseUrl, sheetPath(account, this.sheet), values]));
	}
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
	let result: Promise<T> | undefined;
	return async () => await (result ??= work());
}

/** Whether the service refuses a value, and not the sheet or the user (specification, "Errors"). */
function mayConcernOneValue(error: unknown): boolean {
	if (!(error instanceof ServiceError)) return false;
	const { kind, details } = error;
	return (
		kind === 'rejected' || (kind === 'refused' && [undefined, 201, 202].includes(details.code))
	);
}

function keyText(key: MatchKey): string {
	return JSON.stringify(key);
}

/** Whether the service would find all records whose field is empty: it ignores blanks. */
function isEmptyText(text: string): boolean {
	return text.trim() === '';
}

function comparable(values: MatchKey): Comparable {
	return { values, text: keyText(values), forms: values.map((value) => [normalForm(value)]) };
}

/**
 * Returns the match fields of a record.
 *
 * @param keys those that were asked for: their values are no masks, even when they are stars
 * @throws InputError when a field is masked or missing
 */
function comparableRecord(
	{ id, content }: SheetRecord,
	fieldIds: readonly string[],
	keys: readonly Comparable[],
): ComparableRecord {
	const contents = fieldIds.map((fieldId) => content.get(fieldId));
	const values = contents.map(valueText);
	const isHidden = (value: string, index: number) =>
		contents[index] === undefined ||
		(isMasked(value) && !keys.some((key) => key.values[index] === value));
	const hidden = values.findIndex(isHidden);
	if (hidden < 0) return { id, values, text: keyText(values), forms: contents.map(normalForms) };
	throw new InputError(
		`The service does not show the field ${fieldIds[hidden]} to this user, so nobody knows which records match`,
		'Match on another field, or use a credential whose user may see this one.',
	);
}

function valueText(value: JsonValue | undefined): string {
	if (Array.isArray(value) && value.length === 1) return valueText(value[0]);
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

function normalForms(value: JsonValue | undefined): string[] {
	const choices = Array.isArray(value) ? value : [];
	return [value, ...choices].map((one) => normalForm(valueText(one)));
}

/** Returns the records with the values of the key; where there is none, those with its normal forms. */
function bestMatches(records: readonly ComparableRecord[], key: Comparable): ComparableRecord[] {
	const exact = records.filter(({ text }) => text === key.text);
	if (exact.length > 0) return exact;
	return records.filter(({ forms }) => forms.every((own, index) => isAlike(own, key, index)));
}

function isAlike(forms: readonly string[], key: Comparable, index: number): boolean {
	return key.forms[index]?.some((form) => forms.includes(form)) === true;
}

/** Whether the key found one of its best matches, and not another one with a different spelling of its values. */
function isFoundBy(key: Comparable, record: Comparable, keys: readonly Comparable[]): boolean {
	return record.forms.every((forms, index) => {
		const own = key.values[index];
		const isOther = (other: Comparable) =>
			other.values[index] !== own && isAlike(forms, other, index);
		return record.values[index] === own || !keys.some(isOther);
	});
}

/** Returns the different keys without empty values, in batches whose conditions fit into one address. */
function keyBatches(fieldIds: readonly string[], keys: readonly MatchKey[]): MatchKey[][] {
	const different = new Map(keys.map((key) => [keyText(key), key]));
	const filled = [...different.values()].filter((key) => !key.some(isEmptyText));
	const lengthOf = (key: MatchKey) =>
		keyConditions(fieldIds, [key]).map(whereParameter).join('&').length + 1;
	return batchesByLength(filled, lengthOf, longestConditions);
}

/**
 * Returns conditions that find the records of all the keys, and maybe more: the service combines several `eq` on one
 * field with OR, and different fields with AND (specification, filter rules 6 and 8).
 */
function keyConditions(fieldIds: readonly string[], keys: readonly MatchKey[]): WhereCondition[] {
	return fieldIds.flatMap((fieldId, index) => {
		const values = new Set(keys.map((key) => key[index] ?? ''));
		return [...values].map((value) => ({ fieldId, operator: 'eq', value }));
	});
}

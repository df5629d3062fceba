import { textDigest } from '../json/digest';
import {
	bestMatches,
	comparedKey,
	comparedRecord,
	keyBatches,
	keyConditions,
	keyText,
	requireValues,
	settledMatches,
} from './matchKey';
import type { ComparedRecord, MatchKey, SettledMatches } from './matchKey';
import { normalForm } from '../values/normalForm';
import { ServiceError } from '../http/serviceError';
import { sheetPath, type SheetAddress } from '../values/sheetAddress';
import type { Client } from '../http/client';
import { knownRecords, rememberRecords, whileHeld } from './keyLock';
import { listPages } from '../read/pages';
import { plainReading, type Reading } from '../read/readOptions';
import { getRecord } from '../read/records';
import { type SavedRecord } from './records';
import type { StoredRecords } from '../read/storedRecords';

/** Codes with which the service refuses a value, and not the sheet or the user (specification, "Errors"). */
const codesOfValues: ReadonlySet<number | undefined> = new Set([undefined, 201, 202]);

/** Values are compared as they are stored: unmasked where the user may see them, rich text as its markup. */
const lookUpReading = plainReading('EID', ['bbcode', true], ['ignoreMask', true]);

/**
 * The existing records for many keys, with few requests. A batch of keys is asked for with one look-up when
 * the first of them is wanted. Of the records in its answer, those match a key that hold its values to the
 * letter or, where none does, by their normal form. A key that this leaves open is asked for alone. What was
 * found or created is known to all executions of this process, as the filters may not find it yet.
 */
export class Matches {
	/** What the first look-up tells of a key, by its text; made when it is wanted, and once. */
	private readonly answers = new Map<string, () => Promise<string[]>>();
	private readonly reading: Reading;

	/**
	 * @param keys every key that will be asked for
	 * @param seen takes in what look-ups bring along
	 */
	constructor(
		private readonly client: Client,
		private readonly sheet: SheetAddress,
		private readonly fieldIds: readonly string[],
		keys: readonly MatchKey[],
		private readonly seen?: StoredRecords,
	) {
		this.reading = seen?.reading ?? { ...lookUpReading, fields: fieldIds };
		for (const batch of keyBatches(fieldIds, keys)) {
			const together = once(async () => await this.lookUpTogether(batch));
			for (const key of batch) {
				const found = async () => (await together()).get(keyText(key)) ?? (await this.ask(key));
				this.answers.set(keyText(key), once(found));
			}
		}
	}

	/**
	 * Runs what looks a key up and then writes, while no other execution of this process does so for a key of
	 * the same normal form. Only one key at a time is to be held, lest two executions wait for each other.
	 *
	 * @throws what `work` throws; the reason of the signal when the execution is cancelled while waiting
	 */
	async whileHeld<T>(key: MatchKey, work: () => Promise<T>): Promise<T> {
		return await whileHeld(this.nameOf(key), this.client.signal, work);
	}

	/**
	 * The ids of the records that match a key, in the order of the service. Those count as well that were found
	 * or created since by any execution of this process, although the filters may not find them yet.
	 *
	 * @throws ServiceError; InputError when a value of the key is empty
	 */
	async recordIds(key: MatchKey): Promise<string[]> {
		requireValues(this.fieldIds, key);
		const found = await (this.answers.get(keyText(key))?.() ?? this.ask(key));
		return this.remembered(key, found.length > 0 ? found : await this.knownButNotFound(key));
	}

	/** As `recordIds`, asked for this very moment. Throws ServiceError. */
	async recordIdsNow(key: MatchKey): Promise<string[]> {
		return this.remembered(key, await this.ask(key));
	}

	/** Creates a record of the key; from then on it is known to all executions of this process. */
	async created(key: MatchKey, create: () => Promise<SavedRecord>): Promise<SavedRecord> {
		// Should this fail, a record may have been created all the same.
		rememberRecords(this.nameOf(key), []);
		const saved = await create();
		this.remembered(key, [saved.recordId]);
		return saved;
	}

	/**
	 * Records known to this process that a look-up did not find: its answer is from before, the filters lag, or
	 * the service tells the spellings apart. Where they are found by their own values, the service's word counts.
	 */
	private async knownButNotFound(key: MatchKey): Promise<string[]> {
		const known = knownRecords(this.nameOf(key));
		if (!known) return [];
		if (known.length === 0) return await this.ask(key);
		const wanted = comparedKey(key);
		const records: ComparedRecord[] = [];
		for (const recordId of known) {
			const record = await getRecord(this.client, { sheet: this.sheet, recordId }, this.reading);
			if (record) records.push(comparedRecord(record, this.fieldIds, [wanted]));
		}
		const best = bestMatches(records, wanted);
		const ids = best.map(({ id }) => id);
		const [first] = best;
		if (!first || first.text === wanted.text) return ids;
		const asked = await this.ask(key);
		if (asked.length > 0) return asked;
		const isIndexed = (await this.ask(first.values)).includes(first.id);
		// Between the two questions the filters may have caught up.
		return isIndexed ? await this.ask(key) : ids;
	}

	/** As `lookUp`, but one value that the service does not take, such as a date that is none, leaves all keys open. */
	private async lookUpTogether(keys: readonly MatchKey[]): Promise<SettledMatches> {
		return await this.lookUp(keys).catch((error: unknown) => {
			if (keys.length > 1 && mayConcernOneValue(error)) return new Map<string, string[]>();
			throw error;
		});
	}

	private async ask(key: MatchKey): Promise<string[]> {
		return (await this.lookUp([key])).get(keyText(key)) ?? [];
	}

	/** The ids for each key that the answer settles: for a key asked for alone it always does. */
	private async lookUp(keys: readonly MatchKey[]): Promise<SettledMatches> {
		const compared = keys.map(comparedKey);
		const where = keyConditions(this.fieldIds, keys);
		const request = { sheet: this.sheet, where, reading: this.reading };
		const records: ComparedRecord[] = [];
		for await (const page of listPages(this.client, request, Infinity, 0)) {
			for (const record of page) {
				records.push(comparedRecord(record, this.fieldIds, compared));
				this.seen?.see(record);
			}
		}
		return settledMatches(records, compared);
	}

	private remembered(key: MatchKey, ids: string[]): string[] {
		if (ids.length === 0) return ids;
		rememberRecords(this.nameOf(key), ids);
		this.answers.set(keyText(key), async () => ids);
		return ids;
	}

	/** The name of all keys that are alike, for all executions and users of the account. */
	private nameOf(key: MatchKey): string {
		const { baseUrl, account } = this.client.connection;
		const values = this.fieldIds.map((id, index) => [id, normalForm(key[index] ?? '')]).sort();
		return textDigest(JSON.stringify([baseUrl, sheetPath(account, this.sheet), values]));
	}
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
	let result: Promise<T> | undefined;
	return async () => await (result ??= work());
}

function mayConcernOneValue(error: unknown): boolean {
	if (!(error instanceof ServiceError)) return false;
	const { kind, details } = error;
	return kind === 'rejected' || (kind === 'refused' && codesOfValues.has(details.code));
}

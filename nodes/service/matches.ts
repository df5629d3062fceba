import { createHash } from 'node:crypto';
import {
	bestMatches,
	comparedKey,
	comparedRecord,
	isEmptyValue,
	isFoundBy,
	keyText,
} from '../wire/matchKey';
import type { ComparedKey, ComparedRecord, MatchKey } from '../wire/matchKey';
import { normalForm } from '../wire/normalForm';
import { InputError } from '../wire/inputError';
import { ServiceError } from '../wire/serviceError';
import { sheetPath } from '../wire/sheetAddress';
import type { SheetAddress } from '../wire/sheetAddress';
import { whereParameter } from '../wire/where';
import type { WhereCondition } from '../wire/where';
import type { Client } from './client';
import { knownRecords, rememberRecords, whileHeld } from './heldKeys';
import { listPages } from './pages';
import { plainReading } from './reading';
import { getRecord } from './records';
import type { SavedRecord } from './records';

/** Keys that are asked for together, and the ids that were found for each that the answer tells about. */
interface Batch {
	keys: readonly MatchKey[];
	found?: Promise<Map<string, string[]>>;
}

/** Servers and proxies on the way accept addresses of about 8,000 characters. */
const longestConditions = 7_000;
/** Codes with which the service refuses a value, and not the sheet or the user (specification, "Errors"). */
const codesOfValues: ReadonlySet<number | undefined> = new Set([undefined, 201, 202]);
/** Values are compared as they are stored: unmasked where the user may see them, rich text as its markup. */
const lookUpReading = plainReading('EID', ['bbcode', true], ['ignoreMask', true]);

/**
 * Finds existing records for many keys with few requests: the service combines several `eq` on one
 * field with OR, and different fields with AND (specification, filter rules 6 and 8). A batch is asked
 * for when the first of its keys is; a key that its answer does not settle is asked for alone.
 *
 * A record matches that the service has found for the key, and that holds its values: to the letter, or, where
 * none does, by their normal form.
 */
export class Matches {
	private readonly batches = new Map<string, Batch>();

	/** @param keys every key that will be asked for */
	constructor(
		private readonly client: Client,
		private readonly sheet: SheetAddress,
		private readonly fieldIds: readonly string[],
		keys: readonly MatchKey[],
	) {
		for (const batch of this.packed(keys)) {
			const shared: Batch = { keys: batch };
			for (const key of batch) this.batches.set(keyText(key), shared);
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
	 * @throws ServiceError; of kind `input` when a value of the key is empty, or of blanks, which the service
	 *   takes for empty: it would match every record whose field is empty
	 */
	async recordIds(key: MatchKey): Promise<string[]> {
		this.requireValues(key);
		const found = await this.found(key);
		return this.remembered(key, found.length > 0 ? found : await this.knownButNotFound(key));
	}

	/**
	 * As `recordIds`, asked for this very moment.
	 *
	 * @throws ServiceError
	 */
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

	/** What the batch of the key tells, or its own look-up where the batch does not settle it. */
	private async found(key: MatchKey): Promise<string[]> {
		const text = keyText(key);
		const batch = this.batches.get(text) ?? { keys: [key] };
		this.batches.set(text, batch);
		batch.found ??= this.lookUp(batch.keys);
		const ids = (await batch.found).get(text);
		if (ids) return ids;
		this.batches.set(text, { keys: [key] });
		return await this.found(key);
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
		for (const id of known) {
			const record = await getRecord(
				this.client,
				{ sheet: this.sheet, recordId: id },
				lookUpReading,
			);
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

	private async ask(key: MatchKey): Promise<string[]> {
		return (await this.lookUp([key])).get(keyText(key)) ?? [];
	}

	private remembered(key: MatchKey, ids: string[]): string[] {
		if (ids.length === 0) return ids;
		rememberRecords(this.nameOf(key), ids);
		const text = keyText(key);
		this.batches.set(text, { keys: [key], found: Promise.resolve(new Map([[text, ids]])) });
		return ids;
	}

	/** The ids for each key that the answer settles: for a key asked for alone it always does. */
	private async lookUp(batch: readonly MatchKey[]): Promise<Map<string, string[]>> {
		const keys = batch.map(comparedKey);
		const ids = new Map<string, string[]>();
		const records = await this.read(keys).catch((error: unknown) => {
			// One value that the service does not take, such as a date that is none, must not fail the others.
			if (keys.length > 1 && mayConcernOneValue(error)) return undefined;
			throw error;
		});
		if (!records) return ids;
		for (const key of keys) {
			const best = bestMatches(records, key);
			if (best.every((record) => isFoundBy(key, record, keys))) {
				ids.set(
					key.text,
					best.map(({ id }) => id),
				);
			}
		}
		return ids;
	}

	private async read(keys: readonly ComparedKey[]): Promise<ComparedRecord[]> {
		const where = this.conditions(keys.map(({ values }) => values));
		const request = { sheet: this.sheet, where, reading: lookUpReading };
		const records: ComparedRecord[] = [];
		for await (const page of listPages(this.client, request, Infinity, 0)) {
			for (const record of page) records.push(comparedRecord(record, this.fieldIds, keys));
		}
		return records;
	}

	/** Batches of different keys whose conditions fit into one address. */
	private packed(keys: readonly MatchKey[]): MatchKey[][] {
		const batches: MatchKey[][] = [];
		const packed = new Set<string>();
		let room = 0;
		for (const key of keys) {
			if (packed.has(keyText(key)) || key.some(isEmptyValue)) continue;
			packed.add(keyText(key));
			const length = this.conditions([key]).map(whereParameter).join('&').length + 1;
			if (length > room) {
				batches.push([]);
				room = longestConditions;
			}
			batches[batches.length - 1]?.push(key);
			room -= length;
		}
		return batches;
	}

	private conditions(keys: readonly MatchKey[]): WhereCondition[] {
		return this.fieldIds.flatMap((fieldId, index) =>
			[...new Set(keys.map((key) => key[index] ?? ''))].map((value) => ({
				fieldId,
				operator: 'eq',
				value,
			})),
		);
	}

	private requireValues(key: MatchKey): void {
		const empty = this.fieldIds.find((_, index) => isEmptyValue(key[index] ?? ''));
		if (empty === undefined) return;
		throw new InputError(
			`The field ${empty} to match on has no value in this item`,
			'Give each item a value for every field to match on.',
		);
	}

	/** The name of all keys that are alike, for all executions and users of the account. */
	private nameOf(key: MatchKey): string {
		const { baseUrl, account } = this.client.connection;
		const values = this.fieldIds.map((id, index) => [id, normalForm(key[index] ?? '')]).sort();
		return createHash('sha256')
			.update(JSON.stringify([baseUrl, sheetPath(account, this.sheet), values]))
			.digest('base64');
	}
}

function mayConcernOneValue(error: unknown): boolean {
	if (!(error instanceof ServiceError)) return false;
	const { kind, details } = error;
	return kind === 'rejected' || (kind === 'refused' && codesOfValues.has(details.code));
}

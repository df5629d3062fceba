import type { Client } from '../http/client';
import { CachePart } from '../http/runCache';
import { ServiceError, fallbackTo } from '../http/serviceError';
import { getOrInsert } from '../json/objects';
import type { JsonObject } from '../json/orderedJson';
import { formatSheetPath, wholeNumberText } from '../values/sheetAddress';
import type { RecordAddress, SheetAddress } from '../values/sheetAddress';
import { recordMemory, type RecordMemory } from './memory/recordMemory';
import type { Freshness, LoadedRecords } from './memory/loadedRecords';
import { listPages } from './pages';
import { plainReadOptions, readOptionsBy, type ReadOptions } from './readOptions';
import type { SheetRecord } from './record';
import { getRecord, idsIn, lastChangedFirst, listPage, recordsAs, recordsIn } from './records';
import type { ListRequest } from './records';

/** Result of reading a record: its content, no such record, or the reason of a failure. */
export type ReadOutcome =
	| { kind: 'content'; content: JsonObject }
	| { kind: 'gone' }
	| { kind: 'unreadable'; reason: string };

/** Maximum number of single reads for one delivery. */
const maxDeliveryReads = 50;
const tooMany = `Not read: of a delivery, at most ${maxDeliveryReads} records are read one by one`;
/** Maximum number of missing records to read one by one. If a whole list lacks more, as many misses prove that all are gone. */
const maxSingleReads = 10;
/** Number of failed reads after which the remaining records of a delivery are not read. */
const maxFailedReads = 3;
/** Number of records that a list returns in the time of a single read. */
const listedPerRead = 100;

/**
 * Fetches the records of a delivery. Returns an outcome for each record ID. Contents have field IDs as keys. The API has no filter
 * by record ID (specification, "Filter rules"), so a large number of records is searched in the list of records. After a
 * deletion, only the existence of the records counts: contents may be empty. After any other event, all outcomes are
 * `unreadable` if no record is found and the service lists no other record either, because it may be faulty.
 */
export async function fetchDeliveredRecords(
	client: Client,
	sheet: SheetAddress,
	recordIds: readonly string[],
	isDeletion = false,
): Promise<ReadonlyMap<string, ReadOutcome>> {
	const request = isDeletion
		? { sheet, where: [], reading: plainReadOptions('EID', ['listing', true]) }
		: { sheet, where: [], reading: readOptionsBy('EID'), order: [lastChangedFirst] };
	const { found, isWhole } = await fetchListed(client, request, recordIds, isDeletion);
	const outcomes = new Map<string, ReadOutcome>();
	for (const { id, content } of found) outcomes.set(id, { kind: 'content', content });
	const reads = new DeliveryReads(client, sheet, isWhole);
	for (const recordId of recordIds.filter((id) => !outcomes.has(id))) {
		outcomes.set(recordId, await reads.read(recordId));
	}
	const isAnyFound = [...outcomes.values()].some(({ kind }) => kind === 'content');
	if (isDeletion || isAnyFound || reads.missedCount === 0) return outcomes;
	const anyRecord = { sheet, where: [], reading: plainReadOptions('EID') };
	const page = listPage(client, anyRecord, { offset: 0, limit: 1 }, idsIn);
	if ((await page.catch(fallbackTo([]))).length > 0) return outcomes;
	const silence: ReadOutcome = { kind: 'unreadable', reason: 'The service found no record at all' };
	return new Map(recordIds.map((id) => [id, silence]));
}

/**
 * Single reads of the records of a delivery. After `maxFailedReads` failures or `maxDeliveryReads` reads, the others are reported
 * as unreadable. If the whole list lacks them and `maxSingleReads` reads found none, they are reported as gone.
 */
class DeliveryReads {
	missedCount = 0;
	private count = 0;
	private readonly failures: string[] = [];

	/** @param isWholeListRead whether the whole list was read, so that it lacks these records */
	constructor(
		private readonly client: Client,
		private readonly sheet: SheetAddress,
		private readonly isWholeListRead: boolean,
	) {}

	async read(recordId: string): Promise<ReadOutcome> {
		const areAllMissed = this.missedCount === this.count && this.count >= maxSingleReads;
		if (this.isWholeListRead && areAllMissed) return { kind: 'gone' };
		if (this.failures.length >= maxFailedReads || this.count >= maxDeliveryReads) {
			return { kind: 'unreadable', reason: this.failures[0] ?? tooMany };
		}
		const address = { sheet: this.sheet, recordId };
		const outcome = await fetchSingle(this.client, address, readOptionsBy('EID'));
		this.count++;
		if (outcome.kind === 'gone') this.missedCount++;
		if (outcome.kind === 'unreadable') this.failures.push(outcome.reason);
		return outcome;
	}
}

/** Returns `count` of the values, evenly distributed over the list. */
export function evenSample<T>(values: readonly T[], count: number): T[] {
	const step = Math.max(1, values.length / count);
	return values.filter((_, index) => Math.floor(index % step) === 0).slice(0, count);
}

const withoutContent = recordsAs((id): SheetRecord => ({ id, content: new Map() }));

/**
 * Searches records in a list while more than `maxSingleReads` are missing. Reads at most `listedPerRead` list entries per record,
 * or the whole list without contents if `areIdsEnough`. Returns the records found, and whether the whole list was read. A
 * ServiceError only ends the list, because the caller reads missing records one by one.
 */
async function fetchListed(
	client: Client,
	request: ListRequest,
	recordIds: readonly string[],
	areIdsEnough = false,
): Promise<{ found: SheetRecord[]; isWhole: boolean }> {
	const missing = new Set(recordIds);
	const found: SheetRecord[] = [];
	const read = async () => {
		if (missing.size <= maxSingleReads) return false;
		const limit = areIdsEnough ? Infinity : listedPerRead * missing.size;
		const decode = areIdsEnough ? withoutContent : recordsIn;
		let listed = 0;
		for await (const page of listPages(client, request, decode, { limit })) {
			for (const record of page) if (missing.delete(record.id)) found.push(record);
			listed += page.length;
			if (missing.size <= maxSingleReads) return false;
		}
		return listed < limit;
	};
	const isWhole = await read().catch(fallbackTo(false));
	return { found, isWhole };
}

async function fetchSingle(
	client: Client,
	address: RecordAddress,
	reading: ReadOptions,
): Promise<ReadOutcome> {
	if (wholeNumberText(address.recordId) === undefined) return { kind: 'gone' };
	const record = await getRecord(client, address, reading).catch((error: unknown) => {
		if (error instanceof ServiceError) return error;
		throw error;
	});
	if (record instanceof ServiceError) return { kind: 'unreadable', reason: record.message };
	return record ? { kind: 'content', content: record.content } : { kind: 'gone' };
}

/** Loads records of a sheet by ID for one run, and keeps them. Many enqueued records are loaded together by list pages (the pattern of DataLoader). */
export class RecordLoader {
	private readonly loaded: LoadedRecords;
	/** Record ID → number of loads to come. */
	private readonly queue = new Map<string, number>();
	/** Records that the last list did not return. */
	private readonly unlisted = new Set<string>();
	private readonly fieldIds = new Set<string>();
	private needsWholeRecords = false;

	/** @param memory memory of the sheet's records */
	constructor(
		memory: RecordMemory,
		private readonly sheet: SheetAddress,
		readonly options: ReadOptions,
	) {
		this.loaded = memory.contents();
	}

	/** The options of all reads, with the fields that are needed. */
	get reading(): ReadOptions {
		const { fields = [] } = this.options;
		const needed = this.needsWholeRecords ? [] : [...fields, ...this.fieldIds];
		return { ...this.options, fields: needed };
	}

	/** Announces one load of each record. If more than `maxSingleReads` are enqueued, the first load reads them by list pages. */
	enqueue(...recordIds: readonly string[]): this {
		for (const id of recordIds) this.queue.set(id, (this.queue.get(id) ?? 0) + 1);
		return this;
	}

	/** Adds fields to load. Without any, whole records are loaded. Must be called before the first load. */
	needFields(fieldIds: Iterable<string>): this {
		for (const id of fieldIds) this.fieldIds.add(id);
		return this;
	}

	/** Reads records as a whole, also if `needFields` is called. Call it before the first load. */
	needWholeRecords(): this {
		this.needsWholeRecords = true;
		return this;
	}

	isEnqueued(recordId: string): boolean {
		return this.queue.has(recordId);
	}

	/** Keeps a record of a list that was read elsewhere with the same options. It is ignored if the run has written the record. */
	prime({ id, content }: SheetRecord): void {
		this.loaded.addListed(id, content);
	}

	/** Returns whether lists may be used for a record. They are not used for a record that the run has written. */
	mayBeListed(recordId: string): boolean {
		return this.loaded.mayBeListed(recordId);
	}

	/** Returns whether a record is not kept, or not as fresh as required. */
	isExpired(recordId: string, required: Freshness = 'current'): boolean {
		return this.loaded.get(recordId, required) === undefined;
	}

	/** Returns a record's content: kept if fresh enough, or loaded (see `enqueue`); undefined if missing. Throws ServiceError. */
	async load(
		client: Client,
		recordId: string,
		required: Freshness = 'any',
	): Promise<JsonObject | undefined> {
		const isListed = (id: string) =>
			this.isExpired(id, required) && !this.unlisted.has(id) && this.mayBeListed(id);
		if (isListed(recordId)) {
			const recordIds = [...new Set([recordId, ...this.queue.keys()])].filter(isListed);
			await this.loadByList(client, recordIds);
		}
		this.dequeue(recordId);
		return this.loaded.get(recordId, required) ?? (await this.loadNow(client, recordId));
	}

	/** Loads a record by a single read, and returns its content; undefined if it does not exist. Throws ServiceError. */
	async loadNow(client: Client, recordId: string): Promise<JsonObject | undefined> {
		const record = await getRecord(client, { sheet: this.sheet, recordId }, this.reading);
		if (record) this.loaded.add(record.id, record.content);
		else this.loaded.drop(recordId);
		return record?.content;
	}

	/** Returns the content of an enqueued record, as `load` does. Drops it unless another load of it is enqueued. */
	async loadAndDrop(
		client: Client,
		recordId: string,
		required?: Freshness,
	): Promise<JsonObject | undefined> {
		const content = await this.load(client, recordId, required);
		this.release(recordId);
		return content;
	}

	/** Drops the content of a record unless a load of it is enqueued. Call it when an item has its output. */
	release(recordId: string): void {
		if (!this.queue.has(recordId)) this.loaded.drop(recordId);
	}

	private async loadByList(client: Client, recordIds: readonly string[]): Promise<void> {
		const { sheet, reading } = this;
		const request = { sheet, where: [], reading, order: [lastChangedFirst] };
		const { found } = await fetchListed(client, request, recordIds);
		for (const id of recordIds) this.unlisted.add(id);
		for (const record of found) {
			this.unlisted.delete(record.id);
			this.prime(record);
		}
	}

	private dequeue(recordId: string): void {
		const remaining = (this.queue.get(recordId) ?? 1) - 1;
		if (remaining > 0) this.queue.set(recordId, remaining);
		else this.queue.delete(recordId);
	}
}

const loadersOfRun = new CachePart<RecordLoader>();

/** Returns the run's loader of a sheet's records with these read options. */
export function recordLoader(
	client: Client,
	sheet: SheetAddress,
	options: ReadOptions,
): RecordLoader {
	const name = JSON.stringify([formatSheetPath(sheet), options]);
	const make = () => new RecordLoader(recordMemory(client, sheet), sheet, options);
	return getOrInsert(client.cache.part(loadersOfRun), name, make);
}

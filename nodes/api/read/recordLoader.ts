import type { Client } from '../http/client';
import { CachePart } from '../http/runCache';
import { ServiceError, fallbackTo } from '../http/serviceError';
import { getOrInsert } from '../json/objects';
import type { JsonObject } from '../json/orderedJson';
import { formatSheetPath, wholeNumberText } from '../values/sheetAddress';
import type { RecordAddress, SheetAddress } from '../values/sheetAddress';
import { listPages } from './pages';
import { plainReadOptions, readOptionsBy, type ReadOptions } from './readOptions';
import type { SheetRecord } from './record';
import { getRecord, idsIn, lastChangedFirst, listPage, recordsAs, recordsIn } from './records';
import type { ListRequest } from './records';

/** What came of reading a record: its content, no such record, or the reason of a failure. */
export type ReadOutcome =
	| { kind: 'content'; content: JsonObject }
	| { kind: 'gone' }
	| { kind: 'unreadable'; reason: string };

/** However many records a delivery names, no more of them are read one by one. */
const mostReads = 50;
const tooMany = `Not read: of a delivery, at most ${mostReads} records are read one by one`;
/** Up to so many records are read one by one, which gives their current content. */
const mostSingleReads = 10;
/** After so many failures the service is not asked for the others. */
const mostFailures = 3;
/** A list returns so many records in the time of a single read. */
export const listedForRead = 100;

/**
 * Reads the records of a delivery by field ids. The API has no filter on record ids (specification, "Filter rules"):
 * many are looked for in the list, of which the ids alone show what is gone after a deletion.
 */
export async function readRecords(
	client: Client,
	sheet: SheetAddress,
	recordIds: readonly string[],
	isDeletion = false,
): Promise<ReadonlyMap<string, ReadOutcome>> {
	const reading = readOptionsBy('EID');
	const request = isDeletion
		? { sheet, where: [], reading: plainReadOptions('EID', ['listing', true]) }
		: { sheet, where: [], reading, order: [lastChangedFirst] };
	const { found, isWhole } = await readListed(client, request, recordIds, isDeletion);
	const outcomes = new Map<string, ReadOutcome>();
	for (const { id, content } of found) outcomes.set(id, { kind: 'content', content });
	const failures: string[] = [];
	let [reads, missed] = [0, 0];
	for (const recordId of recordIds.filter((id) => !outcomes.has(id))) {
		// What neither the whole list has nor single reads find.
		if (isWhole && missed === reads && reads >= mostSingleReads) {
			outcomes.set(recordId, { kind: 'gone' });
		} else if (failures.length >= mostFailures || reads >= mostReads) {
			outcomes.set(recordId, { kind: 'unreadable', reason: failures[0] ?? tooMany });
		} else {
			const outcome = await single(client, { sheet, recordId }, reading);
			reads++;
			if (outcome.kind === 'gone') missed++;
			if (outcome.kind === 'unreadable') failures.push(outcome.reason);
			outcomes.set(recordId, outcome);
		}
	}
	const isAnyFound = [...outcomes.values()].some(({ kind }) => kind === 'content');
	if (isDeletion || isAnyFound || missed === 0) return outcomes;
	// A service that finds nothing may be in trouble.
	const any = { sheet, where: [], reading: plainReadOptions('EID') };
	const page = listPage(client, any, { offset: 0, limit: 1 }, idsIn);
	if ((await page.catch(fallbackTo([]))).length > 0) return outcomes;
	const silence: ReadOutcome = { kind: 'unreadable', reason: 'The service found no record at all' };
	return new Map(recordIds.map((id) => [id, silence]));
}

/** Returns so many of the values, from all over the list. */
export function spread<T>(values: readonly T[], count: number): T[] {
	const step = Math.max(1, values.length / count);
	return values.filter((_, index) => Math.floor(index % step) === 0).slice(0, count);
}

const withoutContent = recordsAs((id): SheetRecord => ({ id, content: new Map() }));

/**
 * Returns those of many records that a list returns with fewer requests than single reads, or their ids alone, and
 * whether the whole list was read. Never fails: what the list lacks, single reads return.
 */
async function readListed(
	client: Client,
	request: ListRequest,
	recordIds: readonly string[],
	areIdsEnough = false,
): Promise<{ found: SheetRecord[]; isWhole: boolean }> {
	const open = new Set(recordIds);
	const found: SheetRecord[] = [];
	const read = async () => {
		if (open.size <= mostSingleReads) return false;
		const most = areIdsEnough ? Infinity : listedForRead * open.size;
		const decode = areIdsEnough ? withoutContent : recordsIn;
		let listed = 0;
		for await (const page of listPages(client, request, decode, most)) {
			for (const record of page) if (open.delete(record.id)) found.push(record);
			listed += page.length;
			if (open.size <= mostSingleReads) return false;
		}
		return listed < most;
	};
	const isWhole = await read().catch(fallbackTo(false));
	return { found, isWhole };
}

async function single(
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

/** What was read longer ago, in milliseconds, may have changed. */
export const longestFresh = 60_000;

/** Caches the records of a sheet for a run, as last read in one form. */
export class RecordsByIds {
	/** With the time of the read, and how many writes of the run came before. */
	private readonly contents = new Map<
		string,
		{ content: JsonObject; at: number; writes: number }
	>();
	private readonly written = new Set<string>();
	private writes = 0;
	/** How often `content` will still be called for each. */
	private readonly expected = new Map<string, number>();
	/** Those that the list did not return. */
	private readonly unlisted = new Set<string>();

	constructor(
		private readonly sheet: SheetAddress,
		readonly reading: ReadOptions,
	) {}

	/** Adds records that `content` will be called for: they are read together. */
	expect(...recordIds: readonly string[]): this {
		for (const id of recordIds) this.expected.set(id, (this.expected.get(id) ?? 0) + 1);
		return this;
	}

	isExpected(recordId: string): boolean {
		return this.expected.has(recordId);
	}

	/** Caches a record of a list, which may be older than a write of the run, or a single one. */
	see({ id, content }: SheetRecord, isSingle = false): void {
		if (this.written.has(id) && !isSingle) return;
		this.contents.set(id, { content, at: performance.now(), writes: this.writes });
	}

	/** Must be called when a record was written, or may have been: others may change with it. */
	forget(recordId: string): void {
		this.contents.delete(recordId);
		this.written.add(recordId);
		this.writes++;
	}

	/** Whether a record was read within a minute, and since the last write of the run. */
	isFresh(recordId: string): boolean {
		const isCurrent = this.contents.get(recordId)?.writes === this.writes;
		return isCurrent && !this.isOutdated(recordId);
	}

	/** Whether a record was read, but longer ago than a minute. */
	isOutdated(recordId: string): boolean {
		const { at = Infinity } = this.contents.get(recordId) ?? {};
		return performance.now() - at >= longestFresh;
	}

	/**
	 * Returns the content of a record; undefined when there is none. It is read, other expected ones with it, unless it is
	 * cached, and fresh where that matters. Throws ServiceError.
	 */
	async content(
		client: Client,
		recordId: string,
		mustBeFresh = false,
	): Promise<JsonObject | undefined> {
		const { sheet, reading } = this;
		const isKnown = (id: string) => (mustBeFresh ? this.isFresh(id) : this.contents.has(id));
		const isOpen = (id: string) => !isKnown(id) && !this.unlisted.has(id) && !this.written.has(id);
		if (isOpen(recordId)) {
			const open = [...new Set([recordId, ...this.expected.keys()])].filter(isOpen);
			const request = { sheet, where: [], reading, order: [lastChangedFirst] };
			const { found } = await readListed(client, request, open);
			for (const id of open) this.unlisted.add(id);
			for (const record of found) {
				this.unlisted.delete(record.id);
				this.see(record);
			}
		}
		const left = (this.expected.get(recordId) ?? 1) - 1;
		if (left > 0) this.expected.set(recordId, left);
		else this.expected.delete(recordId);
		if (isKnown(recordId)) return this.contents.get(recordId)?.content;
		const record = await getRecord(client, { sheet, recordId }, reading);
		if (record) this.see(record, true);
		return record?.content;
	}

	/** Returns the content of an expected record, which stays cached only while it is expected again. */
	async take(client: Client, recordId: string): Promise<JsonObject | undefined> {
		const content = await this.content(client, recordId);
		if (!this.expected.has(recordId)) this.contents.delete(recordId);
		return content;
	}
}

const recordsOfRun = new CachePart<RecordsByIds>();

/** Returns the run's cache of a sheet's records in one form. */
export function recordsByIds(client: Client, sheet: SheetAddress, form: ReadOptions): RecordsByIds {
	const name = JSON.stringify([formatSheetPath(sheet), form]);
	return getOrInsert(client.cache.part(recordsOfRun), name, () => new RecordsByIds(sheet, form));
}

/** Must be called when a record was written, or may have been. */
export function forgetRecord(client: Client, recordId = ''): void {
	for (const records of client.cache.part(recordsOfRun).values()) records.forget(recordId);
}

import type { RawAnswer } from '../http/answer';
import type { CachePart } from '../http/runCache';
import { getOrInsert } from '../json/objects';
import type { JsonObject } from '../json/orderedJson';
import { listPages } from './pages';
import type { SheetRecord } from './record';
import { ServiceError, fallbackTo } from '../http/serviceError';
import {
	formatSheetPath,
	wholeNumberText,
	type RecordAddress,
	type SheetAddress,
} from '../values/sheetAddress';
import type { Client } from '../http/client';
import { plainReadOptions, readOptionsBy, type ReadOptions } from './readOptions';
import {
	getRecord,
	listPage,
	recordsAs,
	recordsIn,
	type DecodePage,
	type ListRequest,
} from './records';

/** What came of reading a record: its content, no such record, or the reason of a failure. */
export type ReadOutcome =
	| { kind: 'content'; content: JsonObject }
	| { kind: 'gone' }
	| { kind: 'unreadable'; reason: string };

/** However many records a delivery names, no more of them are read one by one. */
const mostReads = 50;

/** Up to so many records are read one by one, which gives their current content. */
const mostSingleReads = 10;
/** After so many failures the service is not asked for the others. */
const mostFailures = 3;
/** A list returns so many records in the time of a single read. */
const listedForRead = 100;

/**
 * Reads the records of a delivery, with few requests. The API has no filter on record ids (specification, "Filter
 * rules"): many are looked for in the list.
 *
 * @param recordIds in one spelling each
 * @param isDeletion whether they are expected to be gone: a list of ids shows that they are
 * @returns an outcome for each id, in the order of the ids
 */
export async function readRecords(
	client: Client,
	sheet: SheetAddress,
	recordIds: readonly string[],
	naming: ReadOptions['naming'],
	isDeletion = false,
): Promise<Map<string, ReadOutcome>> {
	const reading = readOptionsBy(naming);
	const idsAlone = plainReadOptions('EID', ['listing', true]);
	const { found, isWhole } = isDeletion
		? await readListed(client, { sheet, where: [], reading: idsAlone }, recordIds, idsIn)
		: await readListed(client, lastChangedFirst(sheet, reading), recordIds);
	const listed = new Map(found.map(({ id, content }) => [id, content]));
	const outcomes = new Map<string, ReadOutcome>();
	const failures: string[] = [];
	let [reads, missed] = [0, 0];
	for (const recordId of recordIds) {
		const content = listed.get(recordId);
		// What neither the whole list has nor single reads find.
		const areGone = isWhole && missed === reads && reads >= mostSingleReads;
		if (content) outcomes.set(recordId, { kind: 'content', content });
		else if (areGone) outcomes.set(recordId, { kind: 'gone' });
		else if (failures.length >= mostFailures || reads >= mostReads) {
			const [reason = `Not read: of a delivery, at most ${mostReads} records are read one by one`] =
				failures;
			outcomes.set(recordId, { kind: 'unreadable', reason });
		} else {
			const outcome = await single(client, { sheet, recordId }, reading);
			reads++;
			if (outcome.kind === 'gone') missed++;
			if (outcome.kind === 'unreadable') failures.push(outcome.reason);
			outcomes.set(recordId, outcome);
		}
	}
	const isAnyFound = [...outcomes.values()].some(({ kind }) => kind === 'content');
	if (isDeletion || isAnyFound || missed === 0 || (await hasRecords(client, sheet))) {
		return outcomes;
	}
	const silence: ReadOutcome = { kind: 'unreadable', reason: 'The service found no record at all' };
	return new Map(recordIds.map((id) => [id, silence]));
}

/** A service that finds nothing may be in trouble. */
async function hasRecords(client: Client, sheet: SheetAddress): Promise<boolean> {
	const request = { sheet, where: [], reading: plainReadOptions('EID') };
	const page = listPage(client, request, { offset: 0, limit: 1 }, idsIn);
	return (await page.catch(fallbackTo([]))).length > 0;
}

const idsIn = (answer: RawAnswer): SheetRecord[] =>
	recordsAs(() => null)(answer).map(({ id }) => ({ id, content: new Map() }));

/** Returns so many of the values, from all over the list. */
export function spread<T>(values: readonly T[], count: number): T[] {
	const step = Math.max(1, values.length / count);
	return values.filter((_, index) => Math.floor(index % step) === 0).slice(0, count);
}

function lastChangedFirst(sheet: SheetAddress, reading: ReadOptions): ListRequest {
	return { sheet, where: [], reading, order: [{ fieldId: '109', direction: 'DESC' }] };
}

/**
 * Returns those of many records that a list returns with fewer requests than single reads, and whether the whole list
 * was read. Never fails: what the list lacks, single reads return.
 *
 * @param recordIds in one spelling each
 */
async function readListed(
	client: Client,
	request: ListRequest,
	recordIds: Iterable<string>,
	decode: DecodePage<SheetRecord> = recordsIn,
): Promise<{ found: SheetRecord[]; isWhole: boolean }> {
	const open = new Set(recordIds);
	const found: SheetRecord[] = [];
	const read = async () => {
		if (open.size <= mostSingleReads) return false;
		const most = decode === idsIn ? Infinity : listedForRead * open.size;
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
	return await getRecord(client, address, reading).then(
		(record): ReadOutcome =>
			record ? { kind: 'content', content: record.content } : { kind: 'gone' },
		(error: unknown) => {
			if (error instanceof ServiceError) return { kind: 'unreadable', reason: error.message };
			throw error;
		},
	);
}

/** What was read longer ago, in milliseconds, may have changed. */
export const longestFresh = 60_000;

/** The content of a record, when it was read, and how many writes of the run came before. */
interface SeenContent {
	content: JsonObject;
	at: number;
	writes: number;
}

/** Caches the records of a sheet for a run, as last read in one form. */
export class RecordsByIds {
	private readonly contents = new Map<string, SeenContent>();
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
		const isRecent = this.contents.has(recordId) && !this.isOutdated(recordId);
		return isRecent && this.contents.get(recordId)?.writes === this.writes;
	}

	/** Whether a record was read, but longer ago than a minute. */
	isOutdated(recordId: string): boolean {
		const { at = Infinity } = this.contents.get(recordId) ?? {};
		return performance.now() - at >= longestFresh;
	}

	/**
	 * Returns the content of a record. It is read unless it is cached, and fresh where that matters; other expected records
	 * are read with it. Undefined when there is no such record.
	 *
	 * @throws ServiceError
	 */
	async content(
		client: Client,
		recordId: string,
		mustBeFresh = false,
	): Promise<JsonObject | undefined> {
		const { sheet, reading } = this;
		const isKnown = (id: string) => this.contents.has(id) && (!mustBeFresh || this.isFresh(id));
		const isOpen = (id: string) => !isKnown(id) && !this.unlisted.has(id) && !this.written.has(id);
		if (isOpen(recordId)) {
			const open = [...new Set([recordId, ...this.expected.keys()])].filter(isOpen);
			const { found } = await readListed(client, lastChangedFirst(sheet, reading), open);
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

const recordsOfRun: CachePart<RecordsByIds> = { name: 'recordsByIds' };

/** Returns the run's cache of a sheet's records in one form. */
export function recordsByIds(client: Client, sheet: SheetAddress, form: ReadOptions): RecordsByIds {
	const name = JSON.stringify([formatSheetPath(sheet), form]);
	return getOrInsert(client.cache.part(recordsOfRun), name, () => new RecordsByIds(sheet, form));
}

/** Must be called when a record was written, or may have been. */
export function forgetRecord(client: Client, recordId = ''): void {
	for (const records of client.cache.part(recordsOfRun).values()) records.forget(recordId);
}

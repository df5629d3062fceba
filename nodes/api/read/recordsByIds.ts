import type { RawAnswer } from '../http/answer';
import type { JsonObject } from '../json/orderedJson';
import { listPages } from './pages';
import type { SheetRecord } from './record';
import { ServiceError, fallbackTo, refusals } from '../http/serviceError';
import { wholeNumberText, type RecordAddress, type SheetAddress } from '../values/sheetAddress';
import type { Client } from '../http/client';
import { plainReadOptions, readOptionsBy, type ReadOptions } from './readOptions';
import { getRecord, listPage, recordsAs, recordsIn, type OrderRule } from './records';

/** What came of reading a record: its content, no such record, or the reason of a failure. */
export type ReadOutcome =
	| { kind: 'content'; content: JsonObject }
	| { kind: 'gone' }
	| { kind: 'unreadable'; reason: string };

/** However many records are asked for, the service is read no more often. */
export const mostReads = 100;

/** So few are read one by one: that tells of each how it is at that moment. */
const mostSingleReads = 10;
/** After so many failures the service is not asked for the others. */
const mostFailures = 3;
const longestPage = 1_000;
/** A page takes as long as so many single reads. */
const readsForPage = 10;
const byLastUpdate: OrderRule[] = [{ fieldId: '109', direction: 'DESC' }];

/**
 * Reads records by their ids, with few requests. The API has no filter on record ids (specification, "Filter rules"):
 * many are looked for in the list, of which those that were changed together are the beginning, and in the whole list
 * where more than a few are left. It also shows which are gone, if the service does not find some of those by themselves.
 *
 * @param recordIds in one spelling each
 * @param isDeletion whether they are expected to be gone: then only ids are listed
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
	const outcomes = new Map<string, ReadOutcome>();
	let isListed = false;
	let reads = 0;
	const openIds = () => recordIds.filter((id) => !outcomes.has(id));
	const note = ({ id, content }: SheetRecord) => outcomes.set(id, { kind: 'content', content });
	if (!isDeletion) {
		const listed = await readListed(client, sheet, recordIds, reading, mostReads);
		listed.found.forEach(note);
		({ reads } = listed);
	}
	if (openIds().length > mostSingleReads) {
		const rows = isDeletion ? plainReadOptions('EID', ['listing', true]) : reading;
		const order = isDeletion ? undefined : byLastUpdate;
		const decode = isDeletion ? idsIn : recordsIn;
		const pages = listPages(client, { sheet, where: [], reading: rows, order }, decode);
		const open = new Set(openIds());
		isListed = await takeAll(pages, mostReads - reads, (record) => {
			if (open.delete(record.id)) note(record);
			return open.size > 0;
		});
	}
	const open = openIds();
	const sample = spread(open, mostSingleReads);
	const failures: string[] = [];
	const isGone = (id: string) => outcomes.get(id)?.kind === 'gone';
	for (const recordId of new Set([...sample, ...open])) {
		if (failures.length >= mostFailures || reads >= mostReads) break;
		if (isListed && sample.every(isGone)) break;
		const outcome = await single(client, { sheet, recordId }, reading);
		if (outcome.kind === 'unreadable') failures.push(outcome.reason);
		outcomes.set(recordId, outcome);
		reads += 1;
	}
	const [reason = `Not read: at most ${mostReads} requests are made for a delivery`] = failures;
	let other: ReadOutcome = { kind: 'unreadable', reason };
	if (isListed && sample.every(isGone)) other = { kind: 'gone' };
	const all = new Map(recordIds.map((id) => [id, outcomes.get(id) ?? other]));
	const kinds = new Set([...all.values()].map(({ kind }) => kind));
	const isDoubtful = !isDeletion && kinds.size === 1 && kinds.has('gone');
	if (!isDoubtful || (await hasRecords(client, sheet))) return all;
	const silence: ReadOutcome = { kind: 'unreadable', reason: 'The service found no record at all' };
	return new Map(recordIds.map((id) => [id, silence]));
}

/** A service that finds nothing may be in trouble. */
async function hasRecords(client: Client, sheet: SheetAddress): Promise<boolean> {
	const request = { sheet, where: [], reading: plainReadOptions('EID') };
	const page = listPage(client, request, { offset: 0, limit: 1 }, idsIn);
	return (await page.catch(fallbackTo([]))).length > 0;
}

/** Gives the records of pages to `take` for as long as it wants more. Returns whether the list ended by itself. */
async function takeAll(
	pages: AsyncGenerator<SheetRecord[]>,
	mostPages: number,
	take: (record: SheetRecord) => boolean,
): Promise<boolean> {
	let count = 0;
	const all = async () => {
		for await (const page of pages) {
			count += 1;
			if (!page.every(take) || count >= mostPages) return false;
		}
		return true;
	};
	return await all().catch(fallbackTo(false));
}

const idsIn = (answer: RawAnswer): SheetRecord[] =>
	recordsAs(() => null)(answer).map(({ id }) => ({ id, content: new Map() }));

/** Returns so many of the values, from all over the list. */
export function spread<T>(values: readonly T[], count: number): T[] {
	const step = Math.max(1, values.length / count);
	return values.filter((_, index) => Math.floor(index % step) === 0).slice(0, count);
}

/**
 * Returns those of many records that the list tells with fewer requests than single reads, and how many that took. It
 * begins with what was changed last.
 *
 * @param recordIds in one spelling each
 * @param most requests
 */
export async function readListed(
	client: Client,
	sheet: SheetAddress,
	recordIds: Iterable<string>,
	reading: ReadOptions,
	most: number,
): Promise<{ found: SheetRecord[]; reads: number }> {
	const open = new Set(recordIds);
	const found: SheetRecord[] = [];
	const request = { sheet, where: [], reading, order: byLastUpdate };
	const worthIt = open.size > mostSingleReads ? Math.ceil(open.size / readsForPage) : 0;
	// What was changed together is on the first page.
	let limit = Math.min(longestPage, 2 * open.size);
	let reads = 0;
	let offset = 0;
	while (open.size > 1 && reads < Math.min(worthIt, most)) {
		// What the list does not tell, single reads do.
		const page = await listPage(client, request, { offset, limit }, recordsIn).catch(
			fallbackTo([]),
		);
		for (const record of page.filter(({ id }) => open.delete(id))) found.push(record);
		reads += 1;
		offset += page.length;
		if (page.length < limit) break;
		limit = longestPage;
	}
	return { found, reads };
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
const longestFresh = 60_000;

/** What a record held, when it was read, and how many writes of the run were before. */
interface SeenContent {
	content: JsonObject;
	at: number;
	writes: number;
}

/** What records of a sheet held when they were last seen. */
export class StoredRecords {
	private readonly contents = new Map<string, SeenContent>();
	private readonly written = new Set<string>();
	private writes = 0;
	/** Those that are sure to be asked for. */
	private readonly expected = new Set<string>();
	private readonly fields = new Set<string>();

	constructor(
		private readonly sheet: SheetAddress,
		readonly form: ReadOptions,
	) {}

	/** In what form records are read: with all fields that were said to be of interest. */
	get reading(): ReadOptions {
		return { ...this.form, fields: [...this.fields] };
	}

	/** Fields that will be compared; to be said before the first record is read. */
	expectFields(fieldIds: Iterable<string>): void {
		for (const fieldId of fieldIds) this.fields.add(fieldId);
	}

	/** A record that will be asked for: many are read together. */
	expect(recordId: string): void {
		this.expected.add(recordId);
	}

	/** Takes in a record of a list, which may be older than a write, or one that was read by itself. */
	see({ id, content }: SheetRecord, isSingle = false): void {
		if (this.written.has(id) && !isSingle) return;
		this.contents.set(id, { content, at: performance.now(), writes: this.writes });
	}

	/** Has to be called when a record is written, or may have been: others may change with it. */
	forget(recordId: string): void {
		this.contents.delete(recordId);
		this.written.add(recordId);
		this.writes++;
	}

	/** Whether a record was read within a minute, and since the last write of the run. */
	isFresh(recordId: string): boolean {
		const { at = -Infinity, writes } = this.contents.get(recordId) ?? {};
		return performance.now() - at < longestFresh && writes === this.writes;
	}

	/**
	 * Returns what a record holds. It is read unless it was seen, or is fresh where that matters; other expected records
	 * are read with it. Undefined when there is no such record, or the user may not read it.
	 *
	 * @throws ServiceError when the service is not reached
	 */
	async content(
		client: Client,
		recordId: string,
		mustBeFresh = false,
	): Promise<JsonObject | undefined> {
		const { sheet, reading, expected } = this;
		const isKnown = () => this.contents.has(recordId) && (!mustBeFresh || this.isFresh(recordId));
		if (!isKnown() && expected.size > 0 && !this.written.has(recordId)) {
			const listed = await readListed(client, sheet, [...expected, recordId], reading, Infinity);
			for (const record of listed.found) this.see(record);
		}
		expected.delete(recordId);
		if (isKnown()) return this.contents.get(recordId)?.content;
		const record = await getRecord(client, { sheet, recordId }, reading).catch(
			fallbackTo(undefined, ...refusals),
		);
		if (record) this.see(record, true);
		return record?.content;
	}
}

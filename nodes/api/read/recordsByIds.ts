import type { JsonObject } from '../json/orderedJson';
import type { SheetRecord } from './record';
import { ServiceError, fallbackTo, refusals } from '../http/serviceError';
import { wholeNumberText, type RecordAddress, type SheetAddress } from '../values/sheetAddress';
import type { Client } from '../http/client';
import { readOptionsBy, type ReadOptions } from './readOptions';
import { getRecord, listPage, recordsIn, type ListOrder } from './records';

/** What came of reading a record: its content, no such record, the reason of a failure, or no reading at all. */
export type ReadOutcome =
	| { kind: 'content'; content: JsonObject }
	| { kind: 'gone' }
	| { kind: 'unreadable'; reason: string }
	| { kind: 'unread' };

/** However many records are asked for, the service is read no more often. */
export const mostReads = 100;

/** So few are read one by one: that tells of each how it is at that moment. */
const mostSingleReads = 10;
const longestPage = 1_000;
const lastUpdate = '109';

/**
 * Records of a sheet by their ids, with few requests. The API has no filter on record ids (specification,
 * "Filter rules"), but many ids at once are mostly those of records that were changed together: the list is
 * looked at first. The others are read one by one.
 *
 * @param recordIds in one spelling each
 * @returns a reading for each id, in the order of the ids; `unread` beyond `mostReads` reads
 */
export async function readRecords(
	client: Client,
	sheet: SheetAddress,
	recordIds: Iterable<string>,
	naming: ReadOptions['naming'],
): Promise<Map<string, ReadOutcome>> {
	const reading = readOptionsBy(naming);
	const open = new Set(recordIds);
	const readings = new Map([...open].map((id): [string, ReadOutcome] => [id, { kind: 'unread' }]));
	const { found, reads } = await readListed(client, sheet, open, reading, mostReads);
	for (const { id, content } of found) {
		readings.set(id, { kind: 'content', content });
		open.delete(id);
	}
	for (const id of [...open].slice(0, mostReads - reads)) {
		readings.set(id, await single(client, { sheet, recordId: id }, reading));
	}
	return readings;
}

/**
 * Those of many records that the list tells with fewer requests than single reads. It begins with what was
 * changed last, and is read for as long as a page brings more of them than a single read would.
 *
 * @param recordIds in one spelling each
 * @param most requests
 * @returns the records, and how many requests that took
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
	const order: ListOrder = { by: [{ fieldId: lastUpdate, direction: 'DESC' }] };
	const request = { sheet, where: [], reading, order };
	let reads = 0;
	let offset = 0;
	let isWorthIt = open.size > mostSingleReads;
	while (isWorthIt && open.size > 1 && reads < most) {
		const range = { offset, limit: Math.min(longestPage, 2 * open.size) };
		// What the list does not tell, single reads do.
		const page = await listPage(client, request, range, recordsIn).catch(fallbackTo([]));
		const wanted = page.filter(({ id }) => open.delete(id));
		for (const record of wanted) found.push(record);
		reads += 1;
		offset += page.length;
		isWorthIt = wanted.length > 1;
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

/** What records of a sheet held when they were last seen. */
export class StoredRecords {
	private readonly contents = new Map<string, JsonObject>();
	private readonly written = new Set<string>();
	/** Those that are sure to be asked for, and were not looked for yet. */
	private expected = new Set<string>();
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

	/** Takes in what a look-up has brought along, unless a write may be newer: lists lag behind. */
	see({ id, content }: SheetRecord): void {
		if (!this.written.has(id)) this.contents.set(id, content);
	}

	/** Has to be called when a record is written, or may have been: from then on it is read anew each time. */
	forget(recordId: string): void {
		this.contents.delete(recordId);
		this.written.add(recordId);
	}

	/**
	 * What a record holds, read by itself unless it was seen. Expected records are looked for in the list first.
	 *
	 * @returns undefined when there is no such record, and when the user may not read it
	 * @throws ServiceError when the service is not reached
	 */
	async content(client: Client, recordId: string): Promise<JsonObject | undefined> {
		const { sheet, reading, expected } = this;
		if (expected.has(recordId)) {
			this.expected = new Set();
			for (const record of (await readListed(client, sheet, expected, reading, Infinity)).found) {
				this.see(record);
			}
		}
		const known = this.contents.get(recordId);
		if (known) return known;
		const record = await getRecord(client, { sheet, recordId }, reading).catch(
			fallbackTo(undefined, ...refusals),
		);
		if (record) this.see(record);
		return record?.content;
	}
}

import type { JsonObject } from '../wire/orderedJson';
import { ServiceError } from '../wire/serviceError';
import { wholeNumberText } from '../wire/sheetAddress';
import type { RecordAddress, SheetAddress } from '../wire/sheetAddress';
import type { Client } from './client';
import { readingBy } from './reading';
import type { Reading } from './reading';
import { getRecord, listPage } from './records';
import type { ListOrder } from './records';

/** What came of reading a record: its content, no such record, the reason of a failure, or no reading at all. */
export type RecordReading =
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
 * "Filter rules"), but many ids at once are mostly those of records that were changed together: the list
 * begins with what was changed last, and is read for as long as a page brings more of them than a single
 * read would. The others are read one by one.
 *
 * @param recordIds in one spelling each
 * @returns a reading for each id, in the order of the ids; `unread` beyond `mostReads` reads
 */
export async function readRecords(
	client: Client,
	sheet: SheetAddress,
	recordIds: Iterable<string>,
	naming: Reading['naming'],
): Promise<Map<string, RecordReading>> {
	const reading = readingBy(naming);
	const open = new Set(recordIds);
	const readings = new Map(
		[...open].map((id): [string, RecordReading] => [id, { kind: 'unread' }]),
	);
	let reads = 0;
	let offset = 0;
	let isWorthIt = open.size > mostSingleReads;
	while (isWorthIt && open.size > 1 && reads < mostReads) {
		const order: ListOrder = { by: [{ fieldId: lastUpdate, direction: 'DESC' }] };
		const request = { sheet, where: [], reading, order };
		const range = { offset, limit: Math.min(longestPage, 2 * open.size) };
		const page = await listPage(client, request, range).catch(noneWhenRefused);
		const wanted = page.filter(({ id }) => open.delete(id));
		for (const { id, content } of wanted) readings.set(id, { kind: 'content', content });
		reads += 1;
		offset += page.length;
		isWorthIt = wanted.length > 1;
	}
	for (const id of [...open].slice(0, mostReads - reads)) {
		readings.set(id, await single(client, { sheet, recordId: id }, reading));
	}
	return readings;
}

async function single(
	client: Client,
	address: RecordAddress,
	reading: Reading,
): Promise<RecordReading> {
	if (wholeNumberText(address.recordId) === undefined) return { kind: 'gone' };
	return await getRecord(client, address, reading).then(
		(record): RecordReading =>
			record ? { kind: 'content', content: record.content } : { kind: 'gone' },
		(error: unknown) => {
			if (error instanceof ServiceError) return { kind: 'unreadable', reason: error.message };
			throw error;
		},
	);
}

/** What the list does not tell, single reads do. */
function noneWhenRefused(error: unknown): [] {
	if (error instanceof ServiceError) return [];
	throw error;
}

import type { Client } from '../http/client';
import { ServiceError, fallbackTo } from '../http/serviceError';
import type { JsonObject } from '../json/orderedJson';
import { wholeNumberText, type SheetAddress } from '../values/sheetAddress';
import { plainReadOptions, readOptionsBy } from './readOptions';
import { getRecord, idsIn, lastChangedFirst, listPage } from './records';
import { fetchListed, maxSingleReads } from './recordSearch';

/** Result of reading a record: its content, no such record, or the reason of a failure. */
export type ReadOutcome =
	| { kind: 'content'; content: JsonObject }
	| { kind: 'gone' }
	| { kind: 'unreadable'; reason: string };

/** Maximum number of single reads for one delivery. */
const maxDeliveryReads = 50;
const tooMany = `Not read: of a delivery, at most ${maxDeliveryReads} records are read one by one`;
/** Number of failed reads after which the remaining records of a delivery are not read. */
const maxFailedReads = 3;

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
		const failure = this.failures[maxFailedReads - 1];
		if (failure !== undefined || this.count >= maxDeliveryReads) {
			return { kind: 'unreadable', reason: failure ?? tooMany };
		}
		const outcome = await fetchSingle(this.client, this.sheet, recordId);
		this.count++;
		if (outcome.kind === 'gone') this.missedCount++;
		if (outcome.kind === 'unreadable') this.failures.push(outcome.reason);
		return outcome;
	}
}

async function fetchSingle(
	client: Client,
	sheet: SheetAddress,
	recordId: string,
): Promise<ReadOutcome> {
	if (wholeNumberText(recordId) === undefined) return { kind: 'gone' };
	const read = getRecord(client, { sheet, recordId }, readOptionsBy('EID'));
	const record = await read.catch((error: unknown) => {
		if (error instanceof ServiceError) return error;
		throw error;
	});
	if (record instanceof ServiceError) return { kind: 'unreadable', reason: record.message };
	return record ? { kind: 'content', content: record.content } : { kind: 'gone' };
}

import type { Client } from '../api/http/client';
import { fallbackTo, refusals } from '../api/http/serviceError';
import type { JsonObject } from '../api/json/orderedJson';
import { listPages, readAfter, type ListPosition, type ListPart } from '../api/read/pages';
import { plainReadOptions, type ReadOptions } from '../api/read/readOptions';
import type { SheetRecord } from '../api/read/record';
import { getRecord, idsIn, listPage, recordsIn } from '../api/read/records';
import type { ListRequest, PageRange } from '../api/read/records';
import { updateTime } from './updateTimes';
import { InputError } from '../api/values/inputError';
import { lastUpdateDate } from './pollingParameters';

/** A record with the times of the account, by which the service compares. */
export interface ReadRecord extends SheetRecord {
	/** The content with times as the user wants them, where these are others. */
	shown?: JsonObject;
}

/** Where to read: what changed since a time, at most so many records, behind a position in that list. */
export type ChangeRange = [since: string, limit: number, after?: ListPosition];

/** Reads a sheet for a poll. */
export class SheetReader {
	/** With the times of the account, by which the service compares. */
	private readonly reading: ReadOptions;
	/** With the times that the user wants, where these are others. */
	private readonly shownReading?: ReadOptions;

	/** @param matching which records to read beside the date, and in what form */
	constructor(
		private readonly client: Client,
		private readonly matching: Omit<ListRequest, 'order'>,
	) {
		const more = [...(matching.reading.more ?? []), ['info', true] as const];
		const ofAccount = more.filter(([name]) => name !== 'tz');
		this.reading = { ...matching.reading, more: ofAccount };
		if (ofAccount.length < more.length) this.shownReading = { ...matching.reading, more };
	}

	get isTimeOver(): boolean {
		return this.client.signal?.aborted ?? false;
	}

	get isFiltered(): boolean {
		const { where, search } = this.matching;
		return where.length > 0 || Boolean(search?.sharedViewId);
	}

	/** Returns records in the order of their Last Update Dates, as the user wants them in `shown`. */
	async read(...range: ChangeRange): Promise<ListPart<ReadRecord>> {
		const part = await this.list(this.reading, ...range);
		if (!this.shownReading || part.records.length === 0) return part;
		const { records } = await this.list(this.shownReading, ...range);
		const contents = new Map(records.map(({ id, content }) => [id, content]));
		// What has left the range since comes with a later one.
		const isThere = ({ id }: SheetRecord) => contents.has(id);
		const withShown = (record: SheetRecord) => ({ ...record, shown: contents.get(record.id) });
		return { ...part, records: part.records.filter(isThere).map(withShown) };
	}

	/** Returns the records of the whole sheet that were changed last, the newest first. */
	async newest(limit: number): Promise<SheetRecord[]> {
		const whole = { sheet: this.matching.sheet, where: [], reading: this.reading };
		return await this.page(whole, 'DESC', { offset: 0, limit });
	}

	/** Returns the record that was changed last of those that match, as the user wants it. */
	async newestMatch(): Promise<SheetRecord | undefined> {
		const request = { ...this.matching, reading: this.shownReading ?? this.reading };
		const [record] = await this.page(request, 'DESC', { offset: 0, limit: 1 });
		return record;
	}

	/** Yields the ids of all records, page by page, with as little else as can be. */
	async *ids(isFiltered: boolean): AsyncGenerator<string[]> {
		const { sheet, where, search, reading: wanted } = this.matching;
		const ignoring = (wanted.more ?? []).filter(([name]) => name === 'ignoreFixedFilter');
		const reading = plainReadOptions('EID', ['listing', true], ...ignoring);
		const filters = isFiltered ? { where, search } : { where: [] };
		for await (const page of listPages(this.client, { sheet, reading, ...filters }, idsIn)) {
			yield page.map(({ id }) => id);
		}
	}

	/** Returns how many records match. */
	async count(): Promise<number> {
		let count = 0;
		for await (const ids of this.ids(true)) count += ids.length;
		return count;
	}

	/** Returns whether the sheet has the record; one that may not be read is there. */
	async has(recordId: string): Promise<boolean> {
		const address = { sheet: this.matching.sheet, recordId };
		const there = fallbackTo(true, ...refusals);
		const record = await getRecord(this.client, address, plainReadOptions('EID')).catch(there);
		return record !== undefined;
	}

	private async list(reading: ReadOptions, ...range: ChangeRange): Promise<ListPart<SheetRecord>> {
		const [since, limit, after] = range;
		const changed = { fieldId: lastUpdateDate, operator: 'gte', value: since };
		const where = [...(since === '' ? [] : [changed]), ...this.matching.where];
		const request = { ...this.matching, where, reading };
		const readPage = async (part: PageRange) => await this.page(request, 'ASC', part);
		return await readAfter(readPage, limit, after, stateKey);
	}

	private async page(request: ListRequest, direction: 'ASC' | 'DESC', range: PageRange) {
		const ordered = { ...request, order: [{ fieldId: lastUpdateDate, direction }] };
		return await listPage(this.client, ordered, range, recordsIn);
	}
}

/** Returns when a record was last changed. Throws InputError when the service does not say. */
export function timeOf({ id, content }: SheetRecord): string {
	const time = updateTime(content);
	if (time !== undefined) return time;
	throw new InputError(
		`The service does not tell when record ${id} was last changed`,
		'Polling needs that date. Check that the credential may read it, or use Sheet Records Trigger.',
	);
}

/** Tells the states of records apart: a record that changes moves to the end of the list. */
export function stateKey(record: SheetRecord): string {
	return `${record.id} ${timeOf(record)}`;
}

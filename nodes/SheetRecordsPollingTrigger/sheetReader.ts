import type { Client } from '../api/http/client';
import { fallbackTo, refusals } from '../api/http/serviceError';
import { listPages, readAfter, type ListPosition, type Part } from '../api/read/pages';
import { plainReadOptions, type ReadOptions } from '../api/read/readOptions';
import type { SheetRecord } from '../api/read/record';
import {
	getRecord,
	listPage,
	idsIn,
	recordsIn,
	type ListRequest,
	type ListSearch,
	type PageRange,
} from '../api/read/records';
import type { WhereCondition } from '../api/read/query';
import type { SheetAddress } from '../api/values/sheetAddress';
import { timeOf, type ReadRecord } from './cursor';
import { lastUpdateDate } from './pollingParameters';

/** Where to read: what changed since a time, at most so many records, behind a position in that list. */
export type ChangeRange = [since: string, limit: number, after?: ListPosition];

/** What is read, and how. */
interface ReadSheet {
	sheet: SheetAddress;
	/** Beside the date. */
	where: readonly WhereCondition[];
	search: ListSearch;
	reading: ReadOptions;
}

/** Reads a sheet for a poll. */
export class SheetReader {
	/** With the times of the account, by which the service compares. */
	private readonly reading: ReadOptions;
	/** With the times that the user wants. */
	private readonly shownReading: ReadOptions;

	constructor(
		private readonly client: Client,
		private readonly what: ReadSheet,
	) {
		const { more = [] } = what.reading;
		const ofAccount = more.filter(([name]) => name !== 'tz');
		this.reading = { ...what.reading, more: [...ofAccount, ['info', true]] };
		this.shownReading = { ...what.reading, more: [...more, ['info', true]] };
	}

	get isTimeOver(): boolean {
		return this.client.signal?.aborted ?? false;
	}

	get isFiltered(): boolean {
		const { where, search } = this.what;
		return where.length > 0 || Boolean(search.sharedViewId);
	}

	/** Returns records in the order of their Last Update Dates, as the user wants them in `shown`. */
	async read(...range: ChangeRange): Promise<Part<ReadRecord>> {
		const part = await this.list(this.reading, ...range);
		const isShifted = this.shownReading.more?.length !== this.reading.more?.length;
		if (!isShifted || part.records.length === 0) return part;
		const { records } = await this.list(this.shownReading, ...range);
		const contents = new Map(records.map(({ id, content }) => [id, content]));
		// What has left the range since comes with a later one.
		const isThere = ({ id }: SheetRecord) => contents.has(id);
		const withShown = (record: SheetRecord) => ({ ...record, shown: contents.get(record.id) });
		return { ...part, records: part.records.filter(isThere).map(withShown) };
	}

	/** Returns the records that were changed last, the newest first: of the whole sheet, or matching ones as the user wants them. */
	async newest(limit: number, isShown = false): Promise<SheetRecord[]> {
		const request = isShown
			? this.requestBy('DESC', this.what, this.shownReading)
			: this.requestBy('DESC', { where: [] }, this.reading);
		return await listPage(this.client, request, { offset: 0, limit }, recordsIn);
	}

	/** Yields the ids of all records, page by page, with as little else as can be. */
	async *ids(isFiltered: boolean): AsyncGenerator<string[]> {
		const { sheet, where, search, reading: wanted } = this.what;
		const ignoring = (wanted.more ?? []).filter(([name]) => name === 'ignoreFixedFilter');
		const reading = plainReadOptions('EID', ['listing', true], ...ignoring);
		const filters = isFiltered ? { where, search } : { where: [] };
		const request = { sheet, ...filters, reading };
		for await (const page of listPages(this.client, request, idsIn)) {
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
		const address = { sheet: this.what.sheet, recordId };
		const there = fallbackTo(true, ...refusals);
		const record = await getRecord(this.client, address, plainReadOptions('EID')).catch(there);
		return record !== undefined;
	}

	private async list(reading: ReadOptions, ...range: ChangeRange): Promise<Part<SheetRecord>> {
		const [since, limit, after] = range;
		const changed = { fieldId: lastUpdateDate, operator: 'gte', value: since };
		const where = [...(since === '' ? [] : [changed]), ...this.what.where];
		const request = this.requestBy('ASC', { where, search: this.what.search }, reading);
		const readPage = async (range: PageRange) =>
			await listPage(this.client, request, range, recordsIn);
		return await readAfter(readPage, limit, after, stateKey);
	}

	private requestBy(
		direction: 'ASC' | 'DESC',
		filters: Pick<ListRequest, 'where' | 'search'>,
		reading: ReadOptions,
	): ListRequest {
		const order = [{ fieldId: lastUpdateDate, direction }];
		return { sheet: this.what.sheet, ...filters, reading, order };
	}
}

/** Tells the states of records apart: a record that changes moves to the end of the list. */
export function stateKey(record: SheetRecord): string {
	return `${record.id} ${timeOf(record)}`;
}

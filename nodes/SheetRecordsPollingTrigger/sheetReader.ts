import type { Client } from '../api/http/client';
import { listPagesAs } from '../api/read/pages';
import { plainReading, type Reading } from '../api/read/readOptions';
import { getRecord, listPage, type PageRange } from '../api/read/records';
import { hoursBetween } from '../api/values/dates';
import { InputError } from '../api/values/inputError';
import type { JsonObject } from '../api/json/orderedJson';
import type { SheetRecord } from '../api/read/record';
import { refusals, fallbackTo } from '../api/http/serviceError';
import type { SheetAddress } from '../api/values/sheetAddress';
import type { WhereCondition } from '../api/read/where';
import type { ReadPage } from './changePages';
import { lastUpdateDate } from './pollingParameters';

/** What is read, and how. */
export interface ReadSheet {
	sheet: SheetAddress;
	/** Beside the date. */
	where: readonly WhereCondition[];
	reading: Reading;
}

/** So often two readings of one page are compared. */
const mostTries = 5;

/** Reads the sheet within the time of a poll. */
export class SheetReader {
	private readonly client: Client;
	/** With the times of the account, in which alone they can be compared with the service's own. */
	private readonly reading: Reading;
	/** The same with the times that the user wants; undefined when these are the account's. */
	private readonly shownReading: Reading | undefined;
	private readonly signal: AbortSignal;
	private reads = 0;
	/** By records with the times of the account: what they hold with those that the user wants. */
	private readonly shownContents = new Map<SheetRecord, JsonObject>();

	constructor(
		client: Client,
		private readonly what: ReadSheet,
		private readonly milliseconds: number,
	) {
		this.signal = AbortSignal.timeout(milliseconds);
		this.client = client.endingWith(this.signal);
		const { more = [] } = what.reading;
		const own = more.filter(([name]) => name !== 'tz');
		this.reading = { ...what.reading, more: [...own, ['info', true]] };
		const isShifted = own.length < more.length;
		this.shownReading = isShifted
			? { ...what.reading, more: [...more, ['info', true]] }
			: undefined;
	}

	/** Records by their Last Update Date; undefined when the time is over and something was read before. */
	readonly readPage: ReadPage = async (...range) =>
		await this.inTime(this.list(this.reading, ...range));

	/**
	 * The same, for pages of which `shown` can tell what the user wants to see.
	 *
	 * @param isWanted whether it is to tell that of a record
	 */
	readonly readShownPage =
		(isWanted: (record: SheetRecord) => boolean): ReadPage =>
		async (...range) =>
			await this.inTime(this.listTwice(isWanted, ...range));

	/** The record with times as the user wants them. */
	shown(record: SheetRecord): SheetRecord {
		return { ...record, content: this.shownContents.get(record) ?? record.content };
	}

	/** The records of the whole sheet that were changed last, the newest first. */
	async newest(limit: number): Promise<SheetRecord[]> {
		const newest = this.listByDate(this.reading, [], 'DESC', { offset: 0, limit });
		return (await this.inTime(newest)) ?? [];
	}

	/** The record that matches and was changed last, as the user wants it. */
	async newestShown(): Promise<SheetRecord | undefined> {
		const reading = this.shownReading ?? this.reading;
		const newest = this.listByDate(reading, this.what.where, 'DESC', { offset: 0, limit: 1 });
		return (await this.inTime(newest))?.[0];
	}

	/** The ids of all records, page by page, with as little else as can be. */
	async *ids(isFiltered: boolean): AsyncGenerator<string[]> {
		const { sheet, where, reading: wanted } = this.what;
		const ignoring = (wanted.more ?? []).filter(([name]) => name === 'ignoreFixedFilter');
		const reading = plainReading('EID', ['listing', true], ...ignoring);
		const request = { sheet, where: isFiltered ? where : [], reading };
		for await (const page of listPagesAs(this.client, request, () => null, Infinity, 0)) {
			yield page.map(({ id }) => id);
		}
	}

	get isFiltered(): boolean {
		return this.what.where.length > 0;
	}

	/** Whether the sheet has the record; one that may not be read is there. */
	async has(recordId: string): Promise<boolean> {
		const address = { sheet: this.what.sheet, recordId };
		const reading = plainReading('EID');
		const there = fallbackTo(true, ...refusals);
		const record = await getRecord(this.client, address, reading).catch(there);
		return record !== undefined;
	}

	/**
	 * What the promise yields; undefined when the time of the poll is over. Throws InputError when nothing was
	 * read before.
	 */
	async inTime<T>(promise: Promise<T>): Promise<T | undefined> {
		const value = await promise.catch((thrown: unknown) => {
			if (!this.signal.aborted) throw thrown;
			if (this.reads > 0) return undefined;
			throw new InputError(
				`The service did not answer within the ${Math.round(this.milliseconds / 1000)} seconds that n8n gives a poll`,
				"Nothing is lost: the next poll asks again. Narrow 'Filters', or set 'Subtables' to off, so that less has to be read.",
			);
		});
		this.reads += 1;
		return value;
	}

	/**
	 * What was changed between two readings of one page has left its place: both are read once more. Throws
	 * InputError when that goes on and on.
	 */
	private async listTwice(
		isWanted: (record: SheetRecord) => boolean,
		...range: Parameters<ReadPage>
	): Promise<SheetRecord[]> {
		for (let tries = 0; tries < mostTries; tries++) {
			const records = await this.list(this.reading, ...range);
			const wanted = this.shownReading ? records.filter(isWanted) : [];
			if (!this.shownReading || wanted.length === 0) return records;
			const again = await this.list(this.shownReading, ...range);
			const contents = new Map(again.map(({ id, content }) => [id, content]));
			const same = wanted.filter((record) => {
				const content = contents.get(record.id);
				if (!content || !isSameState(record.content, content)) return false;
				this.shownContents.set(record, content);
				return true;
			});
			if (same.length === wanted.length) return records;
		}
		throw new InputError(
			'The records change while they are read, again and again',
			"Nothing is lost: the next poll asks again. Without 'Time Zone' each record is read once.",
		);
	}

	private async list(
		reading: Reading,
		...[beginning, offset, limit]: Parameters<ReadPage>
	): Promise<SheetRecord[]> {
		const since = { fieldId: lastUpdateDate, operator: 'gte', value: beginning ?? '' };
		const where = [...(beginning === undefined ? [] : [since]), ...this.what.where];
		return await this.listByDate(reading, where, 'ASC', { offset, limit });
	}

	private async listByDate(
		reading: Reading,
		where: readonly WhereCondition[],
		direction: 'ASC' | 'DESC',
		range: PageRange,
	): Promise<SheetRecord[]> {
		const order = { by: [{ fieldId: lastUpdateDate, direction }] };
		return await listPage(this.client, { sheet: this.what.sheet, where, reading, order }, range);
	}
}

/** Two readings of one state of a record have dates that differ by whole quarters of hours. */
function isSameState(before: JsonObject, shown: JsonObject): boolean {
	const hours = hoursBetween(before.get('_update_date'), shown.get('_update_date'));
	return hours !== undefined && Number.isInteger(hours * 4);
}

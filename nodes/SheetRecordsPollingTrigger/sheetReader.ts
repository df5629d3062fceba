import type { Client } from '../api/http/client';
import { fallbackTo } from '../api/http/serviceError';
import type { JsonObject } from '../api/json/orderedJson';
import { listPages, readAfter, type ListPosition } from '../api/read/pages';
import { plainReadOptions, type ReadOptions } from '../api/read/readOptions';
import type { SheetRecord } from '../api/read/record';
import { getRecord, idsWithBroken, listPage, recordsWithBroken } from '../api/read/records';
import type { ListRequest, PageRange } from '../api/read/records';
import type { EnteredFields } from './enteredFields';
import { createTime, mayBeSameMoment, updateTime } from './updateTimes';
import { InputError } from '../api/values/inputError';
import { matchingFlags, matchingIds, type NodeFilter } from '../shared/nodeFilter';
import { lastUpdateDate } from './pollingParameters';

/** A record with times in the account's time zone. The service compares times in that time zone. */
export interface ReadRecord extends SheetRecord {
	/** Set if the option UTC Offset is set: the same content with times in that time zone. */
	inOutputZone?: JsonObject;
}

/** A part of the list of changes. */
export interface ChangeRange {
	/** Earliest Last Update Date; empty for all records. */
	since: string;
	/** Maximum number of records. */
	limit: number;
	/** Position after which to read; undefined for the start of the list. */
	after?: ListPosition;
}

/** A part of the list of changes, in the order of the Last Update Dates. */
export interface ChangeList {
	/** The records after the position. */
	records: ReadRecord[];
	/** All pages that were read. Each after the first begins with the last record of the page before. */
	pages: ReadonlyArray<readonly ReadRecord[]>;
	/** The end of `records`, if more may follow. */
	position?: ListPosition;
	/** Whether the list certainly ends after `records`. An empty page is not a proof, because a faulty service may return one. */
	isEnd: boolean;
}

/** Maximum number of records that are searched for the most recently changed record that matches. */
const maxSearchedRecords = 1_000;

/** Reads a sheet for a poll. All methods throw ServiceError, and InputError if the service does not return a field that is needed. */
export class SheetReader {
	/** Read options with times in the account's time zone. */
	private readonly reading: ReadOptions;
	/** Read options with times in the time zone of the option UTC Offset; undefined if it is not set. */
	private readonly outputReading?: ReadOptions;

	/**
	 * @param matching conditions and read options of the records, without dates
	 * @param nodeFilters conditions that the node evaluates itself: for records read with `matching`, and for records keyed by ID
	 * @param enteredFields returns the fields whose values people enter; undefined if the service does not tell
	 */
	constructor(
		private readonly client: Client,
		private readonly matching: Omit<ListRequest, 'order'>,
		private readonly nodeFilters: { ofRecords: NodeFilter; byIds: NodeFilter },
		readonly enteredFields: () => Promise<EnteredFields | undefined>,
	) {
		const parameters = [...(matching.reading.parameters ?? []), ['info', true] as const];
		const withoutOffset = parameters.filter(([name]) => name !== 'tz');
		this.reading = { ...matching.reading, parameters: withoutOffset };
		const hasOffset = withoutOffset.length < parameters.length;
		if (hasOffset) this.outputReading = { ...matching.reading, parameters };
	}

	/** Returns a reader whose requests also end when the given signal is aborted. */
	endingWith(signal: AbortSignal): SheetReader {
		const client = this.client.endingWith(signal);
		return new SheetReader(client, this.matching, this.nodeFilters, this.enteredFields);
	}

	get isTimeOver(): boolean {
		return this.client.signal?.aborted ?? false;
	}

	/** Whether the node selects records: by filters or by a shared view. */
	get hasConditions(): boolean {
		const { where, search } = this.matching;
		const isFilteredByNode = !this.nodeFilters.ofRecords.isEmpty;
		return where.length > 0 || Boolean(search?.sharedViewId) || isFilteredByNode;
	}

	/** Returns the changes whose records match the conditions that the node evaluates itself. Throws InputError if it cannot. */
	withMatching<Change extends { record: SheetRecord }>(changes: readonly Change[]): Change[] {
		const { ofRecords } = this.nodeFilters;
		const matching = changes.filter(({ record }) => ofRecords.matches(record.content));
		ofRecords.requireFields();
		return matching;
	}

	/**
	 * Returns a part of the list of changes. If UTC Offset is set, reads it in both time zones and leaves out records whose times
	 * do not agree. A part without these records has neither a position nor an end, so that the next poll reads it again.
	 */
	async fetchChanges(range: ChangeRange): Promise<ChangeList> {
		const list = await this.fetchList(this.reading, range);
		if (!this.outputReading || list.records.length === 0) return list;
		const inOutputZone = await this.fetchList(
			this.outputReading,
			range,
			keyAsIn(list.pages.flat()),
		);
		const contents = new Map(inOutputZone.records.map(({ id, content }) => [id, content]));
		const records = list.records.flatMap((record) => {
			const content = contents.get(record.id);
			if (updateTime(record.content) === undefined) return record;
			return content && isSameMoment(record.content, content)
				? [{ ...record, inOutputZone: content }]
				: [];
		});
		if (records.length === list.records.length) return { ...list, records };
		// The records left out changed between both requests, or the second list is wrong.
		return { records, pages: list.pages, isEnd: false };
	}

	/** Returns the most recently changed records of the whole sheet, latest first. */
	async fetchNewest(limit: number): Promise<ReadRecord[]> {
		const whole = { sheet: this.matching.sheet, where: [], reading: this.reading };
		return await this.fetchPage(whole, 'DESC', { offset: 0, limit });
	}

	/**
	 * Returns the most recently changed record that matches; undefined if no record matches. With conditions that the node evaluates
	 * itself, only the records changed most recently are searched.
	 */
	async fetchNewestMatch(): Promise<ReadRecord | undefined> {
		const { ofRecords } = this.nodeFilters;
		const { matching, outputReading = this.reading } = this;
		if (ofRecords.isEmpty) {
			const request = { ...matching, reading: outputReading };
			return (await this.fetchPage(request, 'DESC', { offset: 0, limit: 1 }))[0];
		}
		const request = { ...matching, reading: this.reading };
		const records = await this.fetchPage(request, 'DESC', { offset: 0, limit: maxSearchedRecords });
		const match = this.withMatching(records.map((record) => ({ record })))[0]?.record;
		return match && this.outputReading ? await this.fetchChanged(match.id) : match;
	}

	/** Yields the IDs of all records, or of `onlyMatching` records, page by page, with as little other data as possible. */
	async *fetchIds(onlyMatching: boolean): AsyncGenerator<string[]> {
		const { sheet, where, search, reading } = this.matching;
		const { byIds } = this.nodeFilters;
		const flags = matchingFlags(reading);
		if (onlyMatching && !byIds.isEmpty) {
			const smallest = { ...byIds.smallestReadOptions(...flags), version: reading.version };
			yield* matchingIds(this.client, { sheet, where, search, reading: smallest }, byIds);
			return;
		}
		const fixedFilter = flags.filter(([name]) => name === 'ignoreFixedFilter');
		const idReading = plainReadOptions('EID', ['listing', true], ...fixedFilter);
		const whole = { sheet, where: [], reading: { ...idReading, version: reading.version } };
		const request = onlyMatching ? { ...whole, where, search } : whole;
		for await (const page of listPages(this.client, request, idsWithBroken)) {
			yield page.map(({ id }) => id);
		}
	}

	/** Returns the number of records that match. */
	async fetchCount(): Promise<number> {
		let count = 0;
		for await (const ids of this.fetchIds(true)) count += ids.length;
		return count;
	}

	/**
	 * Fetches a record with a single read, which does not depend on the index. Returns `unreadable` if the user may not read the
	 * record, and undefined if it does not exist. Throws ServiceError for any other answer, because it proves nothing.
	 */
	async fetchRecord(recordId: string): Promise<SheetRecord | 'unreadable' | undefined> {
		const { sheet, reading } = this.matching;
		const options = { ...plainReadOptions('EID', ['info', true]), version: reading.version };
		const record = getRecord(this.client, { sheet, recordId }, options);
		return await record.catch(fallbackTo<'unreadable' | undefined>('unreadable', 'noAccess'));
	}

	/**
	 * Returns a record as `fetchChanges` does; undefined if it does not exist. Throws ServiceError, also if the user may not read it.
	 */
	async fetchChanged(recordId: string): Promise<ReadRecord | undefined> {
		const address = { sheet: this.matching.sheet, recordId };
		const record = await getRecord(this.client, address, this.reading);
		if (!record || !this.outputReading) return record;
		const inOutputZone = await getRecord(this.client, address, this.outputReading);
		return inOutputZone && { ...record, inOutputZone: inOutputZone.content };
	}

	private async fetchList(
		reading: ReadOptions,
		{ since, limit, after }: ChangeRange,
		keyOf = stateKey,
	): Promise<ChangeList> {
		const changed = { fieldId: lastUpdateDate, operator: 'gte', value: since };
		const where = [...(since === '' ? [] : [changed]), ...this.matching.where];
		const request = { ...this.matching, where, reading };
		const fetchPage = async (page: PageRange) => await this.fetchPage(request, 'ASC', page);
		return await changesIn(fetchPage, limit, after, keyOf);
	}

	private async fetchPage(
		request: ListRequest,
		direction: 'ASC' | 'DESC',
		range: PageRange,
	): Promise<SheetRecord[]> {
		const ordered = { ...request, order: [{ fieldId: lastUpdateDate, direction }] };
		return await listPage(this.client, ordered, range, recordsWithBroken);
	}
}

/** Reads pages until they make up the requested part of the list of changes. */
export async function changesIn(
	fetchPage: (range: PageRange) => Promise<ReadRecord[]>,
	limit: number,
	after?: ListPosition,
	keyOf = stateKey,
): Promise<ChangeList> {
	const pages: ReadRecord[][] = [];
	const fetchAndKeep = async (range: PageRange) => {
		const page = await fetchPage(range);
		pages.push(page);
		return page;
	};
	const part = await readAfter(fetchAndKeep, limit, after, keyOf);
	const isEnd = part.position === undefined && pages.at(-1)?.length !== 0;
	return { ...part, pages, isEnd };
}

/**
 * Returns a function for the keys of records that are read in another time zone: the key of the same state in `records`, because a
 * position has the keys of those.
 */
function keyAsIn(records: readonly ReadRecord[]): (record: SheetRecord) => string {
	const known = new Map(records.map((record) => [record.id, record]));
	return (record) => {
		const { content = record.content } = known.get(record.id) ?? {};
		return stateKey(isSameMoment(content, record.content) ? { ...record, content } : record);
	};
}

/** Returns whether two reads with different time zones can show the same state of a record. */
function isSameMoment(content: JsonObject, inOutputZone: JsonObject): boolean {
	return [updateTime, createTime].every((timeIn) =>
		mayBeSameMoment(timeIn(content), timeIn(inOutputZone)),
	);
}

/** Returns the Last Update Date of a record. Throws InputError if the service does not return it, or not as a date. */
export function updateTimeOf({ id, content }: SheetRecord): string {
	const time = updateTime(content);
	if (time !== undefined) return time;
	throw missingDate(id);
}

/** Returns the error for a record without a valid Last Update Date. */
export function missingDate(recordId: string): InputError {
	return new InputError(
		`The service does not tell when record ${recordId} was last changed`,
		'Polling needs that date. Check that the credential may read it, or use Sheet Records Trigger.',
	);
}

/** Returns the key of a state of a record in the list of changes. A changed record has a new key, and moves to the end of the list. */
export function stateKey(record: SheetRecord): string {
	return `${record.id} ${updateTime(record.content) ?? ''}`;
}

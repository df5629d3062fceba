import type { RawAnswer } from '../http/answer';
import type { Client } from '../http/client';
import { mayBeTooMuch } from '../http/policies';
import { CachePart } from '../http/runCache';
import { ServiceError } from '../http/serviceError';
import { withoutTrailing } from '../json/objects';
import type { SheetRecord } from './record';
import { whereParts } from './query';
import { listPage, recordsIn } from './records';
import type { DecodePage, ListRequest, PageRange } from './records';

/**
 * Number of records that the service returns without a limit. It may also cut any list to this number (specification,
 * "Limits").
 */
const firstPageSize = 1_000;
const maxPageSize = 10_000;
const minPageSize = 250;
/** Pages that take less time are followed by larger pages. */
const fastPageMilliseconds = 2_000;
/** Pages that take more time are followed by smaller pages. */
const slowPageMilliseconds = 10_000;

/**
 * Maximum number of records in a row without a new record, in addition to the number of records read so far. If there are more,
 * the service repeats its pages.
 */
const maxRepeatedRecords = 5_000;

/** Account → maximum page size for the rest of the run. Set after the service failed to deliver a larger page. */
const pageSizeLimits = new CachePart<number>();

/** Position up to which a list has been read. */
export interface ListPosition {
	/** Position of the last read record, counted from 1. */
	count: number;
	/** Keys of the last read records, in list order: record IDs, or the results of `keyOf`. */
	keys: readonly string[];
}

const listStart: ListPosition = { count: 0, keys: [] };
const recordIdOf = ({ id }: { id: string }) => id;

type FetchPage<T> = (range: PageRange) => Promise<T[]>;

/**
 * Returns the size of the next page: doubled if the last page was fast, halved if it was slow. It stays between `minPageSize` and
 * `maxPageSize`.
 */
export function nextPageSize(size: number, milliseconds: number): number {
	if (milliseconds > slowPageMilliseconds) return Math.max(minPageSize, Math.floor(size / 2));
	if (milliseconds < fastPageMilliseconds) return Math.min(maxPageSize, size * 2);
	return size;
}

/** Limits of reading a list. */
interface ListLimits {
	/** Maximum number of records; all if omitted. */
	limit?: number;
	/**
	 * Fixes the page size, even if the service fails to deliver such a page (1 counts as 2, because pages overlap by one record).
	 * If 0 or omitted, the size is adapted to the service's speed.
	 */
	pageSize?: number;
}

/**
 * Yields at most `limit` records of a list, page by page, in the order of the service. Each record is returned once, and a page
 * without new records is not yielded. No record is skipped if other records are added, deleted or changed in the meantime. A
 * record that itself moves to another position while the list is read may be missed. Throws ServiceError.
 */
export async function* listPages<T extends { id: string }>(
	client: Client,
	request: ListRequest,
	decode: DecodePage<T>,
	{ limit = Infinity, pageSize = 0 }: ListLimits = {},
): AsyncGenerator<T[]> {
	const parts = whereParts(request.where);
	if (parts.length > 1) {
		const limits = { limit, pageSize };
		const lists = parts.map((where) => listPages(client, { ...request, where }, decode, limits));
		yield* partsOfList(lists, limit);
		return;
	}
	const fetchPage = async (range: PageRange) => await listPage(client, request, range, decode);
	const isFixed = pageSize > 0;
	const size = isFixed ? Math.max(2, pageSize) : firstPageSize;
	const reader = new PageReader(fetchPage, size, isFixed ? undefined : client);
	for await (const { fresh } of pages(reader, limit, listStart, recordIdOf)) yield fresh;
}

/** Yields the pages of a list whose values need several requests, in the order of the requests. Each record is returned once. */
async function* partsOfList<T extends { id: string }>(
	parts: ReadonlyArray<AsyncGenerator<T[]>>,
	limit: number,
): AsyncGenerator<T[]> {
	const seen = new Set<string>();
	for (const part of parts) {
		for await (const page of part) {
			const unseen = page.filter(({ id }) => !seen.has(id)).slice(0, limit - seen.size);
			for (const { id } of unseen) seen.add(id);
			if (unseen.length > 0) yield unseen;
			if (seen.size >= limit) return;
		}
	}
}

/**
 * Yields the pages of a list as JSONP texts (specification, endpoint 1, `callback`), each with the records that are new on
 * it. The texts are as received, so they also repeat records of earlier pages. Throws ServiceError.
 */
export async function* jsonpPages(
	client: Client,
	request: ListRequest,
	callback: string,
	limits: ListLimits,
): AsyncGenerator<{ text: string; records: SheetRecord[] }> {
	const { parameters = [] } = request.reading;
	const reading = {
		...request.reading,
		parameters: [...parameters, ['callback', callback] as const],
	};
	let text = '';
	const decode = async (answer: RawAnswer) => {
		({ text } = answer);
		const call = withoutTrailing(text.trim(), ';').trimEnd();
		// An error response may not be wrapped in the callback.
		const json = /^[^({<[]*\(([\s\S]*)\)$/.exec(call)?.[1] ?? text;
		return await recordsIn({ ...answer, text: json });
	};
	const read = listPages(client, { ...request, reading }, decode, limits);
	for await (const records of read) yield { text, records };
}

/** Records of a list. `position` is where to continue reading, undefined at the end of the list. */
export interface ListPart<T> {
	records: T[];
	position?: ListPosition;
}

/** Returns the next `limit` records after a position. A record whose key changed since the last part is returned again. */
export async function readAfter<T extends { id: string }>(
	fetchPage: FetchPage<T>,
	limit: number,
	after: ListPosition = listStart,
	keyOf: (record: T) => string = recordIdOf,
): Promise<ListPart<T>> {
	// Pages overlap by one record, so read one record more than the limit.
	const reader = new PageReader(fetchPage, limit + 1);
	const records: T[] = [];
	let count = 0;
	for await (const part of pages(reader, limit, after, keyOf)) {
		records.push(...part.fresh);
		({ count } = part);
	}
	if (records.length < limit) return { records };
	return { records, position: { count, keys: records.map(keyOf) } };
}

/** Reads pages of a list, in a fixed size or in a size that the service can deliver. */
class PageReader<T> {
	/** @param client the client whose response times adapt the page size; if undefined, the size is fixed */
	constructor(
		private readonly fetchPage: FetchPage<T>,
		public size: number,
		private readonly client?: Client,
	) {}

	/**
	 * Returns at most `maxRecords` records. If the service fails to deliver more than `firstPageSize` records, an adaptive
	 * reader halves its size and tries again. `isLast` is true if the page is shorter than its limit and shorter than the
	 * service's default limit: a longer page may have been cut by the service, so it does not prove the end.
	 */
	async read(offset: number, maxRecords: number): Promise<{ page: T[]; isLast: boolean }> {
		const limit = Math.min(this.size, maxRecords);
		const { client } = this;
		const isDivisible = client !== undefined && limit > firstPageSize;
		const before = client?.cache.serviceMilliseconds ?? 0;
		const page = await this.fetchPage({ offset, limit, isDivisible }).catch((error: unknown) => {
			if (isDivisible && error instanceof ServiceError && mayBeTooMuch(error)) return undefined;
			throw error;
		});
		if (client) {
			const sizes = client.cache.part(pageSizeLimits);
			const { account } = client.connection;
			if (!page) sizes.set(account, Math.max(firstPageSize, Math.floor(limit / 2)));
			const size = nextPageSize(this.size, client.cache.serviceMilliseconds - before);
			this.size = Math.min(size, sizes.get(account) ?? maxPageSize);
		}
		if (!page) return await this.read(offset, maxRecords);
		return { page, isLast: page.length < Math.min(limit, firstPageSize) };
	}
}

function repeatedPages(): ServiceError {
	return new ServiceError({
		kind: 'unexpected',
		message: 'The service sends the same records again and again instead of the next page',
		description: 'Ask for pages of 1000 records, or narrow the filters.',
	});
}

/**
 * Reads pages that overlap by one record. If a page does not contain the last record of the previous page, records have
 * left the list and later records have moved up. The page is then read again from a lower offset, finally from offset 0.
 */
async function* pages<T extends { id: string }>(
	reader: PageReader<T>,
	limit: number,
	after: ListPosition,
	keyOf: (record: T) => string,
): AsyncGenerator<{ fresh: T[]; count: number }> {
	// Records that moved to a later position appear again, so remember all keys, not only the last one.
	const seen = new Set(after.keys);
	let { count } = after;
	let lastKey = after.keys.at(-1);
	let left = limit;
	let stepBack = 0;
	let repeatedRecords = 0;
	const isJoined = (keys: readonly string[], offset: number): boolean => {
		if (offset === 0 || keys.some((key) => key === lastKey)) return true;
		// The last record may have left the list. After a step back, a page that starts with any earlier record overlaps, too.
		const [firstKey] = keys;
		return stepBack > 0 && firstKey !== undefined && seen.has(firstKey);
	};
	while (left > 0) {
		const offset = Math.max(0, count - 1 - stepBack);
		const { page: records, isLast } = await reader.read(offset, count - offset + left);
		const hasOverlap = isJoined(records.map(keyOf), offset);
		const unseen = hasOverlap ? records.filter((record) => !seen.has(keyOf(record))) : [];
		const fresh = unseen.slice(0, left);
		repeatedRecords = fresh.length === 0 ? repeatedRecords + records.length : 0;
		if (repeatedRecords > maxRepeatedRecords + seen.size) throw repeatedPages();
		if (!hasOverlap) {
			stepBack = stepBack * 2 || Math.ceil(reader.size / 2);
			continue;
		}
		stepBack = 0;
		left -= fresh.length;
		for (const record of fresh) seen.add(keyOf(record));
		// The next page starts at the last record, or at the last record to return.
		const last = (left > 0 ? records : fresh).at(-1);
		if (last) {
			lastKey = keyOf(last);
			count = offset + records.indexOf(last) + 1;
		}
		if (fresh.length > 0) yield { fresh, count };
		if (isLast) return;
	}
}

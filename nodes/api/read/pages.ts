import type { SheetRecord } from './record';
import type { RawAnswer } from '../http/answer';
import { ServiceError } from '../http/serviceError';
import type { Client } from '../http/client';
import { jsonpRecordsIn, listPage } from './records';
import type { DecodePage, ListRequest, PageRange } from './records';
import { mayBeTooMuch } from '../http/policies';
import type { CachePart } from '../http/runCache';

/** A list has so many records unless it is asked for more, and may be cut to them (specification, "Limits"). */
const firstPageSize = 1_000;
const largestPageSize = 10_000;
const smallestPageSize = 250;
/** A page that comes faster than this is followed by a larger one. */
const quickMilliseconds = 2_000;
/** A page that takes longer than this is followed by a smaller one. */
const slowMilliseconds = 10_000;

/** Known records in a row, beside all that are known, for which others that come or go can be the reason. */
const mostStaleRecords = 5_000;

/** How large pages may grow in a run: what is larger was too much for the service, or for the way from it. */
const largestSizes: CachePart<number> = { name: 'largestSizes' };

/** How far a list has been read. */
export interface ListPosition {
	/** The place of the last record that was read, counted from 1. */
	count: number;
	/** The last records that were read, in their order: their ids, or their keys by `keyOf`. */
	keys: readonly string[];
}

type ReadPage<T> = (range: PageRange) => Promise<T[]>;

/**
 * The size of the page after one of `size` records that took so long: doubled when the service is
 * quick, halved when it is slow.
 */
export function nextPageSize(size: number, milliseconds: number): number {
	if (milliseconds > slowMilliseconds) return Math.max(smallestPageSize, Math.floor(size / 2));
	if (milliseconds < quickMilliseconds) return Math.min(largestPageSize, size * 2);
	return size;
}

/**
 * Yields the records of a list, page by page, in the order of the service; at most `limit` of them. Each comes
 * once, and none is passed over although others are added, removed or changed meanwhile; where a change
 * moves the record itself to another place, it may be missed. Throws ServiceError.
 *
 * @param decode makes records of a page; some are made in vain, where pages overlap
 * @param pageSize fixes the size of pages, to no less than 2, since they overlap; 0 finds it by the speed of the service
 */
export async function* listPages<T extends { id: string }>(
	client: Client,
	request: ListRequest,
	decode: DecodePage<T>,
	limit = Infinity,
	pageSize = 0,
): AsyncGenerator<T[]> {
	const readPage = async (range: PageRange) => await listPage(client, request, range, decode);
	const reader =
		pageSize > 0
			? new PageReader(readPage, Math.max(2, pageSize))
			: new PageReader(readPage, firstPageSize, client);
	for await (const { fresh } of pages(reader, limit)) yield fresh;
}

/**
 * Yields the texts of a list's pages as the service wraps them in a call of the named function (JSONP;
 * specification, endpoint 1, `callback`), each with its new records. A record that two pages share stands in both texts.
 */
export async function* jsonpPages(
	client: Client,
	request: ListRequest,
	callback: string,
	limit: number,
	pageSize: number,
): AsyncGenerator<{ text: string; records: SheetRecord[] }> {
	const { more = [] } = request.reading;
	const reading = { ...request.reading, more: [...more, ['callback', callback] as const] };
	let text = '';
	const decode = (answer: RawAnswer) => {
		({ text } = answer);
		return jsonpRecordsIn(answer);
	};
	const read = listPages(client, { ...request, reading }, decode, limit, pageSize);
	for await (const records of read) yield { text, records };
}

/** Records of a list, and the position behind them unless the list ends there. */
export interface Part<T> {
	records: T[];
	position?: ListPosition;
}

/**
 * The next `limit` records of a list that is read bit by bit, with any time in between.
 *
 * @param keyOf returns the identity of a record; when it includes its place, a record that moves comes again
 */
export async function readAfter<T extends { id: string }>(
	readPage: ReadPage<T>,
	limit: number,
	after?: ListPosition,
	keyOf: (record: T) => string = idOf,
): Promise<Part<T>> {
	// One more than wanted is the record before, by which the place is known.
	const reader = new PageReader(readPage, limit + 1);
	const records: T[] = [];
	let count = 0;
	for await (const part of pages(reader, limit, after, keyOf)) {
		records.push(...part.fresh);
		({ count } = part);
	}
	if (records.length < limit) return { records };
	return { records, position: { count, keys: records.map(keyOf) } };
}

/** Reads pages of a list, as large as was asked for, or as the service carries them. */
class PageReader<T> {
	/** @param client whose speed changes the size of pages; without one it is fixed */
	constructor(
		private readonly readPage: ReadPage<T>,
		public size: number,
		private readonly client?: Client,
	) {}

	/**
	 * A page of at most so many records, and whether the list ends with it: a short one ends it, unless it is so
	 * long that the service may have cut it.
	 */
	async read(offset: number, most: number): Promise<{ page: T[]; isLast: boolean }> {
		const limit = Math.min(this.size, most);
		const { client } = this;
		const isDivisible = client !== undefined && limit > firstPageSize;
		const before = client?.cache.serviceMilliseconds ?? 0;
		const reading = this.readPage({ offset, limit, isDivisible });
		const page = await (isDivisible ? reading.catch(noneWhenTooMuch) : reading);
		if (page) {
			if (client) this.follow(client, client.cache.serviceMilliseconds - before);
			return { page, isLast: page.length < Math.min(limit, firstPageSize) };
		}
		this.size = Math.max(firstPageSize, Math.floor(limit / 2));
		client?.cache.part(largestSizes).set(client.connection.account, this.size);
		return await this.read(offset, most);
	}

	private follow({ cache, connection }: Client, milliseconds: number): void {
		const largest = cache.part(largestSizes).get(connection.account) ?? largestPageSize;
		this.size = Math.min(nextPageSize(this.size, milliseconds), largest);
	}
}

/**
 * Each page starts with the last record of the previous one. A page without that record is read again from further
 * back, finally from offset 0: records have left the list, and those that moved up have not been read yet.
 */
async function* pages<T extends { id: string }>(
	reader: PageReader<T>,
	limit: number,
	after: ListPosition = { count: 0, keys: [] },
	keyOf: (record: T) => string = idOf,
): AsyncGenerator<{ fresh: T[]; count: number }> {
	// A record that moves further back comes again: the boundary alone does not separate new records.
	const seen = new Set(after.keys);
	let { count } = after;
	let lastKey = after.keys.at(-1);
	let left = limit;
	let stepBack = 0;
	let staleRecords = 0;
	while (left > 0) {
		const offset = Math.max(0, count - 1 - stepBack);
		const { page: records, isLast } = await reader.read(offset, count - offset + left);
		const [first] = records;
		const isJoined =
			offset === 0 ||
			records.some((record) => keyOf(record) === lastKey) ||
			// The last one may have left the list itself; then any before it will do.
			(stepBack > 0 && first !== undefined && seen.has(keyOf(first)));
		const isFresh = (record: T) => !seen.has(keyOf(record));
		const fresh = isJoined ? records.filter(isFresh).slice(0, left) : [];
		staleRecords = fresh.length === 0 ? staleRecords + records.length : 0;
		if (staleRecords > mostStaleRecords + seen.size) throw samePageAgain();
		if (!isJoined) {
			stepBack = stepBack * 2 || Math.ceil(reader.size / 2);
			continue;
		}
		stepBack = 0;
		left -= fresh.length;
		for (const record of fresh) seen.add(keyOf(record));
		const last = (left > 0 ? records : fresh).at(-1);
		if (last) {
			lastKey = keyOf(last);
			count = offset + records.indexOf(last) + 1;
		}
		if (fresh.length > 0) yield { fresh, count };
		if (isLast) return;
	}
}

function idOf({ id }: { id: string }): string {
	return id;
}

function noneWhenTooMuch(error: unknown): undefined {
	if (error instanceof ServiceError && mayBeTooMuch(error)) return undefined;
	throw error;
}

function samePageAgain(): ServiceError {
	return new ServiceError({
		kind: 'refused',
		message: 'The service sends the same records again and again instead of the next page',
		description: 'Ask for pages of 1000 records, or narrow the filters.',
	});
}

import type { RawAnswer } from '../http/answer';
import type { Client } from '../http/client';
import { mayBeTooMuch } from '../http/policies';
import { CachePart } from '../http/runCache';
import { ServiceError } from '../http/serviceError';
import { withoutTrailing } from '../json/objects';
import type { SheetRecord } from './record';
import { listPage, recordsIn } from './records';
import type { DecodePage, ListRequest, PageRange } from './records';

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
const largestSizes = new CachePart<number>();

/** How far a list has been read. */
export interface ListPosition {
	/** The place of the last record that was read, counted from 1. */
	count: number;
	/** The last records that were read, in their order: their ids, or their keys by `keyOf`. */
	keys: readonly string[];
}

type ReadPage<T> = (range: PageRange) => Promise<T[]>;

/** Returns the size of the page after one of `size` records: doubled when the service is quick, halved when it is slow. */
export function nextPageSize(size: number, milliseconds: number): number {
	if (milliseconds > slowMilliseconds) return Math.max(smallestPageSize, Math.floor(size / 2));
	if (milliseconds < quickMilliseconds) return Math.min(largestPageSize, size * 2);
	return size;
}

/**
 * Yields at most `limit` records of a list, page by page, in the order of the service. Each comes once, and none is passed
 * over although others come, go or change meanwhile; one that moves itself may be missed. Throws ServiceError.
 *
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
	const isFixed = pageSize > 0;
	const size = isFixed ? Math.max(2, pageSize) : firstPageSize;
	const reader = new PageReader(readPage, size, isFixed ? undefined : client);
	for await (const { fresh } of pages(reader, limit)) yield fresh;
}

/** Yields the texts of a list's pages as JSONP (specification, endpoint 1, `callback`), each with its new records. */
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
		const call = withoutTrailing(text.trim(), ';').trimEnd();
		// A refusal may come unwrapped.
		const json = /^[^({<[]*\(([\s\S]*)\)$/.exec(call)?.[1] ?? text;
		return recordsIn({ ...answer, text: json });
	};
	const read = listPages(client, { ...request, reading }, decode, limit, pageSize);
	for await (const records of read) yield { text, records };
}

/** Records of a list, and the position behind them unless the list ends there. */
export interface Part<T> {
	records: T[];
	position?: ListPosition;
}

/** Returns the next `limit` records of a list that is read bit by bit. One that gets another key comes again. */
export async function readAfter<T extends { id: string }>(
	readPage: ReadPage<T>,
	limit: number,
	after?: ListPosition,
	keyOf: (record: T) => string = ({ id }) => id,
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

	/** Returns at most so many records, and whether they end the list: few do, but many may have been cut by the service. */
	async read(offset: number, most: number): Promise<{ page: T[]; isLast: boolean }> {
		const limit = Math.min(this.size, most);
		const { client } = this;
		const isDivisible = client !== undefined && limit > firstPageSize;
		const before = client?.cache.serviceMilliseconds ?? 0;
		const page = await this.readPage({ offset, limit, isDivisible }).catch((error: unknown) => {
			if (isDivisible && error instanceof ServiceError && mayBeTooMuch(error)) return undefined;
			throw error;
		});
		if (client) {
			const sizes = client.cache.part(largestSizes);
			const { account } = client.connection;
			if (!page) sizes.set(account, Math.max(firstPageSize, Math.floor(limit / 2)));
			const size = nextPageSize(this.size, client.cache.serviceMilliseconds - before);
			this.size = Math.min(size, sizes.get(account) ?? largestPageSize);
		}
		if (!page) return await this.read(offset, most);
		return { page, isLast: page.length < Math.min(limit, firstPageSize) };
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
	keyOf: (record: T) => string = ({ id }) => id,
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
		const others = isJoined ? records.filter((record) => !seen.has(keyOf(record))) : [];
		const fresh = others.slice(0, left);
		staleRecords = fresh.length === 0 ? staleRecords + records.length : 0;
		if (staleRecords > mostStaleRecords + seen.size) {
			throw new ServiceError({
				kind: 'refused',
				message: 'The service sends the same records again and again instead of the next page',
				description: 'Ask for pages of 1000 records, or narrow the filters.',
			});
		}
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

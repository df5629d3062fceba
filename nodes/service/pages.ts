import type { SheetRecord } from '../wire/record';
import { ServiceError } from '../wire/serviceError';
import type { Client } from './client';
import { listJsonpPage, listTimedPage } from './records';
import type { ListRequest, PageRange, TimedPage } from './records';
import { mayBeTooMuch } from './retry';

/** A list has so many records unless it is asked for more, and may be cut to them (specification, "Limits"). */
const firstPageSize = 1_000;
const largestPageSize = 10_000;
const smallestPageSize = 250;
/** A page that comes faster than this is followed by a larger one. */
const quickMilliseconds = 2_000;
/** A page that takes longer than this is followed by a smaller one. */
const slowMilliseconds = 10_000;

/** Pages in a row without anything new that records on the move can explain. */
const mostStalePages = 5;

/** How large pages may grow: what is larger was too much for the service, or for the way from it. */
const largestSizes = new WeakMap<Client, number>();

/** How far a list has been read. */
export interface ListPosition {
	/** The place of the last record that was read, counted from 1. */
	count: number;
	/** The last records that were read, in their order. */
	ids: readonly string[];
}

interface PagedReading<T extends TimedPage> {
	client: Client;
	readPage: (range: PageRange) => Promise<T>;
	limit: number;
	/** Fixes the size of pages; 0 finds it by the speed of the service. */
	pageSize: number;
	after?: ListPosition;
}

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
 * The records of a list, page by page, in the order of the service; at most `limit` of them. Each comes
 * once, and none is passed over although others are added, removed or changed meanwhile; where a change
 * moves the record itself to another place, it may be missed.
 *
 * @param pageSize fixes the size of pages; 0 finds it by the speed of the service
 * @throws ServiceError
 */
export async function* listPages(
	client: Client,
	request: ListRequest,
	limit: number,
	pageSize: number,
): AsyncGenerator<SheetRecord[]> {
	const readPage = async (range: PageRange) => await listTimedPage(client, request, range);
	for await (const { fresh } of pages({ client, readPage, limit, pageSize })) yield fresh;
}

/**
 * The texts of a list's pages as the service wraps them in a call of the named function (JSONP;
 * specification, endpoint 1, `callback`). A record that two pages share stands in both texts.
 *
 * @throws ServiceError
 */
export async function* jsonpPages(
	client: Client,
	request: ListRequest,
	callback: string,
	limit: number,
	pageSize: number,
): AsyncGenerator<string> {
	const readPage = async (range: PageRange) =>
		await listJsonpPage(client, request, callback, range);
	for await (const { page } of pages({ client, readPage, limit, pageSize })) yield page.text;
}

/**
 * The next `limit` records of a list that is read bit by bit, with any time in between.
 *
 * @returns the position behind them, unless the list ends there
 * @throws ServiceError
 */
export async function listAfter(
	client: Client,
	request: ListRequest,
	limit: number,
	after: ListPosition | undefined,
): Promise<{ records: SheetRecord[]; position?: ListPosition }> {
	const readPage = async (range: PageRange) => await listTimedPage(client, request, range);
	const records: SheetRecord[] = [];
	let count = 0;
	// One more than wanted is the record before, by which the place is known.
	for await (const part of pages({ client, readPage, limit, pageSize: limit + 1, after })) {
		records.push(...part.fresh);
		({ count } = part);
	}
	if (records.length < limit) return { records };
	return { records, position: { count, ids: records.map(({ id }) => id) } };
}

/**
 * Each page begins with the last record of the one before. Where it does not hold that record, others have
 * left the list, and what moved up is not read yet: the page is read again from further back, from the list's
 * beginning at last.
 */
async function* pages<T extends TimedPage>({
	client,
	readPage,
	limit,
	pageSize,
	after,
}: PagedReading<T>): AsyncGenerator<{ fresh: SheetRecord[]; page: T; count: number }> {
	// A record that moved behind the last one comes again, so the boundary alone does not tell what is new.
	const seen = new Set(after?.ids);
	let lastId = after?.ids.at(-1);
	let count = after?.count ?? 0;
	let left = limit;
	let stepBack = 0;
	let stalePages = 0;
	let size = pageSize > 0 ? pageSize : firstPageSize;
	while (left > 0) {
		const offset = Math.max(0, count - 1 - stepBack);
		// One record alone would be the one before.
		const limitOfPage = Math.min(Math.max(size, count === 0 ? 1 : 2), left + count - offset);
		const isGrown = pageSize <= 0 && limitOfPage > firstPageSize;
		let page: T;
		try {
			page = await readPage({ offset, limit: limitOfPage, isDivisible: isGrown });
		} catch (thrown) {
			if (!isGrown || !(thrown instanceof ServiceError) || !mayBeTooMuch(thrown)) throw thrown;
			size = Math.max(firstPageSize, Math.floor(limitOfPage / 2));
			largestSizes.set(client, size);
			continue;
		}
		const { records, milliseconds } = page;
		const isJoined =
			offset === 0 ||
			records.some(({ id }) => id === lastId) ||
			// The last one may have left the list itself; then any before it will do.
			(stepBack > 0 && seen.has(records[0]?.id ?? ''));
		const fresh = isJoined ? records.filter(({ id }) => !seen.has(id)).slice(0, left) : [];
		stalePages = fresh.length === 0 ? stalePages + 1 : 0;
		if (stalePages > mostStalePages + seen.size / Math.max(1, records.length - 1)) {
			throw samePageAgain();
		}
		if (!isJoined) {
			stepBack = stepBack === 0 ? Math.ceil(size / 2) : stepBack * 2;
			continue;
		}
		stepBack = 0;
		left -= fresh.length;
		for (const { id } of fresh) seen.add(id);
		const last = (left > 0 ? records : fresh).at(-1);
		if (last) {
			lastId = last.id;
			count = offset + records.indexOf(last) + 1;
		}
		if (fresh.length > 0) yield { fresh, page, count };
		// A short page ends the list, unless it is so long that the service may have cut it.
		if (records.length < Math.min(limitOfPage, firstPageSize)) return;
		if (pageSize <= 0) {
			size = Math.min(nextPageSize(size, milliseconds), largestSizes.get(client) ?? Infinity);
		}
	}
}

function samePageAgain(): ServiceError {
	return new ServiceError({
		kind: 'refused',
		message: 'The service sends the same records again and again instead of the next page',
		description: "Set 'Page Size' to 1000, or narrow the filters.",
	});
}

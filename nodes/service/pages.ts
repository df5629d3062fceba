import type { SheetRecord } from '../wire/record';
import { ServiceError } from '../wire/serviceError';
import type { Client } from './client';
import { listJsonpPage, listTimedPage } from './records';
import type { ListRequest, TimedPage } from './records';

const firstPageSize = 1_000;
const largestPageSize = 10_000;
const smallestPageSize = 250;
/** A page that comes faster than this is followed by a larger one. */
const quickMilliseconds = 2_000;
/** A page that takes longer than this is followed by a smaller one. */
const slowMilliseconds = 10_000;

/** Pages in a row without anything new: more than records on the move can explain. */
const mostStalePages = 5;

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
 * The records of a list, page by page, in the order of the service; at most `limit` of them.
 *
 * A page that is shorter than asked for proves nothing, since the service may cap pages without a word:
 * only an empty one ends the list (specification, "Limits"). A record that moves between two pages comes once.
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
	const readPage = async (offset: number, size: number) =>
		await listTimedPage(client, request, offset, size);
	for await (const { fresh } of pages(readPage, limit, pageSize)) yield fresh;
}

/**
 * The texts of a list's pages as the service wraps them in a call of the named function (JSONP;
 * specification, endpoint 1, `callback`).
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
	const readPage = async (offset: number, size: number) =>
		await listJsonpPage(client, request, callback, offset, size);
	for await (const { page } of pages(readPage, limit, pageSize)) yield page.text;
}

async function* pages<T extends TimedPage>(
	readPage: (offset: number, size: number) => Promise<T>,
	limit: number,
	pageSize: number,
): AsyncGenerator<{ fresh: SheetRecord[]; page: T }> {
	const seen = new Set<string>();
	let stalePages = 0;
	let size = pageSize > 0 ? pageSize : firstPageSize;
	for (let offset = 0; seen.size < limit;) {
		const page = await readPage(offset, Math.min(size, limit - seen.size));
		const { records, milliseconds } = page;
		if (records.length === 0) return;
		offset += records.length;
		const fresh = records.filter(({ id }) => !seen.has(id)).slice(0, limit - seen.size);
		for (const { id } of fresh) seen.add(id);
		stalePages = fresh.length === 0 ? stalePages + 1 : 0;
		if (stalePages > mostStalePages) throw samePageAgain();
		if (pageSize <= 0) size = nextPageSize(size, milliseconds);
		yield { fresh, page };
	}
}

function samePageAgain(): ServiceError {
	return new ServiceError({
		kind: 'refused',
		message: 'The service sends the same records again and again instead of the next page',
		description: "Set 'Page Size' to 1000, or narrow the filters.",
	});
}

import { acquire } from '../../../../nodes/api/http/waiting';
import { jsonpPages, listPages, nextPageSize } from '../../../../nodes/api/read/pages';
import { recordsIn } from '../../../../nodes/api/read/records';
import { FakeService } from '../http/fakeService';
import { request, pageAsked, recordsText, listing, idsRead, upTo } from './listedPages';

describe('pages', () => {
	it.each([
		[3, 1],
		[999, 1],
		// The page is full, or as long as the service's possible maximum, so there may be more records.
		[1000, 2],
	])('pages end with a short page: %i records take %i requests', async (count, requests) => {
		const service = new FakeService(listing(upTo(count)));
		expect(await idsRead(service)).toEqual(upTo(count));
		expect(service.requests).toHaveLength(requests);
	});

	it('pages that repeat the same records end with an error', async () => {
		const service = new FakeService(() => ({ body: recordsText(upTo(1000)) }));
		await expect(idsRead(service)).rejects.toMatchObject({
			message: expect.stringContaining('the same records again and again'),
		});
		expect(service.requests.length).toBeLessThan(10);
	});

	it.each([
		'{"7":"a field"}',
		'{"error":{"message":"No such sheet"}}',
		'{"data":{}}',
		'[]',
		'null',
	])('a page that is not a list of records is an error: %s', async (body) => {
		const service = new FakeService(() => ({ body }));
		await expect(idsRead(service)).rejects.toMatchObject({
			kind: 'unexpected',
			message: 'The service answered with something else than records',
		});
		expect(service.requests).toHaveLength(1);
	});
});

describe('the size of pages', () => {
	it('the page size doubles if the service is fast, and halves if it is slow, within limits', () => {
		const times = [0, 1999, 2000, 10_000, 10_001];
		const sizes = times.map((milliseconds) => nextPageSize(1000, milliseconds));
		expect(sizes).toEqual([2000, 2000, 1000, 1000, 500]);
		expect([1_999, 2_000, 10_000, 10_001].map((time) => nextPageSize(1000, time))).toEqual([
			...[2000, 1000, 1000, 500],
		]);
		expect([5000, 8000].map((size) => nextPageSize(size, 0))).toEqual([10_000, 10_000]);
		expect([501, 250].map((size) => nextPageSize(size, 20_000))).toEqual([250, 250]);
	});

	it('the time in the queue does not reduce the page size', async () => {
		jest.useFakeTimers();
		const service: FakeService = new FakeService((asked) => {
			jest.advanceTimersByTime(1000);
			return listing(upTo(20_000))(asked);
		});
		const client = await service.connect();
		const pages = listPages(client, request, recordsIn);
		try {
			for (let count = 0; count < 4; count++) {
				// A request of another execution occupies the account's queue for a minute.
				const endTurn = await acquire(client.connection.rateLimit.account);
				const next = pages.next();
				await jest.advanceTimersByTimeAsync(60_000);
				endTurn();
				await next;
			}
		} finally {
			jest.useRealTimers();
		}
		const sizes = service.requests.map((asked) => pageAsked(asked).limit);
		expect(sizes).toEqual([1000, 2000, 4000, 8000]);
	});

	it('a page that takes too long is halved, and later pages keep the size that worked', async () => {
		const list = listing(upTo(9000));
		const service = new FakeService((asked) => {
			if (pageAsked(asked).limit <= 3000) return list(asked);
			throw Object.assign(new Error('It failed'), { code: 'ECONNABORTED' });
		});
		expect(await idsRead(service)).toEqual(upTo(9000));
		const sizes = service.requests.map((asked) => pageAsked(asked).limit);
		expect(sizes).toEqual([1000, 2000, 4000, 2000, 2000, 2000, 2000]);
	});
});

it.each([1, 20, 25, 30, Infinity])(
	'a list that needs several requests ends at its limit of %d, with each record once',
	async (limit) => {
		const where = ['a', 'b'].map((letter) => ({
			...{ fieldId: '7', operator: 'eq', value: letter.repeat(4_000) },
			isOneOf: true as const,
		}));
		// Ten of the twenty records of each list are in both lists.
		const service = new FakeService((asked) =>
			listing(upTo(asked.url.search.includes('aaa') ? 20 : 30).slice(0, 20))(asked),
		);
		const ids: number[] = [];
		const client = await service.connect();
		for await (const page of listPages(client, { ...request, where }, recordsIn, { limit })) {
			ids.push(...page.map(({ id }) => Number(id)));
		}
		expect(new Set(ids).size).toBe(ids.length);
		expect(ids).toHaveLength(Math.min(limit, 30));
	},
);

it('JSONP pages may contain parentheses anywhere', async () => {
	const texts = ['show.records({"1":{"7":"a) (b"}})', 'show.records( {} ) ; '];
	const service: FakeService = new FakeService(() => ({
		body: texts[service.requests.length - 1],
	}));
	const client = await service.connect();
	const read = jsonpPages(client, request, 'show.records', { pageSize: 2 });
	for await (const { text } of read) expect(text).toBe(texts[0]);
	expect(service.requests).toHaveLength(1);
});

import fc from 'fast-check';
import { inTurn } from '../../../nodes/service/pace';
import { jsonpPages, listPages, nextPageSize } from '../../../nodes/service/pages';
import type { ListRequest } from '../../../nodes/service/records';
import { FakeService } from './fakeService';
import type { FakeAnswer, FakeRequest } from './fakeService';

const request: ListRequest = {
	sheet: { folders: ['sales'], sheetIndex: 1 },
	where: [{ fieldId: '7', operator: 'eq', value: 'a,b' }],
	parameters: [['naming', 'EID']],
};

function pageAsked({ url }: FakeRequest): { offset: number; limit: number } {
	return {
		offset: Number(url.searchParams.get('offset')),
		limit: Number(url.searchParams.get('limit')),
	};
}

/** Ids in an order of their own, as text: an object of JavaScript would sort them. */
const recordsText = (ids: readonly number[]) =>
	`{${ids.map((id) => `"${id}":{"_svcId":${id}}`).join()}}`;

/** A service that never sends more than `cap` records, and says nothing about it. */
function listing(ids: readonly number[], cap = Infinity): (asked: FakeRequest) => FakeAnswer {
	return (asked) => {
		const { offset, limit } = pageAsked(asked);
		return { body: recordsText(ids.slice(offset, offset + Math.min(limit, cap))) };
	};
}

async function idsRead(service: FakeService, limit = Infinity, pageSize = 0): Promise<number[]> {
	const ids: number[] = [];
	for await (const page of listPages(await service.connect(), request, limit, pageSize)) {
		ids.push(...page.map(({ id }) => Number(id)));
	}
	return ids;
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => count - index);

describe('pages', () => {
	it('give every record once, in order, up to the limit, whatever the service caps', async () => {
		const limits = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constant(Infinity));
		const sizes = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 15 }));
		await fc.assert(
			fc.asyncProperty(
				fc.nat({ max: 40 }),
				fc.integer({ min: 1, max: 12 }),
				limits,
				sizes,
				async (count, cap, limit, size) => {
					const service = new FakeService(listing(upTo(count), cap));
					expect(await idsRead(service, limit, size)).toEqual(upTo(count).slice(0, limit));
					for (const asked of service.requests.map(pageAsked)) {
						expect(asked.limit).toBeGreaterThan(0);
						expect(asked.limit).toBeLessThanOrEqual(Math.min(limit, size || 10_000));
					}
				},
			),
			{ numRuns: 200 },
		);
	});

	it('are asked for with the filter as it must be encoded, and with what is missing to the limit', async () => {
		const service = new FakeService(listing(upTo(9)));
		expect(await idsRead(service, 7, 5)).toEqual([9, 8, 7, 6, 5, 4, 3]);
		expect(service.requests.map(({ url }) => url.search)).toEqual([
			'?api&naming=EID&limit=5&offset=0&where=7,eq,a%2Cb',
			'?api&naming=EID&limit=2&offset=5&where=7,eq,a%2Cb',
		]);
	});

	it('end with an empty one: a short one proves nothing', async () => {
		const service = new FakeService(listing(upTo(3)));
		expect(await idsRead(service)).toEqual([3, 2, 1]);
		expect(service.requests.map(pageAsked)).toEqual([
			{ offset: 0, limit: 1000 },
			{ offset: 3, limit: 2000 },
		]);
	});

	it('give a record that moves between them once', async () => {
		const ids = upTo(8);
		const list = listing(ids);
		const service: FakeService = new FakeService((asked) => {
			const page = list(asked);
			if (service.requests.length === 1) ids.unshift(99);
			return page;
		});
		expect(await idsRead(service, Infinity, 3)).toEqual(upTo(8));
	});

	it('give as many records as the limit says when some moved', async () => {
		const ids = upTo(8);
		const list = listing(ids);
		const service: FakeService = new FakeService((asked) => {
			const page = list(asked);
			if (service.requests.length < 3) ids.unshift(100 + service.requests.length);
			return page;
		});
		expect(await idsRead(service, 6, 3)).toEqual([8, 7, 6, 5, 4, 3]);
	});

	it('are cut when the service sends more than was asked for', async () => {
		const service = new FakeService(() => ({ body: recordsText(upTo(9)) }));
		expect(await idsRead(service, 4)).toEqual([9, 8, 7, 6]);
		expect(service.requests).toHaveLength(1);
	});

	it('that are the same again and again end with an error', async () => {
		const service = new FakeService(() => ({ body: recordsText(upTo(9)) }));
		await expect(idsRead(service)).rejects.toMatchObject({
			message: expect.stringContaining('the same records again and again'),
		});
		expect(service.requests.length).toBeLessThan(10);
	});

	it('are not read before they are wanted', async () => {
		const service = new FakeService(listing(upTo(9)));
		for await (const page of listPages(await service.connect(), request, Infinity, 2)) {
			expect(page.map(({ id }) => id)).toEqual(['9', '8']);
			break;
		}
		expect(service.requests).toHaveLength(1);
	});

	it('that hold no records are an error', async () => {
		const service = new FakeService(() => ({ body: '{"7":"a field"}' }));
		await expect(idsRead(service)).rejects.toMatchObject({ kind: 'refused' });
	});
});

describe('the size of pages', () => {
	it('doubles when the service is quick, and halves when it is slow, within bounds', () => {
		expect(
			[0, 1999, 2000, 10_000, 10_001].map((milliseconds) => nextPageSize(1000, milliseconds)),
		).toEqual([2000, 2000, 1000, 1000, 500]);
		expect([5000, 8000, 10_000].map((size) => nextPageSize(size, 0))).toEqual([
			10_000, 10_000, 10_000,
		]);
		expect([501, 400, 250].map((size) => nextPageSize(size, 20_000))).toEqual([250, 250, 250]);
	});

	/** The sizes asked for when the pages take so many seconds, one after the other. */
	async function sizesAsked(seconds: readonly number[], pageSize: number): Promise<number[]> {
		jest.useFakeTimers();
		const service: FakeService = new FakeService((asked) => {
			jest.advanceTimersByTime((seconds[service.requests.length - 1] ?? 0) * 1000);
			const { offset } = pageAsked(asked);
			return { body: service.requests.length > seconds.length ? {} : recordsText([offset]) };
		});
		try {
			await idsRead(service, Infinity, pageSize);
		} finally {
			jest.useRealTimers();
		}
		return service.requests.map((asked) => pageAsked(asked).limit);
	}

	it('is 1000 first, and follows the speed of the service', async () => {
		expect(await sizesAsked([1, 1, 1, 1, 1], 0)).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000]);
		expect(await sizesAsked([1, 12, 5, 35, 35, 35], 0)).toEqual([
			1000, 2000, 1000, 1000, 500, 250, 250,
		]);
	});

	it('does not shrink because others had their turn first', async () => {
		jest.useFakeTimers();
		const service: FakeService = new FakeService((asked) => {
			jest.advanceTimersByTime(1000);
			const { offset } = pageAsked(asked);
			return { body: service.requests.length > 3 ? {} : recordsText([offset]) };
		});
		const client = await service.connect();
		const pages = listPages(client, request, Infinity, 0);
		try {
			for (let count = 0; count < 4; count++) {
				// A request of another execution takes a minute of the same account's queue.
				let leave = () => {};
				const other = inTurn(
					{
						account: `${client.connection.baseUrl}/${client.connection.account}`,
						requestsPerSecond: 0,
					},
					async () => await new Promise<void>((resolve) => (leave = resolve)),
				);
				const next = pages.next();
				await jest.advanceTimersByTimeAsync(60_000);
				leave();
				await other;
				await next;
			}
		} finally {
			jest.useRealTimers();
		}
		expect(service.requests.map((asked) => pageAsked(asked).limit)).toEqual([
			1000, 2000, 4000, 8000,
		]);
	});

	it('stays as it was given', async () => {
		expect(await sizesAsked([1, 12, 35], 700)).toEqual([700, 700, 700, 700]);
	});
});

describe('pages as JSONP', () => {
	const wrapped = (list: (asked: FakeRequest) => FakeAnswer) => (asked: FakeRequest) => ({
		body: `${asked.url.searchParams.get('callback')}(${String(list(asked).body)});`,
	});

	async function textsRead(service: FakeService, limit = Infinity): Promise<string[]> {
		const texts: string[] = [];
		const client = await service.connect();
		for await (const text of jsonpPages(client, request, 'show.records', limit, 2))
			texts.push(text);
		return texts;
	}

	it('are the texts of the service, as they came', async () => {
		const service = new FakeService(wrapped(listing(upTo(3))));
		expect(await textsRead(service)).toEqual([
			'show.records({"3":{"_svcId":3},"2":{"_svcId":2}});',
			'show.records({"1":{"_svcId":1}});',
		]);
		expect(service.requests.map(({ url }) => url.searchParams.get('callback'))).toEqual(
			Array(3).fill('show.records'),
		);
	});

	it('hold a parenthesis wherever they like', async () => {
		const texts = ['show.records({"1":{"7":"a) (b"}})', 'show.records( {} ) ; '];
		const service: FakeService = new FakeService(() => ({
			body: texts[service.requests.length - 1],
		}));
		expect(await textsRead(service)).toEqual([texts[0]]);
	});

	it.each([
		['wrapped', 'show.records({"status":"ERROR","code":106,"msg":"No"})'],
		['bare', '{"status":"ERROR","code":106,"msg":"No (really)"}'],
	])('are an error when the service refuses: %s', async (_, body) => {
		await expect(textsRead(new FakeService(() => ({ body })))).rejects.toMatchObject({
			kind: 'noAccess',
		});
	});
});

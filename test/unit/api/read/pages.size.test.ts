import { listPages, nextPageSize } from '../../../../nodes/api/read/pages';
import { recordsIn } from '../../../../nodes/api/read/records';
import { acquire } from '../../../../nodes/api/http/waiting';
import { FakeService, type FakeAnswer } from '../http/fakeService';
import {
	request,
	pageAsked,
	recordsText,
	listing,
	paramsError,
	idsRead,
	upTo,
} from './listedPages';

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
			const { offset, limit } = pageAsked(asked);
			const isLast = service.requests.length > seconds.length;
			return { body: recordsText(upTo(60_000).slice(offset, offset + (isLast ? 1 : limit))) };
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
			return listing(upTo(20_000))(asked);
		});
		const client = await service.connect();
		const pages = listPages(client, request, recordsIn);
		try {
			for (let count = 0; count < 4; count++) {
				// A request of another execution takes a minute of the same account's queue.
				const endTurn = await acquire(client.connection.rateLimit.account);
				const next = pages.next();
				await jest.advanceTimersByTimeAsync(60_000);
				endTurn();
				await next;
			}
		} finally {
			jest.useRealTimers();
		}
		expect(service.requests.map((asked) => pageAsked(asked).limit)).toEqual([
			1000, 2000, 4000, 8000,
		]);
	});
});

describe('a page that may grow', () => {
	/** A service that carries no more than so many records at once. */
	async function sizesAsked(most: number, refusal: () => FakeAnswer, count = 9000) {
		const list = listing(upTo(count));
		const service = new FakeService((asked) =>
			pageAsked(asked).limit > most ? refusal() : list(asked),
		);
		const client = await service.connect();
		const sizes: number[][] = [];
		for (let reading = 0; reading < 2; reading++) {
			const ids: number[] = [];
			for await (const page of listPages(client, request, recordsIn)) {
				ids.push(...page.map(({ id }) => Number(id)));
			}
			expect(ids).toEqual(upTo(count));
			sizes.push(service.requests.splice(0).map((asked) => pageAsked(asked).limit));
		}
		return sizes;
	}

	it.each<[string, () => FakeAnswer]>([
		['code 201', () => paramsError],
		[
			'a time-out',
			() => {
				throw Object.assign(new Error('It failed'), { code: 'ECONNABORTED' });
			},
		],
	])(
		'is halved at once when it was too much, and later ones stay at what worked: %s',
		async (_, refusal) => {
			expect(await sizesAsked(3000, refusal)).toEqual([
				[1000, 2000, 4000, 2000, 2000, 2000, 2000],
				[1000, 2000, 2000, 2000, 2000, 2000],
			]);
		},
	);

	it.each<[string, () => FakeAnswer, number]>([
		['what the first page meets', () => paramsError, 0],
		['another refusal', () => ({ body: { status: 'ERROR', code: 107, msg: 'No' } }), 1000],
	])('is not halved for %s', async (_, refusal, most) => {
		const list = listing(upTo(9000));
		const service = new FakeService((asked) =>
			pageAsked(asked).limit > most ? refusal() : list(asked),
		);
		await expect(idsRead(service)).rejects.toThrow();
		expect(service.requests).toHaveLength(most === 0 ? 1 : 2);
	});
});

import fc from 'fast-check';
import { jsonpPages, listPages } from '../../../../nodes/api/read/pages';
import { recordsIn } from '../../../../nodes/api/read/records';
import { FakeService } from '../http/fakeService';
import { request, pageAsked, recordsText, listing, idsRead, upTo } from './listedPages';

describe('pages', () => {
	it('give every record once, in order, up to the limit', async () => {
		const limits = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constant(Infinity));
		const sizes = fc.oneof(fc.constant(0), fc.integer({ min: 2, max: 15 }));
		await fc.assert(
			fc.asyncProperty(fc.nat({ max: 40 }), limits, sizes, async (count, limit, size) => {
				const service = new FakeService(listing(upTo(count)));
				expect(await idsRead(service, limit, size)).toEqual(upTo(count).slice(0, limit));
				for (const asked of service.requests.map(pageAsked)) {
					expect(asked.limit).toBeGreaterThan(0);
					expect(asked.limit).toBeLessThanOrEqual(Math.min(limit, size || 10_000));
				}
			}),
			{ numRuns: 200 },
		);
	});

	it.each([1000, 1001, 1700])(
		'give every record although the service sends no more than %i without a word',
		async (cap) => {
			for (const count of [cap - 1, cap, cap + 1, 2 * cap, 5000]) {
				const ids = await idsRead(new FakeService(listing(upTo(count), cap)));
				expect(ids).toEqual(upTo(count));
			}
		},
	);

	it('of one record would never get on: two are asked for', async () => {
		const service = new FakeService(listing(upTo(3)));
		expect(await idsRead(service, Infinity, 1)).toEqual([3, 2, 1]);
		expect(service.requests.map(pageAsked)).toEqual([
			{ offset: 0, limit: 2 },
			{ offset: 1, limit: 2 },
			{ offset: 2, limit: 2 },
		]);
	});

	it.each([
		[3, 1],
		[999, 1],
		// Full, or as long as the service may have cut it: there may be more.
		[1000, 2],
	])('end with a short one: %i records cost requests: %i', async (count, requests) => {
		const service = new FakeService(listing(upTo(count)));
		expect(await idsRead(service)).toEqual(upTo(count));
		expect(service.requests).toHaveLength(requests);
	});

	it('are cut when the service sends more than was asked for', async () => {
		const service = new FakeService(() => ({ body: recordsText(upTo(9)) }));
		expect(await idsRead(service, 4)).toEqual([9, 8, 7, 6]);
		expect(service.requests).toHaveLength(1);
	});

	it('that are the same again and again end with an error', async () => {
		const service = new FakeService(() => ({ body: recordsText(upTo(1000)) }));
		await expect(idsRead(service)).rejects.toMatchObject({
			message: expect.stringContaining('the same records again and again'),
		});
		expect(service.requests.length).toBeLessThan(10);
	});

	it('are not read before they are wanted', async () => {
		const service = new FakeService(listing(upTo(9)));
		for await (const page of listPages(await service.connect(), request, recordsIn, Infinity, 2)) {
			expect(page.map(({ id }) => id)).toEqual(['9', '8']);
			break;
		}
		expect(service.requests).toHaveLength(1);
	});

	it.each([
		'{"7":"a field"}',
		'{"error":{"message":"No such sheet"}}',
		'{"data":{}}',
		'{"total":{}}',
		'{"7":{},"8":null}',
		'{"-1":{}}',
		'[]',
		'null',
	])('that are no list of records are an error: %s', async (body) => {
		const service = new FakeService(() => ({ body }));
		await expect(idsRead(service)).rejects.toMatchObject({
			kind: 'refused',
			message: 'The service answered with something else than records',
		});
		expect(service.requests).toHaveLength(1);
	});
});

describe('pages as JSONP', () => {
	async function textsRead(service: FakeService, limit = Infinity): Promise<string[]> {
		const texts: string[] = [];
		const client = await service.connect();
		for await (const { text } of jsonpPages(client, request, 'show.records', limit, 2))
			texts.push(text);
		return texts;
	}

	it('hold a parenthesis wherever they like', async () => {
		const texts = ['show.records({"1":{"7":"a) (b"}})', 'show.records( {} ) ; '];
		const service: FakeService = new FakeService(() => ({
			body: texts[service.requests.length - 1],
		}));
		expect(await textsRead(service)).toEqual([texts[0]]);
	});
});

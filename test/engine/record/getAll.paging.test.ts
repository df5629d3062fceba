import type { INodeParameters } from 'n8n-workflow';

import { orders, type Fault, type SeenRequest } from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed({ demoRecords: 2_500 });

/** Small items, since what counts is which there are. */
const small = { subtables: false, onlyFields: orders.fields.orderNumber };
const getOrders = { operation: 'getAll', sheet: sheet(orders), options: small };

/** What each request for a page asked for: its size and how many records it skipped. */
function pagesAskedFor(): string[] {
	return testbed.reads.flatMap(({ query }) => {
		const { limit, offset } = Object.fromEntries(query);
		return limit === undefined ? [] : [`${limit}@${offset}`];
	});
}

async function listedIds(parameters: INodeParameters): Promise<unknown[]> {
	const result = await testbed.run({ ...getOrders, ...parameters });
	expect(result.error).toBeUndefined();
	return result.items.map(({ json }) => json._recordId);
}

function idsByCreation(): number[] {
	return [...testbed.service.data.sheet(orders).records.values()]
		.sort((left, right) => left.created.at - right.created.at)
		.map(({ id }) => id);
}

/** The clock stands still, but for what each request is said to take. */
function eachRequestTakes(milliseconds: number): void {
	let now = performance.now();
	jest.spyOn(performance, 'now').mockImplementation(() => now);
	testbed.service.switches.latencyMilliseconds = () => {
		now += milliseconds;
		return 0;
	};
}

afterEach(() => jest.restoreAllMocks());

describe('Limit', () => {
	it('of 1 asks for one record', async () => {
		expect(await listedIds({ limit: 1 })).toEqual([1]);
		expect(pagesAskedFor()).toEqual(['1@0']);
	});

	it('of 1500 yields exactly 1500', async () => {
		expect(await listedIds({ limit: 1500 })).toEqual(idsByCreation().slice(0, 1500));
		expect(pagesAskedFor()).toEqual(['1000@0', '501@999']);
	});

	it('beyond the end yields all there are', async () => {
		expect(await listedIds({ limit: 2600 })).toHaveLength(2500);
	});

	it('is filled although the service caps pages at 1000 without a word', async () => {
		testbed.service.switches.maximumLimit = 1000;
		expect(await listedIds({ limit: 2400 })).toEqual(idsByCreation().slice(0, 2400));
		expect(pagesAskedFor()).toEqual(['1000@0', '1401@999', '402@1998']);
	});

	it('that is not reached costs no second request', async () => {
		const conditions = [{ field: orders.fields.orderNumber, operator: 'eq', value: 'SO-00004' }];
		expect(await listedIds({ limit: 50, filters: { conditions } })).toEqual([8]);
		expect(pagesAskedFor()).toEqual(['50@0']);
	});

	it.each([0, -1, 1.5, 'many'])('of %j is refused before anything is sent', async (limit) => {
		const result = await testbed.run({ ...getOrders, limit: '={{ $json.limit }}' }, [{ limit }]);
		expect(result.error).toMatchObject({
			message: expect.stringContaining("'Limit'"),
			context: { itemIndex: 0 },
		});
		expect(testbed.service.requests.count).toBe(0);
	});
});

describe('Return All', () => {
	it('reads beyond the first thousand, each record once, in the order of the service', async () => {
		expect(await listedIds({ returnAll: true })).toEqual(idsByCreation());
		expect(idsByCreation()).toHaveLength(2500);
		expect(testbed.reads.every(({ inFlightAtStart }) => inFlightAtStart === 0)).toBe(true);
	});

	it.each([1000, 1200])('is not cut short by a silent cap of %d', async (maximumLimit) => {
		testbed.service.switches.maximumLimit = maximumLimit;
		expect(await listedIds({ returnAll: true })).toEqual(idsByCreation());
	});

	it('asks for filters, order and form with every page', async () => {
		await listedIds({
			returnAll: true,
			filters: { conditions: [{ field: '1000004', operator: 'eq', value: 'Lyon' }] },
			options: { pageSize: 100, info: true, fullText: 'SO-', reverse: true },
		});
		expect(testbed.reads.length).toBeGreaterThan(2);
		const first = testbed.reads[0]?.rawUrl.replace('offset=0', 'offset=N');
		expect(
			new Set(testbed.reads.map(({ rawUrl }) => rawUrl.replace(/offset=\d+/, 'offset=N'))),
		).toEqual(new Set([first]));
		expect(first).toContain('where=1000004,eq,Lyon');
		expect(first).toContain('fts=SO-&reverse=true&naming=FNAME&version=2025-01-01&info=true');
	});
});

describe('Page Size', () => {
	it('is fixed by a number', async () => {
		await listedIds({ returnAll: true, options: { ...small, pageSize: 700 } });
		expect(pagesAskedFor()).toEqual(['700@0', '700@699', '700@1398', '700@2097']);
	});

	it('never asks for more than the limit needs', async () => {
		await listedIds({ limit: 1000, options: { ...small, pageSize: 400 } });
		expect(pagesAskedFor()).toEqual(['400@0', '400@399', '202@798']);
	});

	it('grows by itself while the service is quick', async () => {
		eachRequestTakes(100);
		await listedIds({ returnAll: true });
		expect(pagesAskedFor()).toEqual(['1000@0', '2000@999', '4000@2499']);
	});

	it('stays while the service takes a few seconds', async () => {
		eachRequestTakes(5_000);
		await listedIds({ returnAll: true });
		expect(pagesAskedFor()).toEqual(['1000@0', '1000@999', '1000@1998']);
	});

	it('shrinks by itself while the service is slow', async () => {
		eachRequestTakes(20_000);
		expect(await listedIds({ returnAll: true })).toEqual(idsByCreation());
		const sizes = pagesAskedFor().map((page) => Number(page.split('@')[0]));
		expect(sizes).toEqual([1000, 500, 250, 250, 250, 250, 250]);
	});

	it('stays fixed however slow the service is', async () => {
		eachRequestTakes(20_000);
		await listedIds({ returnAll: true, options: { ...small, pageSize: 1000 } });
		expect(pagesAskedFor()).toEqual(['1000@0', '1000@999', '1000@1998']);
	});

	it.each([-1, 2.5, 'big'])('of %j is refused before anything is sent', async (pageSize) => {
		const options = { pageSize: '={{ $json.pageSize }}' };
		const result = await testbed.run({ ...getOrders, options }, [{ pageSize }]);
		expect(result.error).toMatchObject({
			message: expect.stringContaining("'Page Size'"),
			context: { itemIndex: 0 },
		});
		expect(testbed.service.requests.count).toBe(0);
	});
});

describe('a page that has grown', () => {
	const tooLarge = ({ query }: SeenRequest) => Number(Object.fromEntries(query).limit) > 1000;

	it.each<[string, Fault]>([
		['code 201', { kind: 'body', body: '{"status":"ERROR","code":201,"msg":"limit"}' }],
		['HTTP 504', { kind: 'status', status: 504, body: '<html></html>' }],
		['an answer cut in the middle', { kind: 'truncate' }],
	])('is asked for smaller after %s, for all items', async (_, fault) => {
		testbed.service.faults.inject({ ...fault, when: tooLarge, times: Infinity });
		const result = await testbed.run({ ...getOrders, returnAll: true }, [{}, {}]);
		expect(result.error).toBeUndefined();
		expect(result.items.map(({ json }) => json._recordId)).toEqual([
			...idsByCreation(),
			...idsByCreation(),
		]);
		expect(pagesAskedFor()).toEqual([
			'1000@0',
			'2000@999',
			...['1000@999', '1000@1998'],
			...['1000@0', '1000@999', '1000@1998'],
		]);
	});
});

describe('records on the move', () => {
	/** A new order comes in just before the second page is read: all others move one place on. */
	function addOrderBeforePage(offset: number): void {
		testbed.service.switches.latencyMilliseconds = ({ query }: SeenRequest) => {
			if (query.some(([name, value]) => name === 'offset' && value === String(offset))) {
				const origin = { at: Date.now(), user: 'max.member@acme.example' };
				testbed.service.data.sheet(orders).add(origin);
			}
			return 0;
		};
	}

	it('come once', async () => {
		const before = idsByCreation().reverse();
		addOrderBeforePage(999);
		const options = { ...small, pageSize: 1000, reverse: true };
		const ids = await listedIds({ returnAll: true, options });
		expect(testbed.service.data.sheet(orders).records.size).toBe(2501);
		expect(ids).toEqual(before);
	});

	it('do not eat into the limit', async () => {
		const before = idsByCreation().reverse();
		addOrderBeforePage(999);
		const options = { ...small, pageSize: 1000, reverse: true };
		const ids = await listedIds({ limit: 1500, options });
		expect(ids).toEqual(before.slice(0, 1500));
		expect(pagesAskedFor()).toEqual(['1000@0', '501@999', '2@1499']);
	});
});

it('goes on when the system clock is set back', async () => {
	const now = Date.now();
	const clock = jest.spyOn(Date, 'now').mockReturnValue(now + 3_600_000);
	expect(await listedIds({ limit: 1 })).toEqual([1]);
	clock.mockReturnValue(now);
	expect(await listedIds({ limit: 1 })).toEqual([1]);
});

it('gives up on a service that sends the same page for ever', async () => {
	const ids = Array.from({ length: 1000 }, (_, id) => id);
	const body = `{${ids.map((id) => `"${id}":{}`).join()}}`;
	testbed.service.faults.inject({ kind: 'body', body, times: 1000 });
	const result = await testbed.run({ ...getOrders, returnAll: true });
	expect(result.error).toMatchObject({
		message: expect.stringContaining('again and again'),
		context: { itemIndex: 0 },
	});
	expect(testbed.reads.length).toBeLessThan(20);
});

it('fails as a whole when a later page fails, and keeps the other items', async () => {
	testbed.service.faults.inject({
		kind: 'body',
		when: ({ query }) => query.some(([name, value]) => name === 'offset' && value === '999'),
		body: '{"status":"ERROR","code":202,"msg":"Error executing the request."}',
	});
	const result = await testbed.run(
		{ ...getOrders, returnAll: '={{ $json.all }}', limit: 1 },
		[{ all: true }, { all: false }],
		{ onError: 'continueErrorOutput' },
	);
	expect(result.items.map(({ json, pairedItem }) => [json._recordId, pairedItem])).toEqual([
		[1, { item: 1 }],
	]);
	expect(result.errorItems.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
});

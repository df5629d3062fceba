import type { INodeParameters } from 'n8n-workflow';

import { customers, orders, startReferenceService, type ReferenceService } from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';
import { createCustomer, readOrder } from '../oneRequest';

const testbed = useRecordTestbed();

let elsewhere: ReferenceService;
beforeAll(async () => {
	elsewhere = await startReferenceService({ demoRecords: 10 });
});
beforeEach(() => elsewhere.reset());
afterAll(async () => await elsewhere.close());

/** The ways to send identity. */
type Way = [authentication: string, place: string];
const ways: Way[] = [
	['apiKey', 'header'],
	['apiKey', 'query'],
	['session', 'query'],
	['session', 'cookie'],
];

async function run(
	parameters: INodeParameters,
	[authentication, place]: Way = ['apiKey', 'header'],
) {
	const credentials = {
		...testbed.credentials('member', { apiKeyIn: place }),
		...testbed.sessionCredentials('member', { sessionIn: place }),
	};
	return await testbed.run({ authentication, ...parameters }, [{}], { credentials });
}

const seen = () => testbed.service.requests.all().filter(({ path }) => path !== '/AUTH');
const isFirst = ({ path }: { path: string }) => path !== '/AUTH';
const numberOfCustomers = () => testbed.service.data.sheet(customers).records.size;

describe.each(ways)('a read with the %s in %s', (...way) => {
	it.each([301, 302, 303, 307, 308])(
		'follows its own service, with its identity (%s)',
		async (status) => {
			testbed.service.faults.inject({
				kind: 'redirect',
				status,
				location: '/acme/sales/orders/1/1?api&naming=EID',
				when: isFirst,
			});
			const result = await run(readOrder(), way);
			expect(result.status).toBe('success');
			const json = expect.objectContaining({
				_recordId: 1,
				[orders.fields.orderNumber]: 'SO-00001',
			});
			expect(result.items).toEqual([{ json, pairedItem: { item: 0 } }]);
			expect(seen().map(({ identity }) => identity)).toEqual(['member', 'member']);
		},
	);

	it('keeps the bytes of the query, and names its identity once', async () => {
		const query = `api&where=${orders.fields.remark},like,50%2525%20%C3%BC%2C+x'&where=a[0]{|}&naming=FNAME`;
		testbed.service.faults.inject({
			kind: 'redirect',
			location: `${testbed.service.baseUrl}/acme/sales/orders/1/2?${query}&APIKey=old&sid=old`,
			when: isFirst,
		});
		await run(readOrder(), way);
		const [first, second] = seen();
		const identity = /&(?:APIKey|sid)=[^&]*$/.exec(first?.rawUrl ?? '')?.[0] ?? '';
		expect(identity === '').toBe(way[1] !== 'query');
		// Only what no address may hold is encoded on the way.
		const sent = query.replace("'", '%27');
		expect(second?.rawUrl).toBe(`/acme/sales/orders/1/2?${sent}${identity}`);
		expect(second?.headers.authorization).toBe(first?.headers.authorization);
		expect(second?.headers.cookie).toBe(first?.headers.cookie);
	});

	it.each<[place: string, origin: () => string, says?: RegExp]>([
		['another port', () => elsewhere.baseUrl],
		['another name', () => testbed.service.baseUrl.replace('localhost', 'other.localhost')],
		['another number', () => testbed.service.baseUrl.replace('localhost', '127.0.0.1')],
		[
			'no encryption',
			() => testbed.service.baseUrl.replace('https:', 'http:'),
			/without encryption, http:/,
		],
		['an address without a scheme', () => elsewhere.baseUrl.replace('https:', '')],
		['a name before an @', () => testbed.service.baseUrl + '@' + new URL(elsewhere.baseUrl).host],
	])('does not follow to %s', async (_, origin, says = /sends this request on to another host/) => {
		testbed.service.faults.inject({
			kind: 'redirect',
			location: `${origin()}/acme/sales/orders/1/1?api`,
			when: isFirst,
		});
		const result = await run(readOrder(), way);
		expect(result.status).toBe('error');
		expect(result.error?.message).toMatch(says);
		expect(result.error?.description).toContain('Base URL');
		expect(elsewhere.requests.count).toBe(0);
		expect(seen()).toHaveLength(1);
	});
});

describe('a redirect', () => {
	it('to nowhere that makes sense is an error', async () => {
		testbed.service.faults.inject({ kind: 'redirect', location: 'https://' });
		const result = await run(readOrder());
		expect(result.error?.message).toMatch(/another host/);
		expect(testbed.service.requests.count).toBe(1);
	});

	it('without an end is an error', async () => {
		testbed.service.faults.inject({
			kind: 'redirect',
			location: '/acme/sales/orders/1/1?api',
			times: Infinity,
		});
		const result = await run(readOrder());
		expect(result.status).toBe('error');
		expect(result.error?.message).toMatch(/again and again/);
		expect(testbed.service.requests.count).toBe(6);
	});

	it('may be followed by another one', async () => {
		const places = [2, 3, 4].map((step) => `/acme/sales/orders/1/1?api&naming=FNAME&step=${step}`);
		for (const location of places) testbed.service.faults.inject({ kind: 'redirect', location });
		const result = await run(readOrder());
		expect(result.items).toMatchObject([{ json: { _recordId: 1 } }]);
		expect(seen().map(({ rawUrl }) => rawUrl)).toEqual([expect.anything(), ...places]);
	});

	it('is followed for each page of a list', async () => {
		testbed.service.faults.inject({
			kind: 'redirect',
			location: '/acme/sales/orders/1?api&limit=2&naming=EID',
		});
		const result = await run({
			operation: 'getAll',
			sheet: sheet(orders),
			limit: 2,
			options: { fieldKeys: 'id' },
		});
		expect(result.items.map(({ json }) => json._recordId)).toEqual([1, 2]);
	});
});

describe.each(ways)('a write with the %s in %s', (...way) => {
	it.each([301, 302, 303])('is not turned into a read: %s', async (status) => {
		testbed.service.faults.inject({
			kind: 'redirect',
			status,
			location: '/acme/sales/customers/2?api',
			when: isFirst,
		});
		const result = await run(createCustomer(), way);
		expect(result.status).toBe('error');
		expect(result.error?.message).toMatch(/does not confirm the change/);
		expect(seen().map(({ method }) => method)).toEqual(['POST']);
		expect(numberOfCustomers()).toBe(300);
	});

	it.each([307, 308])('is sent as it is to its own service: %s', async (status) => {
		testbed.service.faults.inject({
			kind: 'redirect',
			status,
			location: '/acme/sales/customers/2?api',
			when: isFirst,
		});
		const result = await run(createCustomer(), way);
		expect(result.status).toBe('success');
		const [first, second] = seen();
		expect(seen().map(({ method }) => method)).toEqual(['POST', 'POST']);
		expect(second?.body).toEqual(first?.body);
		expect(second?.headers['content-type']).toBe(first?.headers['content-type']);
		expect(second?.identity).toBe('member');
		expect(numberOfCustomers()).toBe(301);
	});

	it.each([302, 307, 308])('is not sent to another host: %s', async (status) => {
		testbed.service.faults.inject({
			kind: 'redirect',
			status,
			location: `${elsewhere.baseUrl}/acme/sales/customers/2?api`,
			when: isFirst,
		});
		const result = await run(createCustomer(), way);
		expect(result.status).toBe('error');
		expect(result.error?.message).toMatch(/another host/);
		expect(seen()).toHaveLength(1);
		expect(elsewhere.requests.count).toBe(0);
		expect(numberOfCustomers()).toBe(300);
	});
});

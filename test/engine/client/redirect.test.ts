import type { INodeParameters } from 'n8n-workflow';
import { customers, orders, type SeenRequest } from '../../service';
import { useRecordTestbed } from '../recordTestbed';
import { createCustomer, readOrder } from '../operations';

const testbed = useRecordTestbed();

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
	return await testbed.runById({ authentication, ...parameters }, [{}], { credentials });
}

const seen = () => testbed.service.requests.all().filter(({ path }) => path !== '/AUTH');
const isFirst = ({ path }: { path: string }) => path !== '/AUTH';
const numberOfCustomers = () => testbed.service.data.sheet(customers).records.size;

/** Redirects the first request. Each status and each kind of address is tested in `test/unit/api/http`. */
const redirect = (location: string, status = 302) =>
	testbed.inject({ kind: 'redirect', status, location, when: isFirst });

describe.each(ways)('a read with the %s in %s', (...way) => {
	it('a read follows a redirect to its own service', async () => {
		redirect('/acme/sales/orders/1/1?api&naming=FNAME');
		const result = await run(readOrder(), way);
		expect(result.items).toMatchObject([{ json: { _recordId: 1 }, pairedItem: { item: 0 } }]);
		expect(seen().map(({ identity }) => identity)).toEqual(['member', 'member']);
	});

	it('a redirected read keeps the bytes of the query, and sends its identity once', async () => {
		const query = `api&where=${orders.fields.remark},like,50%2525%20%C3%BC%2C+x'&where=a[0]{|}&naming=FNAME`;
		const { baseUrl } = testbed.service;
		redirect(`${baseUrl}/acme/sales/orders/1/2?${query}&APIKey=old&sid=old`, 308);
		await run(readOrder(), way);
		const [first, second] = seen();
		const identity = /&(?:APIKey|sid)=[^&]*$/.exec(first?.rawUrl ?? '')?.[0] ?? '';
		expect(identity === '').toBe(way[1] !== 'query');
		// Only characters that are invalid in an address are encoded.
		const sent = query.replace("'", '%27');
		expect(second?.rawUrl).toBe(`/acme/sales/orders/1/2?${sent}${identity}`);
		expect(second?.headers.authorization).toBe(first?.headers.authorization);
		expect(second?.headers.cookie).toBe(first?.headers.cookie);
	});
});

it('an endless redirect is an error', async () => {
	testbed.inject({ kind: 'redirect', location: '/acme/sales/orders/1/1?api', times: Infinity });
	const result = await run(readOrder());
	expect(result.status).toBe('error');
	expect(result.error?.message).toMatch(/again and again/);
	expect(testbed.service.requests.count).toBe(6);
});

it.each(ways)(
	'a write is redirected unchanged to its own service, with the %s in %s',
	async (...way) => {
		const isWrite = ({ method, path }: SeenRequest) => method === 'POST' && isFirst({ path });
		const location = '/acme/sales/customers/2?api';
		testbed.inject({ kind: 'redirect', status: 307, location, when: isWrite });
		const result = await run(createCustomer(), way);
		expect(result.status).toBe('success');
		const sent = seen().filter(isWrite);
		const [first, second] = sent;
		expect(sent.map(({ method, identity }) => [method, identity])).toEqual([
			['POST', 'member'],
			['POST', 'member'],
		]);
		expect(second?.body).toEqual(first?.body);
		expect(second?.headers['content-type']).toBe(first?.headers['content-type']);
		expect(numberOfCustomers()).toBe(301);
	},
);

import type { GenericValue } from 'n8n-workflow';

import { orders } from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();

const good = { sheet: 'sales/orders/1', id: '1' };

/** Reads a good item first, then the bad one, which must cost no request. */
async function readBad(bad: { sheet?: GenericValue; id?: GenericValue }, mode = 'path') {
	const result = await testbed.run(
		{
			operation: 'get',
			sheet: { __rl: true, mode, value: '={{ $json.sheet }}' },
			recordId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
		},
		[good, { ...good, ...bad }],
	);
	expect(testbed.reads.map(({ path }) => path)).toEqual(['/acme/sales/orders/1/1']);
	expect(testbed.service.requests.count).toBe(1);
	expect(result.status).toBe('error');
	expect(result.items).toEqual([]);
	expect(result.error).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 1 } });
	return { message: result.error?.message ?? '', description: result.error?.description ?? '' };
}

describe('a sheet', () => {
	it.each([[''], ['  '], [null], [undefined]])('that is not given: %j', async (value) => {
		expect((await readBad({ sheet: value })).message).toMatch(/'Sheet'/);
	});

	it.each([
		['orders'],
		['sales/orders'],
		['sales/orders/one'],
		['1'],
		['/'],
		['sales//1'],
		['sales/../private/salaries/4'],
		['sales/%2e%2e/private/salaries/4'],
		['sales/orders/1.5'],
		['sales/orders/-1'],
		['sales/orders/1?api'],
		['sales/orders/1#4'],
		['localhost/acme/sales/orders'],
	])('whose path is wrong: %s', async (path) => {
		const { message } = await readBad({ sheet: path });
		expect(message).toMatch(/path|folder|without/);
	});

	it('of another account', async () => {
		const address = `${testbed.service.baseUrl}/acne/sales/orders/1`;
		const { message } = await readBad({ sheet: address }, 'url');
		expect(message).toContain("'acne'");
		expect(message).toContain("'acme'");
	});

	it.each([
		['another host', 'https://other.localhost/acme/sales/orders/1'],
		['another port', 'https://localhost:1/acme/sales/orders/1'],
		['a host that only begins the same', 'https://localhost.evil.example/acme/sales/orders/1'],
		['a host behind a backslash', 'https://evil.example\\@localhost/acme/sales/orders/1'],
	])('on %s', async (_, address) => {
		const { message } = await readBad({ sheet: address }, 'url');
		expect(message).toMatch(/address/);
	});

	it('whose address holds a user name', async () => {
		const address = testbed.service.baseUrl.replace('https://', 'https://me:pw@');
		const { message } = await readBad({ sheet: `${address}/acme/sales/orders/1` }, 'url');
		expect(message).toMatch(/user name or password/);
		expect(message).not.toContain('me:pw');
	});

	it.each([
		['/acme/sales/orders'],
		['/acme/1'],
		['/acme'],
		[''],
		['/acme/sales/../private/salaries/4'],
	])('whose address ends too early or goes astray: %s', async (path) => {
		await readBad({ sheet: `${testbed.service.baseUrl}${path}` }, 'url');
	});

	it('whose address is refused is quoted without its query', async () => {
		const address = `${testbed.service.baseUrl}/acme/sales/orders?sid=0123456789abcdef`;
		const { message, description } = await readBad({ sheet: address }, 'url');
		expect(`${message} ${description}`).not.toContain('0123456789abcdef');
	});
});

describe('a record', () => {
	it.each([[''], [null], [undefined]])('that is not given: %j', async (id) => {
		expect((await readBad({ id })).message).toMatch(/'Record'/);
	});

	it.each([
		['abc'],
		['1.5'],
		['-1'],
		['1e3'],
		['0x10'],
		['1 2'],
		['1/2'],
		['1?api'],
		['..'],
		['9'.repeat(30)],
	])('whose id is no number: %s', async (id) => {
		const { message, description } = await readBad({ id });
		expect(message).toContain(id);
		expect(description).toMatch(/whole number/);
	});

	it.each(['sales/customers/2', 'sales/customers/1', 'sales/orders/2'])(
		'whose address is on another sheet: %s',
		async (path) => {
			const { message } = await readBad({ id: `${testbed.service.baseUrl}/acme/${path}/5` });
			expect(message).toContain(path);
			expect(message).toContain('sales/orders/1');
		},
	);

	it('whose address is that of a sheet', async () => {
		const { message, description } = await readBad({
			id: `${testbed.service.baseUrl}/acme/sales/orders/1`,
		});
		expect(message).toMatch(/sheet/);
		expect(description).toMatch(/copy its address/);
	});

	it('whose address is of another account or host', async () => {
		expect(
			(await readBad({ id: `${testbed.service.baseUrl}/acne/sales/orders/1/5` })).message,
		).toMatch(/account/);
		testbed.service.requests.clear();
		expect((await readBad({ id: 'https://evil.example/acme/sales/orders/1/5' })).message).toMatch(
			/evil\.example/,
		);
	});
});

describe('bad items', () => {
	it('are told one by one on the error output, each linked to its item', async () => {
		const result = await testbed.run(
			{
				operation: 'get',
				sheet: sheet(orders),
				recordId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
			},
			[{ id: 'one' }, { id: 1 }, { id: 'two' }],
			{ onError: 'continueErrorOutput' },
		);
		expect(result.items.map(({ json, pairedItem }) => [json._recordId, pairedItem])).toEqual([
			[1, { item: 1 }],
		]);
		const whatIs = 'A record ID is a whole number, e.g. 17.';
		expect(
			result.errorItems.map(({ json, pairedItem }) => [json.id, json.error, pairedItem]),
		).toEqual([
			['one', `'one' is not a record ID. ${whatIs}`, { item: 0 }],
			['two', `'two' is not a record ID. ${whatIs}`, { item: 2 }],
		]);
		expect(testbed.service.requests.count).toBe(1);
	});
});

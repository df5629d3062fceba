import type { INodeParameters } from 'n8n-workflow';
import { empty, invoices, orders } from '../../service';
import { onOrders, sheet, sheetAt, useRecordTestbed } from '../recordTestbed';
import { idsByCreation } from './listedOrders';

const testbed = useRecordTestbed();
const { fields } = orders;

const byId = { fieldKeys: 'id' };
const getOrders = { ...onOrders('getAll'), options: byId };

async function listedIds(parameters: INodeParameters): Promise<unknown[]> {
	const result = await testbed.run({ ...getOrders, ...parameters });
	expect(result.error).toBeUndefined();
	return result.ids;
}

describe('a list', () => {
	it('a list has 50 records by default, requested with naming and version', async () => {
		testbed.service.switches.defaultOrder = 'oldestFirst';
		const result = await testbed.run(onOrders('getAll'));
		const ids = idsByCreation(testbed).slice(0, 50);
		expect(ids).not.toEqual([...ids].sort((left, right) => left - right));
		expect(result.records).toEqual(ids.map((id) => `${id} #0`));
		expect(result.json[3]).toMatchObject({
			...{ _recordId: 8, _title: 'SO-00004', 'Order Number': 'SO-00004' },
		});
		// Rows are in the order of the service, too.
		const rows = [result.json[6]?._subtable_2000001].flat();
		expect(rows.map((row) => Object(row)._rowId)).toEqual([12, 11, 10]);
		expect(testbed.readUrls).toEqual([
			'/acme/sales/orders/1?api&naming=FNAME&version=2025-01-01&limit=50&offset=0',
		]);
	});

	it('a list has only the fields of the listing page, on request', async () => {
		const options = { ...byId, listing: true };
		const { json } = await testbed.run({ ...getOrders, limit: 1, options });
		expect(json[0]).toHaveProperty(fields.status);
		expect(json[0]).not.toHaveProperty(fields.city);
		expect(testbed.reads[0]?.query).toContainEqual(['listing', 'true']);
	});

	it.each([
		['admin', {}, 100],
		['admin', { ignoreFixedFilter: true }, 150],
		['member', { ignoreFixedFilter: true }, 100],
	] as const)('a list as %s with %j returns %d invoices', async (identity, options, expected) => {
		const list = { operation: 'getAll', sheet: sheet(invoices), returnAll: true, options };
		expect((await testbed.run(list, [{}], testbed.as(identity))).items).toHaveLength(expected);
	});
});

describe('the order of a list', () => {
	const down = (field: string) => ({
		options: { sort: { rule: { field, direction: 'DESC' } } },
	});

	it.each<[string, INodeParameters, string]>([
		['by a field', down(fields.orderNumber), '1000001,DESC'],
		['by one that every sheet has', down('Create Date'), '105,DESC'],
		['the newest first', { options: { reverse: true } }, '105,DESC'],
	])(
		'a list keeps the order of the service, although JSON.parse sorts numeric IDs: %s',
		async (_, parameters, sent) => {
			for (const order of ['newestFirst', 'oldestFirst'] as const) {
				testbed.service.switches.defaultOrder = 'newestFirst';
				const newest = idsByCreation(testbed).slice(0, 30);
				testbed.service.switches.defaultOrder = order;
				expect(await listedIds({ ...parameters, limit: 30 })).toEqual(newest);
			}
			expect(testbed.reads.at(-1)?.query).toContainEqual(['order', sent]);
		},
	);

	it('a Sort rule replaces Newest First, because the API takes one order', async () => {
		const { options } = down(fields.orderNumber);
		expect(await listedIds({ options: { ...options, reverse: true }, limit: 3 })).toHaveLength(3);
		const orders = testbed.reads.at(-1)?.query.filter(([name]) => name === 'order');
		expect(orders?.map(([, rule]) => rule)).toEqual([`${fields.orderNumber},DESC`]);
	});

	it('a list is sorted by the name of a field, ascending', async () => {
		const rule = { field: 'City', direction: 'ASC' };
		const { items } = await testbed.run({
			...getOrders,
			options: { ...byId, sort: { rule } },
			limit: 3,
		});
		expect(items.map(({ json }) => json[fields.city])).toEqual(['Austin', 'Austin', 'Austin']);
		expect(testbed.reads.at(-1)?.rawUrl).toContain('order=1000004%2CASC');
	});
});

describe('an item without results', () => {
	const getNone = { operation: 'getAll', sheet: sheet(empty) };

	it('an item without results has no output by default', async () => {
		const { status, items } = await testbed.run(getNone);
		expect([status, items]).toEqual(['success', []]);
	});

	it('an item without results returns an empty item on request, for this item only', async () => {
		testbed.service.switches.defaultOrder = 'oldestFirst';
		const options = { emptyResult: 'emptyItem' };
		const list = { operation: 'getAll', sheet: sheetAt('={{ $json.sheet }}'), limit: 1, options };
		const sheets = [{ sheet: 'sales/orders/1' }, { sheet: 'sales/empty/9' }];
		const result = await testbed.run(list, sheets);
		expect(result.records).toEqual(['1 #0', ' #1']);
		expect(result.json[1]).toEqual({});
	});

	it('an item without results is an error on request', async () => {
		const result = await testbed.run({ ...getNone, options: { emptyResult: 'error' } });
		expect(result.error).toMatchObject({
			message: 'No record was found',
			description: expect.stringMatching(/^Check the filters\. .*'If Nothing Is Found'/),
			context: { itemIndex: 0 },
		});
	});
});

function idsIn(jsonp: unknown, name: string): string[] {
	const text = String(jsonp);
	expect(text.startsWith(`${name}(`) && text.endsWith(')')).toBe(true);
	const keys = Object.keys(JSON.parse(text.slice(name.length + 1, -1)));
	return keys.filter((key) => /^\d+$/.test(key));
}

describe('a JSONP list', () => {
	const list = onOrders('getAll');

	it('a JSONP list is returned unparsed, one item per page', async () => {
		const options = { callback: 'show.records_1', pageSize: 200 };
		const result = await testbed.run({ ...list, returnAll: true, options });
		expect(result.links).toEqual([{ item: 0 }, { item: 0 }]);
		expect(result.items.map(({ json }) => Object.keys(json))).toEqual([['jsonp'], ['jsonp']]);
		const pages = result.items.map(({ json }) => idsIn(json.jsonp, 'show.records_1'));
		// Each page begins with the last record of the previous page.
		expect(pages.map(({ length }) => length)).toEqual([200, 101]);
		expect(new Set(pages.flat()).size).toBe(300);
		expect(testbed.reads[0]?.rawUrl).toBe(
			'/acme/sales/orders/1?api&naming=FNAME&version=2025-01-01&callback=show.records_1&limit=200&offset=0',
		);
	});

	it('an error in a JSONP list is reported as in JSON', async () => {
		const jsonpList = { ...list, options: { callback: 'show' } };
		const body = 'show({"status":"ERROR","code":106,"msg":"No access right."})';
		testbed.inject({ kind: 'body', body, times: 2 });
		expect(await testbed.errorOf(jsonpList)).toContain('No access right');
		testbed.refuse(undefined, 1, 201, 'Error processing request parameters.');
		expect(await testbed.errorOf(jsonpList)).toContain('request parameters');
	});
});

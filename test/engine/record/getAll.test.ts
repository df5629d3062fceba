import type { INodeParameters } from 'n8n-workflow';

import { customers, empty, invoices, orders, tasks, type SheetRecord } from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();
const { fields } = orders;

const byId = { fieldKeys: 'id' };
const getOrders = { operation: 'getAll', sheet: sheet(orders), options: byId };

/** The orders as the service lists them without a wish: by creation, the oldest first. */
function ordersByCreation(): SheetRecord[] {
	const records = [...testbed.service.data.sheet(orders).records.values()];
	return records.sort((left, right) => left.created.at - right.created.at);
}

function idsOf(records: SheetRecord[]): number[] {
	return records.map(({ id }) => id);
}

async function listedIds(parameters: INodeParameters): Promise<unknown[]> {
	const result = await testbed.run({ ...getOrders, ...parameters });
	expect(result.error).toBeUndefined();
	return result.items.map(({ json }) => json._recordId);
}

describe('a list', () => {
	it('has 50 records by default, asked for with naming and version', async () => {
		const result = await testbed.run({ operation: 'getAll', sheet: sheet(orders) });
		expect(result.items).toHaveLength(50);
		expect(result.items[3]).toMatchObject({
			json: { _recordId: 8, _title: 'SO-00004', 'Order Number': 'SO-00004' },
			pairedItem: { item: 0 },
		});
		expect(testbed.reads.map(({ rawUrl }) => rawUrl)).toEqual([
			'/acme/sales/orders/1?api&naming=FNAME&version=2025-01-01&limit=50&offset=0',
		]);
	});

	it('is keyed by field id on request, and raw on request', async () => {
		const [simple] = (await testbed.run({ ...getOrders, limit: 1 })).items;
		expect(simple?.json).toMatchObject({ _recordId: 1, [fields.reference]: 'REF-1' });
		const [raw] = (await testbed.run({ ...getOrders, limit: 1, simplify: false })).items;
		expect(raw?.json).toMatchObject({ _svcId: 1, _index_title_: 'SO-00001', 512: 'REF-1' });
		expect(raw?.json).not.toHaveProperty('_title');
		expect(testbed.reads.every(({ rawUrl }) => rawUrl.includes('naming=EID'))).toBe(true);
	});

	it('does not follow the order of ids', async () => {
		const ids = await listedIds({ limit: 20 });
		expect(ids).toEqual(idsOf(ordersByCreation().slice(0, 20)));
		expect(ids).not.toEqual([...ids].sort((left, right) => Number(left) - Number(right)));
	});

	it('keeps the order of subtable rows', async () => {
		const { items } = await testbed.run({ ...getOrders, limit: 7 });
		const rows = [items[6]?.json._subtable_2000001].flat();
		expect(rows.map((row) => Object(row)._rowId)).toEqual([12, 11, 10]);
	});

	it('keeps all digits of numbers that are no texts', async () => {
		testbed.service.switches.numbersAsText = false;
		const { items } = await testbed.run({
			operation: 'getAll',
			sheet: sheet(customers),
			limit: 10,
		});
		expect(items.map(({ json }) => json['Credit Limit']).slice(8)).toEqual([
			2250.5,
			'12345678901234567010',
		]);
	});

	it('is read by those who only may read', async () => {
		const { items } = await testbed.run({ ...getOrders, limit: 1 }, [{}], {
			credentials: testbed.credentials('reader'),
		});
		expect(items).toHaveLength(1);
		expect(testbed.reads.map(({ identity }) => identity)).toEqual(['reader']);
	});
});

describe('order', () => {
	it('of a sort over ids that look like numbers is that of the service', async () => {
		const newestFirst = ordersByCreation().reverse();
		const rule = { field: fields.orderNumber, direction: 'DESC' };
		expect(await listedIds({ sort: { rule }, limit: 30 })).toEqual(idsOf(newestFirst.slice(0, 30)));
		expect(testbed.reads[0]?.query).toContainEqual(['order', '1000001,DESC']);
		expect(testbed.reads[0]?.rawUrl).toContain('order=1000001%2CDESC');
	});

	it('of a sort goes on over pages', async () => {
		const byTotal = ordersByCreation().sort(
			(left, right) => Number(right.text(fields.total)) - Number(left.text(fields.total)),
		);
		const rule = { field: fields.total, direction: 'DESC' };
		const ids = await listedIds({ sort: { rule }, returnAll: true, options: { pageSize: 900 } });
		expect(ids).toEqual(idsOf(byTotal));
	});

	it('may be asked for by the name of a field, upwards', async () => {
		const rule = { field: 'City', direction: 'ASC' };
		const { items } = await testbed.run({ ...getOrders, sort: { rule }, limit: 3 });
		expect(items.map(({ json }) => json[fields.city])).toEqual(['Austin', 'Austin', 'Austin']);
		expect(testbed.reads.at(-1)?.query).toContainEqual(['order', '1000004,ASC']);
	});

	it('may follow a field that every sheet has', async () => {
		const rule = { field: 'Create Date', direction: 'DESC' };
		const newest = idsOf(ordersByCreation().reverse().slice(0, 5));
		expect(await listedIds({ sort: { rule }, limit: 5 })).toEqual(newest);
		expect(testbed.reads.at(-1)?.query).toContainEqual(['order', '105,DESC']);
	});

	it('is the newest first on request', async () => {
		expect(await listedIds({ options: { reverse: true }, limit: 25 })).toEqual(
			idsOf(ordersByCreation().reverse().slice(0, 25)),
		);
		expect(testbed.reads[0]?.query).toContainEqual(['reverse', 'true']);
	});

	it('by an unknown name is an error, and no list is asked for', async () => {
		const result = await testbed.run({ ...getOrders, sort: { rule: { field: 'Citty' } } });
		expect(result.error).toMatchObject({
			message: expect.stringContaining("'City'"),
			context: { itemIndex: 0 },
		});
		expect(testbed.reads.filter(({ rawUrl }) => rawUrl.includes('limit='))).toEqual([]);
	});
});

describe('many items', () => {
	it('list a sheet each, with a limit each, linked to their items', async () => {
		const result = await testbed.run(
			{
				operation: 'getAll',
				sheet: { __rl: true, mode: 'path', value: '={{ $json.sheet }}' },
				limit: '={{ $json.limit }}',
			},
			[
				{ sheet: 'archive/2024/tasks/7', limit: 2 },
				{ sheet: 'sales/empty/9', limit: 5 },
				{ sheet: 'sales/customers/2', limit: 1 },
			],
		);
		const firstTasks = [1, 2].map((id) => testbed.service.data.record(tasks, id));
		expect(result.items.map(({ json, pairedItem }) => [json._title, pairedItem])).toEqual([
			[firstTasks[0]?.text(tasks.fields.title), { item: 0 }],
			[firstTasks[1]?.text(tasks.fields.title), { item: 0 }],
			[testbed.service.data.record(customers, 1).text(customers.fields.name), { item: 2 }],
		]);
		expect(testbed.reads.map(({ path }) => path)).toEqual([
			'/acme/archive/2024/tasks/7',
			'/acme/sales/empty/9',
			'/acme/sales/customers/2',
		]);
	});
});

describe('nothing found', () => {
	const getNone = { operation: 'getAll', sheet: sheet(empty) };

	it('yields no item when the user chose nothing', async () => {
		const result = await testbed.run(getNone);
		expect(result.status).toBe('success');
		expect(result.items).toEqual([]);
		expect(testbed.reads).toHaveLength(1);
	});

	it('yields an empty item on request, for the item that found nothing only', async () => {
		const result = await testbed.run(
			{
				operation: 'getAll',
				sheet: { __rl: true, mode: 'path', value: '={{ $json.sheet }}' },
				limit: 1,
				options: { emptyResult: 'emptyItem' },
			},
			[{ sheet: 'sales/orders/1' }, { sheet: 'sales/empty/9' }],
		);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(result.items[0]?.json._recordId).toBe(1);
		expect(result.items[1]?.json).toEqual({});
	});

	it('is an error on request', async () => {
		const result = await testbed.run({ ...getNone, options: { emptyResult: 'error' } });
		expect(result.error).toMatchObject({
			message: 'No record was found',
			description: expect.stringContaining('If Nothing Is Found'),
			context: { itemIndex: 0 },
		});
	});
});

describe('options of lists', () => {
	it('shows the fields of the listing page only', async () => {
		const [item] = (
			await testbed.run({ ...getOrders, limit: 1, options: { ...byId, listing: true } })
		).items;
		expect(item?.json).toHaveProperty(fields.status);
		expect(item?.json).not.toHaveProperty(fields.city);
		expect(testbed.reads[0]?.query).toContainEqual(['listing', 'true']);
	});

	it.each([
		['admin', {}, 100],
		['admin', { ignoreFixedFilter: true }, 150],
		['member', { ignoreFixedFilter: true }, 100],
	] as const)('as %s with %j finds %d invoices', async (identity, options, expected) => {
		const result = await testbed.run(
			{ operation: 'getAll', sheet: sheet(invoices), returnAll: true, options },
			[{}],
			{ credentials: testbed.credentials(identity) },
		);
		expect(result.items).toHaveLength(expected);
	});
});

import type { INodeParameters } from 'n8n-workflow';
import { empty, invoices, orders, type SheetRecord } from '../../service';
import { onOrders, sheet, sheetAt, useRecordTestbed } from '../recordTestbed';
import { conditionsSent, idsWhere } from './listedOrders';

const testbed = useRecordTestbed({ demoRecords: 1_500 });
const { fields } = orders;

const counting = (conditions: INodeParameters[] = [], options: INodeParameters = {}) => ({
	...onOrders('count'),
	filters: { conditions },
	options,
});

async function counted(parameters: INodeParameters): Promise<unknown[]> {
	const result = await testbed.run(parameters);
	expect(result.error).toBeUndefined();
	return result.json;
}

const isIn = (city: string) => (record: SheetRecord) => record.text(fields.city) === city;
const pathOf = ({ path, index }: { path: string; index: number }) => `${path}/${index}`;
const lists = () => testbed.reads.filter(({ rawUrl }) => rawUrl.includes('offset='));

it('a count includes all records, read in pages of the smallest format', async () => {
	expect(await counted(counting())).toEqual([{ count: 1_500 }]);
	const queries = lists().map(({ rawUrl }) => rawUrl.split('?api&')[1]);
	expect(queries).toEqual([
		'naming=EID&version=2025-01-01&subtables=0&listing=true&limit=1000&offset=0',
		expect.stringMatching(
			/^naming=EID&version=2025-01-01&subtables=0&listing=true&limit=\d+&offset=999$/,
		),
	]);
});

it('a count returns one item for each input item, linked to it', async () => {
	const condition = { field: 'City', operator: 'eq', value: '={{ $json.city }}' };
	const cities = ['Lyon', 'no such city'];
	const result = await testbed.run(
		counting([condition]),
		cities.map((city) => ({ city })),
	);
	expect(result.json).toEqual([{ count: idsWhere(testbed, isIn('Lyon')).length }, { count: 0 }]);
	expect(result.links).toEqual([{ item: 0 }, { item: 1 }]);
});

const value = '={{ $json.value }}';

it.each([
	['the filter', counting([{ field: 'City', operator: 'eq', value }]), 'Lyon', 'Ulm'],
	[
		'the raw conditions',
		counting([], { where: value }),
		`${fields.city},eq,Lyon`,
		`${fields.city},eq,Ulm`,
	],
	['the full text', counting([], { fullText: value }), 'Lyon', 'Ulm'],
	[
		'the default filter',
		{ ...counting([], { ignoreFixedFilter: value }), sheet: sheet(invoices) },
		true,
		false,
	],
	[
		'the sheet',
		{ ...counting(), sheet: { ...sheet(orders), mode: 'path', value } },
		pathOf(orders),
		pathOf(invoices),
	],
])('items share a count, unless %s differs', async (_part, parameters, usual, other) => {
	const items = [usual, other, usual, usual].map((one) => ({ value: one }));
	const together = await testbed.run(parameters, items);
	expect(together.error).toBeUndefined();
	const requests = lists().length;
	testbed.service.requests.forget();
	const alone = [];
	for (const item of items.slice(0, 2)) alone.push(...(await testbed.run(parameters, [item])).json);
	expect(together.json).toEqual([...alone, alone[0], alone[0]]);
	expect(lists()).toHaveLength(requests);
});

it('a count that failed is tried again for the next item', async () => {
	testbed.inject({
		kind: 'status',
		status: 403,
		when: ({ rawUrl }) => rawUrl.includes('offset=0'),
	});
	const result = await testbed.run(counting(), [{}, {}], { onError: 'continueErrorOutput' });
	expect(result.errorItems).toHaveLength(1);
	expect(result.json).toEqual([{ count: 1_500 }]);
});

it('a count applies filters, raw conditions, and conditions of the node', async () => {
	const conditions = [
		{ field: 'City', operator: 'eq', value: 'Lyon' },
		{ field: 'Status', operator: 'ne', value: 'Open' },
		{ field: 'Remark', operator: 'notEmpty' },
	];
	const where = `${fields.total},gte,100`;
	const expected = idsWhere(testbed, (record) => {
		const [status, remark] = [record.text(fields.status), record.text(fields.remark)];
		const total = Number(record.text(fields.total));
		return isIn('Lyon')(record) && status !== 'Open' && remark !== '' && total >= 100;
	});
	expect(await counted(counting(conditions, { where }))).toEqual([{ count: expected.length }]);
	expect(conditionsSent(testbed)).toEqual([`${fields.city},eq,Lyon`, `${fields.total},gte,100`]);
	const list = lists().at(-1);
	expect(list?.query).not.toContainEqual(['listing', 'true']);
	expect(list?.query).toContainEqual(['subtables', '0']);
});

it('a count with a condition on a field of rows reads these rows', async () => {
	const { lines } = orders.subtables;
	const field = lines.fields.article;
	const hasVase = (record: SheetRecord) =>
		[...record.rows(lines.id).values()].some((row) => row.get(field) === 'Vase');
	const expected = idsWhere(testbed, (record) => !hasVase(record)).length;
	const condition = { field, operator: 'ne', value: 'Vase' };
	expect(await counted(counting([condition]))).toEqual([{ count: expected }]);
});

it.each([
	{ what: 'a full-text search', options: { fullText: 'no such text' }, count: 0 },
	{ what: 'a shared view', options: { sharedViewId: orders.views.open }, count: undefined },
])('a count returns the number of records for $what', async ({ options, count }) => {
	const isOpen = (record: SheetRecord) => record.text(fields.status) === 'Open';
	const expected = count ?? idsWhere(testbed, isOpen).length;
	expect(await counted(counting([], options))).toEqual([{ count: expected }]);
});

it.each([
	{ identity: 'admin', options: { ignoreFixedFilter: true }, count: 150 },
	{ identity: 'member', options: { ignoreFixedFilter: true }, count: 100 },
	{ identity: 'admin', options: {}, count: 100 },
] as const)(
	'a count returns $count invoices as $identity with $options',
	async ({ identity, options, count }) => {
		const parameters = { operation: 'count', sheet: sheet(invoices), options };
		const result = await testbed.run(parameters, [{}], testbed.as(identity));
		expect(result.json).toEqual([{ count }]);
	},
);

it('a count is complete while records leave the list between two pages', async () => {
	const { records } = testbed.orders;
	const listed = [...records.keys()];
	let pages = 0;
	testbed.service.beforeRequest(({ rawUrl }) => {
		if (!rawUrl.includes('offset=') || pages++ !== 1) return;
		for (const id of listed.slice(0, 10)) records.delete(id);
	});
	const [item] = await counted(counting());
	// The deleted records were on the first page or not read yet. All others are counted.
	expect(Object(item).count).toBeGreaterThanOrEqual(1_490);
	expect(Object(item).count).toBeLessThanOrEqual(1_500);
});

it('a count is zero on an empty sheet, and an error for a missing sheet', async () => {
	expect(await counted({ operation: 'count', sheet: sheet(empty) })).toEqual([{ count: 0 }]);
	await testbed.expectRefused({ operation: 'count', sheet: sheetAt('sales/orders/8') }, [{}], '8');
});

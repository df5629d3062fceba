import type { INodeParameters } from 'n8n-workflow';
import { customers, orders } from '../../service';
import { asJson, autoMapped } from '../record/recordValues';
import { onOrder, onOrders, recordId, sheet, useRecordTestbed } from '../recordTestbed';

/** The service omits a subtable without rows. The node returns an empty list, so that all records have the same keys. */
const testbed = useRecordTestbed();
const { lines } = orders.subtables;
const rowsKey = `_subtable_${lines.id}`;

/** Removes the rows of an order. */
function empty(id: number): void {
	testbed.service.data.record(orders, id).rows(lines.id).clear();
}

const rowCounts = (items: Array<{ json: object }>) =>
	items.map(({ json }) => {
		const [, rows] = Object.entries(json).find(([key]) => key === rowsKey) ?? [];
		return Array.isArray(rows) ? rows.length : rows;
	});

const ids = (...list: number[]) => list.map((id) => ({ json: { id } }));

beforeEach(() => {
	testbed.service.switches.emptySubtables = 'leftOut';
	empty(12);
});

it('Get Many returns an empty list for a subtable without rows, if another record has rows', async () => {
	const { items } = await testbed.run({ ...onOrders('getAll'), returnAll: true });
	const counts = rowCounts(items);
	expect(counts).toContain(0);
	expect(counts).not.toContain(undefined);
});

it('Get returns the same subtables for all items, before and after one with rows', async () => {
	const { items } = await testbed.run(onOrder('get'), ids(12, 11, 12));
	expect(rowCounts(items)).toEqual([0, expect.any(Number), 0]);
});

it('an update returns the same subtables as that of another record', async () => {
	const parameters = { ...onOrder('update'), ...asJson({ Remark: 'x' }) };
	const { items } = await testbed.run(parameters, ids(12, 11));
	expect(rowCounts(items)).toEqual([0, expect.any(Number)]);
});

it('a record of another sheet does not get the subtable', async () => {
	const sheets = [sheet(orders).value, sheet(customers).value];
	const items = sheets.map((path) => ({ json: { path, id: 11 } }));
	const parameters = {
		...{ operation: 'get', recordId: recordId('={{ $json.id }}') },
		sheet: { ...sheet(orders), value: '={{ $json.path }}' },
	};
	const { items: found } = await testbed.run(parameters, items);
	expect(rowCounts(found)).toEqual([expect.any(Number), undefined]);
});

it.each<[string, INodeParameters]>([
	['Get, by Subtables', { ...onOrder('get', 11), options: { subtables: '={{ $json.all }}' } }],
	[
		'Get, by Only Fields',
		{ ...onOrder('get', 11), options: { onlyFields: `={{ $json.all ? '${rowsKey}' : 'City' }}` } },
	],
	[
		'Get, by Download Files',
		{
			...onOrder('get', 11),
			options: { onlyFields: 'City', downloadFiles: "={{ $json.all ? 'Article' : '' }}" },
		},
	],
	...['subtables', 'listing'].map((option): [string, INodeParameters] => {
		const wanted = option === 'listing' ? '={{ !$json.all }}' : '={{ $json.all }}';
		return [
			`Get Many, by ${option}`,
			{ ...onOrders('getAll'), limit: 9, options: { [option]: wanted } },
		];
	}),
])(
	'an item without subtables does not get an empty one, although another item has rows: %s',
	async (_, parameters) => {
		testbed.service.switches.listingSubtables = 'leftOut';
		const { items } = await testbed.run(parameters, [{ all: true }, { all: false }]);
		const isOf = (index: number) =>
			items.filter(({ pairedItem }) => Object(pairedItem).item === index);
		expect(rowCounts(isOf(0))).toContainEqual(expect.any(Number));
		expect(new Set(rowCounts(isOf(1)))).toEqual(new Set([undefined]));
	},
);

it('an item without Download Files has the subtables of the others, if all fields are read', async () => {
	const options = { downloadFiles: "={{ $json.id === 11 ? 'Contract' : '' }}" };
	const { items } = await testbed.run({ ...onOrder('get'), options }, ids(11, 12));
	expect(rowCounts(items)).toEqual([expect.any(Number), 0]);
});

it('comments that were not read are not an empty list, although another item has comments', async () => {
	const parameters = { ...onOrder('get', 1), options: { comment: '={{ $json.isRead }}' } };
	const { json } = await testbed.run(parameters, [{ isRead: true }, { isRead: false }]);
	expect(json.map((order) => '_subtable_61' in order)).toEqual([true, false]);
});

it('a raw record stays as it is beside a simplified one', async () => {
	const parameters = { ...onOrder('get'), simplify: '={{ $json.isSimple }}' };
	const { items } = await testbed.run(parameters, [
		{ id: 11, isSimple: true },
		{ id: 12, isSimple: false },
	]);
	expect(rowCounts(items)).toEqual([expect.any(Number), undefined]);
});

it('rows that were not read stay when the items are written back with Rows Mode Replace', async () => {
	const options = { subtables: '={{ $json.all }}' };
	const read = { ...onOrder('get', '={{ $json.id }}'), options };
	const { items } = await testbed.run(read, [
		{ id: 11, all: true },
		{ id: 14, all: false },
	]);
	const rowIds = (id: number) => [...testbed.service.data.record(orders, id).rows(lines.id).keys()];
	const stored = [11, 14].map(rowIds);
	expect(stored.map(({ length }) => length)).not.toContain(0);
	const update = { ...onOrder('update', '={{ $json._recordId }}'), ...autoMapped() };
	await testbed.run({ ...update, options: { rowsMode: 'replace' } }, items);
	expect([11, 14].map(rowIds)).toEqual(stored);
});

it('an item of a dry run does not return an empty subtable, although the record has rows', async () => {
	const options = { dryRun: '={{ $json.isDry }}' };
	const parameters = { ...onOrder('update', 11), ...asJson({ Remark: 'x' }), options };
	const { items } = await testbed.run(parameters, [{ isDry: true }, { isDry: false }]);
	expect(rowCounts(items)).toEqual([undefined, expect.any(Number)]);
});

it('a failed item and raw records stay as they are', async () => {
	const failing = { onError: 'continueErrorOutput' } as const;
	const { items, errorItems } = await testbed.runAll(onOrder('get'), ids(11, 99_999), testbed.as());
	expect([rowCounts(items), rowCounts(errorItems)]).toEqual([[expect.any(Number)], [undefined]]);
	const raw = { ...onOrder('get'), simplify: false };
	const { items: rawItems } = await testbed.run(raw, ids(12, 11), failing);
	expect(rowCounts(rawItems)[0]).toBeUndefined();
});

it('an empty list that was read is written back without a change', async () => {
	const { items } = await testbed.run(onOrder('get'), ids(12, 11));
	const [read] = items;
	const fields = { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] };
	const options = { skipUnchanged: true };
	const parameters = { ...onOrder('update', '={{ $json._recordId }}'), fields, options };
	const { items: written } = await testbed.run(parameters, [{ json: read?.json ?? {} }]);
	expect(written[0]?.json).toMatchObject({ _action: 'unchanged' });
	expect(testbed.writes).toEqual([]);
});

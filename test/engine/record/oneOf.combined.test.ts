import type { INodeParameters, NodeParameterValueType } from 'n8n-workflow';
import { orders, type SheetRecord } from '../../service';
import { assign, byConditions, mass } from '../massOperation/massParameters';
import { numbers, onOrders, useRecordTestbed } from '../recordTestbed';
import { idsWhere } from './listedOrders';

/** 'Is One Of' together with other conditions, options and operations. */
const testbed = useRecordTestbed({ demoRecords: 300 });
const { fields } = orders;

type Condition = [field: string, operator: string, value?: NodeParameterValueType];

const list = (conditions: Condition[], options: INodeParameters = {}): INodeParameters => ({
	...onOrders('getAll'),
	returnAll: true,
	filters: {
		conditions: conditions.map(([field, operator, value = '']) => ({ field, operator, value })),
	},
	options,
});

/** Returns the IDs that a list finds, sorted. */
async function found(conditions: Condition[], options?: INodeParameters): Promise<number[]> {
	const { ids, error } = await testbed.run(list(conditions, options));
	expect(error).toBeUndefined();
	return ids.map(Number).sort((left, right) => left - right);
}

const whereOf = (test: (record: SheetRecord) => boolean) =>
	idsWhere(testbed, test).sort((left, right) => left - right);
const isKey = (record: SheetRecord, count: number) =>
	numbers(count).some((id) => record.text(fields.remark).startsWith(`KEY-${id}-`));
const isOneOfKeys = (count: number): Condition => [
	fields.remark,
	'in',
	`={{ Array.from({ length: ${count} }, (_, index) => 'KEY-' + (index + 1) + '-' + 'x'.repeat(60)) }}`,
];
const openOrShipped: Condition = [fields.status, 'in', '={{ ["Open", "Shipped"] }}'];
const isOpenOrShipped = (record: SheetRecord) =>
	/^(Open|Shipped)$/.test(record.text(fields.status));

beforeEach(() => {
	for (const id of numbers(300))
		testbed.order(id).set(fields.remark, `KEY-${id}-${'x'.repeat(60)}`);
});

it.each<[what: string, condition: Condition, test: (record: SheetRecord) => boolean]>([
	[
		'Is Equal To on another field',
		[fields.express, 'eq', 'Yes'],
		(record) => record.text(fields.express) === 'Yes',
	],
	[
		'a range on another field',
		[fields.total, 'gte', '100'],
		(record) => Number(record.text(fields.total)) >= 100,
	],
	['Is Not Equal To on the same field', [fields.status, 'ne', 'Open'], isShipped],
	[
		'Is Not Empty on another field',
		[fields.deliveryTime, 'notEmpty'],
		(record) => record.text(fields.deliveryTime) !== '',
	],
	['Is One Of on another field, with a divided list', isOneOfKeys(150), (r) => isKey(r, 150)],
])('the records match Is One Of and %s', async (_, condition, test) => {
	const expected = whereOf((record) => isOpenOrShipped(record) && test(record));
	expect(await found([openOrShipped, condition])).toEqual(expected);
});

function isShipped(record: SheetRecord): boolean {
	return record.text(fields.status) === 'Shipped';
}

it('every request of a divided list has the other conditions, options and raw conditions', async () => {
	const ids = await found([isOneOfKeys(150), openOrShipped], {
		where: `${fields.express},eq,Yes`,
		info: true,
		pageSize: 500,
	});
	expect(ids).toEqual(
		whereOf(
			(record) =>
				isKey(record, 150) && isOpenOrShipped(record) && record.text(fields.express) === 'Yes',
		),
	);
	const lists = testbed.reads.filter(({ rawUrl }) => rawUrl.includes(`where=${fields.remark}`));
	expect(lists).toHaveLength(2);
	for (const { rawUrl } of lists) {
		expect(rawUrl).toContain(`where=${fields.status},eq,Open&where=${fields.status},eq,Shipped`);
		expect(rawUrl).toContain(`where=${fields.express},eq,Yes`);
		expect(rawUrl).toContain('info=true');
		expect(rawUrl).toContain('limit=500');
	}
});

it('several items have their own lists, linked to their items', async () => {
	const value = '={{ $json.keys }}';
	const keys = (...ids: number[]) => ids.map((id) => `KEY-${id}-${'x'.repeat(60)}`);
	const items = [{ keys: keys(4, 2) }, { keys: keys(7) }, { keys: keys(2) }];
	const { records } = await testbed.run(list([[fields.remark, 'in', value]]), items);
	expect([...records].sort()).toEqual(['2 #0', '2 #2', '4 #0', '7 #1']);
});

it.each<[what: string, options: INodeParameters]>([
	['no item', {}],
	['an empty item', { emptyResult: 'emptyItem' }],
])('a list of values that no record has returns %s', async (_, options) => {
	const { json, error } = await testbed.run(
		list([[fields.remark, 'in', 'none\nneither']], options),
	);
	expect(error).toBeUndefined();
	expect(json).toHaveLength(Object.keys(options).length);
});

it('values with commas and percent signs are found', async () => {
	testbed.order(1).set(fields.remark, 'one, two');
	testbed.order(2).set(fields.remark, '100%25');
	const value = '={{ ["one, two", "100%25"] }}';
	expect(await found([[fields.remark, 'in', value]])).toEqual([1, 2]);
});

it('a mass operation selects by a list together with other conditions', async () => {
	const keys = numbers(20).map((id) => `KEY-${id}-${'x'.repeat(60)}`);
	const parameters = mass('update', {
		...byConditions([fields.remark, 'in', keys.join('\n')], openOrShipped),
		...assign([fields.note, 'of the list']),
	});
	const expected = whereOf((record) => isKey(record, 20) && isOpenOrShipped(record));
	const { error, json } = await testbed.run(parameters);
	expect(error).toBeUndefined();
	expect(json).toEqual([expect.objectContaining({ total: expected.length })]);
	expect(whereOf((record) => record.text(fields.note) === 'of the list')).toEqual(expected);
});

it('a preview of a mass operation returns the records of the list and changes nothing', async () => {
	const parameters = mass('lock', {
		...byConditions(openOrShipped),
		options: { preview: true },
	});
	const { ids } = await testbed.run(parameters);
	expect(ids.map(Number).sort((left, right) => left - right)).toEqual(whereOf(isOpenOrShipped));
	expect(testbed.writes).toEqual([]);
});

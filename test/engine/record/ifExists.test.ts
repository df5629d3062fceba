import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { numbers, onOrders, useRecordTestbed } from '../recordTestbed';
import { itemWithFiles, textFile } from './filesOnItem';
import { lookUpsOf } from './upserts';

const testbed = useRecordTestbed();
const { fields } = orders;

const ifExists = onOrders('ifExists');
const byReference = { ...ifExists, matchFields: ['Reference'] };

it('If Exists returns items with or without a record: unchanged, linked, with few requests', async () => {
	for (const id of numbers(50)) testbed.order(id).set(fields.reference, `KEY-${id}`);
	const itemOf = async (id: number) =>
		await itemWithFiles({ Reference: `KEY-${id}`, more: { id } }, { data: textFile('a.txt') });
	const items = await Promise.all(numbers(100).map(itemOf));
	const expected = items.slice(0, 50).map((values, item) => ({ ...values, pairedItem: { item } }));
	expect((await testbed.run(byReference, items)).items).toEqual(expected);
	expect([lookUpsOf(testbed).length, testbed.writes]).toEqual([1, []]);
	const missing = await testbed.run({ ...byReference, passOn: 'missing' }, items);
	expect(missing.links).toEqual(numbers(50).map((id) => ({ item: id + 49 })));
});

it.each<[string, INodeParameters['matchFields'], object, boolean]>([
	['a name, where the item has the id', ['Reference'], { [fields.reference]: 'KEY-1' }, true],
	['an id, where the item has the name', [fields.city], { City: 'Oslo' }, true],
	['a name with its id', [`Reference (${fields.reference})`], { Reference: 'KEY-1' }, true],
	['two, both equal', 'Reference, City', { Reference: 'KEY-1', City: 'Oslo' }, true],
	['two, one equal', 'Reference, City', { Reference: 'KEY-1', City: 'Bern' }, false],
	['a text in another case', ['Reference'], { Reference: 'key-1' }, false],
	['a date by its value', ['Order Date'], { 'Order Date': '2026-01-31' }, true],
	['the record ID', ['_recordId'], { _recordId: 12 }, true],
	['the ID of no record', ['_recordId'], { _recordId: '99999' }, false],
])('If Exists matches on %s', async (_, matchFields, item, exists) => {
	testbed.order(12).set(fields.reference, 'KEY-1').set(fields.city, 'Oslo');
	testbed.order(12).set(fields.orderDate, '2026/01/31');
	const parameters = { ...ifExists, matchFields };
	const result = await testbed.run(parameters, [{ ...item }], testbed.as('admin'));
	expect([result.error?.message, result.items.length]).toEqual([undefined, exists ? 1 : 0]);
});

it('If Exists looks many record IDs up in the list', async () => {
	testbed.service.people.massChange(orders, numbers(100), () => ({ [fields.remark]: 'x' }));
	const items = numbers(100).map((_recordId) => ({ _recordId }));
	const result = await testbed.run({ ...ifExists, matchFields: ['_recordId'] }, items);
	expect(result.json).toEqual(items);
	expect(testbed.service.requests.count).toBe(1);
});

it.each<[string, INodeParameters['matchFields'], object[], RegExp]>([
	['an empty value', ['Reference'], [{ Reference: '' }, { Reference: ' ' }, {}], /no value/],
	['an empty ID', ['_recordId'], [{ _recordId: '' }, {}, { _recordId: 'x' }], /record ?ID/i],
	['a record ID beside a field', ['_recordId', 'City'], [{ _recordId: 12 }], /together/],
])('If Exists rejects %s, and looks up no record', async (_, matchFields, items, expectedError) => {
	const parameters = { ...ifExists, matchFields };
	const inputItems = items.map((item) => ({ ...item }));
	await testbed.expectRefused(parameters, inputItems, expectedError, testbed.as('admin'));
	expect(lookUpsOf(testbed)).toEqual([]);
});

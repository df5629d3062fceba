import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { mapped } from '../record/recordValues';
import { useRecordTestbed } from '../recordTestbed';
import { linesOf, onLines, rowAsJson, rowOfItem, rowsSent } from './rowTestbed';

const testbed = useRecordTestbed();
const { article, quantity } = orders.subtables.lines.fields;
const good = rowAsJson({ [article]: 'a' });

/** Returns the articles that were added to order 11, which has three rows at first. */
const added = () => linesOf(testbed.service, 11).slice(3);

it.each<[string, INodeParameters, string]>([
	['no subtable', { subtableId: '={{ "" }}' }, "'Subtable Name or ID' is empty"],
	['nothing to write', rowAsJson({ [article]: '' }), 'There is nothing to write'],
	['an empty mapper', mapped({}), 'There is nothing to write'],
])(
	'%s is rejected before anything is sent, with the number of the item',
	async (_, overrides, text) => {
		const { error } = await testbed.runById({ ...onLines('add', good), ...overrides }, [
			{ order: 11 },
		]);
		expect(error).toMatchObject({
			message: expect.stringContaining(text),
			context: { itemIndex: 0 },
		});
		expect(testbed.service.requests.count).toBe(0);
	},
);

it('a subtable name that is ambiguous or unknown is rejected, and nothing is written', async () => {
	const twin = { id: '77', name: 'Order Lines', fields: [] };
	testbed.service.data.sheet(orders).subtables.push(twin);
	const parameters = { ...onLines('add', good), subtableId: '={{ $json.subtable }}' };
	const items = ['Order Lines', 'Lines'].map((subtable) => ({ order: 11, subtable }));
	const result = await testbed.runAllById(parameters, items, testbed.as('admin'));
	testbed.expectErrors(result, [
		/'Order Lines' in 'Subtable Name or ID' is the name of 2 subtables \(2000001, 77\)/,
		/'Lines' in 'Subtable Name or ID' is not a subtable of this sheet. Its subtables are 'Order Lines' \(2000001\), 'Order Lines' \(77\)/,
	]);
	expect(testbed.writes).toEqual([]);
});

it('a subtable name is rejected with the advice to use the ID if the user has no access to names', async () => {
	const parameters = { ...onLines('getAll'), subtableId: 'Order Lines' };
	const result = await testbed.run(parameters, [{ order: 11 }]);
	expect(result.error?.message).toContain('is not a subtable of this sheet');
	expect(result.error?.description).toContain('give its ID, e.g. 2000001');
});

it('a key that is not a field of the row is rejected with advice', async () => {
	const rows: Array<[object, RegExp]> = [
		// Keys that reads add.
		[{ _recordId: 11, _rowId: 3, [article]: 'a' }, /'_recordId' is not a field.*leave them out/],
		[{ Artikle: 'a' }, /'Artikle' is not a field of subtable 2000001.*'Article'/],
		// A field of the record.
		[{ Status: 'Open' }, /'Status' is not a field of subtable 2000001/],
	];
	const items = rows.map(([row]) => ({ json: { order: 11, row: { ...row } } }));
	const expectedErrors = rows.map(([, words]) => words);
	await testbed.expectRefused(onLines('add', rowOfItem), items, expectedErrors);
});

it('a _rowId in the JSON of an update that is not Row ID is rejected', async () => {
	const row = rowAsJson({ _rowId: 3, [article]: 'a' });
	const words = "'_rowId' in 'Row (JSON)' is not the row in 'Row ID'";
	await testbed.expectRefused({ ...onLines('update', row), rowId: '1' }, [{ order: 11 }], words);
});

it('a _rowId in the JSON of an update may be the same as Row ID', async () => {
	const [first] = linesOf(testbed.service, 11);
	const row = rowAsJson({ _rowId: first?.[0], [article]: 'same' });
	const parameters = { ...onLines('update', row), rowId: String(first?.[0]) };
	expect((await testbed.runById(parameters, [{ order: 11 }])).error).toBeUndefined();
	expect(linesOf(testbed.service, 11)[0]?.[1]).toBe('same');
});

it('an invalid item stops the run before anything is sent', async () => {
	const mixed = [
		{ order: 11, row: { [article]: 'before' } },
		{ order: 'x', row: { [article]: 'bad' } },
		{ order: 11, row: { [article]: 'behind' } },
	];
	const { error } = await testbed.runById(onLines('add', rowOfItem), mixed);
	expect(error?.context).toMatchObject({ itemIndex: 1 });
	expect(added()).toEqual([]);
});

const add = onLines('add', { ...rowOfItem, options: { doValidation: true } });
const items = [
	{ order: 11, row: { [article]: 'a', [quantity]: 1 } },
	{ order: 11, row: { [article]: 'b', [quantity]: '1.5' } },
	{ order: 11, row: { [article]: 'c', [quantity]: 3 } },
];

describe('a row that the service rejects', () => {
	it('a rejected row does not fail the other rows, and no row is saved twice', async () => {
		const result = await testbed.runAllById(add, items);
		expect(added().map(([, text]) => text)).toEqual(['a', 'c']);
		expect(
			result.items.map(({ json, pairedItem }) => [json._rowId, json[article], pairedItem]),
		).toEqual(added().map(([id, text], index) => [id, text, { item: 2 * index }]));
		testbed.expectErrors(result, { 1: 'the quantity must be a whole number' });
		expect(rowsSent(testbed).map((rows) => Object.keys(rows).length)).toEqual([3, 1, 1, 1]);
	});

	it('a rejected row is sent once if it is alone', async () => {
		expect((await testbed.runById(add, items.slice(1, 2))).status).toBe('error');
		expect(testbed.writes).toHaveLength(1);
	});
});

it.each([
	['a lock', 'member', 3, /Record locked.*code 402.*'Unlock'/s, 1],
	['a record that is not there', 'member', 99999, /There is no record 99999/, 1],
	// A request with code 106 is repeated once.
	['a user who may only read', 'reader', 11, /No access right/, 2],
] as const)(
	'an error of the whole record is reported for each item, with a single request: %s',
	async (_, identity, order, message, requests) => {
		const rows = items.map(({ row }) => ({ order, row }));
		const checked = { ...add, options: { checkLock: true } };
		const result = await testbed.runAllById(checked, rows, testbed.as(identity));
		expect(testbed.writes).toHaveLength(requests);
		testbed.expectErrors(result, message, rows.length);
	},
);

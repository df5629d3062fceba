import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { numbers, onOrder, onOrders, unname, useRecordTestbed } from '../recordTestbed';
import { itemWithFiles, textFile } from './filesOnItem';
import { clearProcessState } from '../runner/typeLibrary';
import { lookUpsOf } from './upserts';

const testbed = useRecordTestbed({ demoRecords: 60 });
const { fields } = orders;

const getByMatch = { ...onOrders('get'), getBy: 'match' };
const byReference = { ...getByMatch, matchFields: ['Reference'] };

/** Gives the orders references KEY-1, KEY-2 and so on. */
function setKeys(count: number): void {
	for (const id of numbers(count)) testbed.order(id).set(fields.reference, `KEY-${id}`);
}

const keys = (count: number) => numbers(count).map((id) => ({ Reference: `KEY-${id}` }));

it('Get by match returns the record of each item, linked, as Get by ID returns it', async () => {
	setKeys(50);
	const result = await testbed.run(byReference, [...keys(50)].reverse());
	const ids = numbers(50).reverse();
	expect(result.links).toEqual(ids.map((_, item) => ({ item })));
	const inputItems = ids.map((id) => ({ id }));
	const byId = await testbed.run(onOrder('get'), inputItems);
	expect(result.json).toEqual(byId.json);
});

it('Get by match finds rich text by its markup, and returns it as HTML', async () => {
	testbed.order(12).set(fields.description, '[b]Fragile[/b]');
	const parameters = { ...getByMatch, matchFields: ['Description'] };
	const items = [{ Description: '[b]Fragile[/b]' }];
	const result = await testbed.run(parameters, items, testbed.as('admin'));
	expect(result.json).toMatchObject([{ _recordId: 12, Description: '<b>Fragile</b>' }]);
});

it('Get by match looks 100 items up with one request, and equal items once', async () => {
	setKeys(50);
	const items = [...keys(50), ...keys(50)];
	const result = await testbed.run(byReference, items, testbed.as('admin'));
	expect(result.json.map(({ _recordId }) => _recordId)).toEqual([...numbers(50), ...numbers(50)]);
	expect([lookUpsOf(testbed).length, testbed.writes]).toEqual([1, []]);
	expect(testbed.reads.filter(({ path }) => /\/orders\/1\/\d+$/.test(path))).toEqual([]);
});

it.each<[string, INodeParameters['matchFields'], object]>([
	['a field ID', [fields.reference], { Reference: 'KEY-1' }],
	['two fields', ['Reference', 'City'], { Reference: 'KEY-1', City: 'Oslo' }],
	['a date by its value', ['Order Date'], { 'Order Date': '2026-01-31' }],
	['the record ID', ['_recordId'], { _recordId: 12 }],
])('Get by match finds a record by %s', async (_, matchFields, item) => {
	testbed.order(12).set(fields.reference, 'KEY-1').set(fields.city, 'Oslo');
	testbed.order(12).set(fields.orderDate, '2026/01/31');
	const result = await testbed.run({ ...getByMatch, matchFields }, [{ ...item }]);
	expect(result.json).toMatchObject([{ _recordId: 12, City: 'Oslo' }]);
});

it.each<[INodeParameters, string]>([
	[{}, 'names'],
	[{ fieldKeys: 'id' }, 'IDs'],
	[{ onlyFields: 'City, Article' }, 'some fields'],
	[{ typedValues: true, numberFields: 'Total' }, 'typed values'],
	[{ isoDates: true, timeZone: 8 }, 'another time zone'],
	[{ info: true, subtables: false, bbcode: true, ignoreMask: true }, 'other read options'],
])('Get by match with %j returns the items of Get by ID (%s)', async (options: INodeParameters) => {
	setKeys(3);
	const parameters = { ...onOrder('get', 3), options };
	const byId = await testbed.run(parameters, [{}], testbed.as('admin'));
	const item = { Reference: 'KEY-3' };
	const found = await testbed.run({ ...byReference, options }, [item], testbed.as('admin'));
	expect(found.error).toBeUndefined();
	const withoutPosition = (json: object) => ({ ...json, _seq: undefined });
	expect(found.json.map(withoutPosition)).toEqual(byId.json.map(withoutPosition));
	expect(Object.keys(found.json[0] ?? {})).toEqual(Object.keys(byId.json[0] ?? {}));
});

it.each<INodeParameters>([
	{},
	{ fieldKeys: 'id' },
	{ onlyFields: 'Reference, Note2' },
	{ onlyFields: 'Reference, Article, 1000019' },
	{ numberFields: 'Total', onlyFields: 'Total' },
])('Get by match with %j returns the raw records of Get by ID', async (options) => {
	setKeys(3);
	unname(testbed.service);
	clearProcessState('sheetFields');
	const byId = await testbed.run({ ...onOrder('get', 3), simplify: false, options });
	const item = { Reference: 'KEY-3' };
	const result = await testbed.run({ ...byReference, simplify: false, options }, [item]);
	expect(result.json).toEqual(byId.json);
	expect(Object.keys(result.json[0] ?? {})).toEqual(Object.keys(byId.json[0] ?? {}));
});

it('Get by match names fields without a type as the output does', async () => {
	setKeys(1);
	const options = { typedValues: true, onlyFields: 'Reference, Tags, Quantity' };
	const result = await testbed.run({ ...byReference, options }, keys(1));
	expect(result.hintTexts[0]).toContain("The types of 'Tags', 'Quantity' are unknown");
});

describe('an item without a record', () => {
	const items = [{ Reference: 'KEY-1' }, { Reference: 'KEY-X' }];

	it('fails by default, and names the value and the field', async () => {
		setKeys(1);
		const result = await testbed.runAll(byReference, items);
		expect(result.json).toMatchObject([{ _recordId: 1 }]);
		expect(result.errorItems).toMatchObject([
			{
				json: { error: expect.stringContaining("'KEY-X' in 'Reference'") },
				pairedItem: { item: 1 },
			},
		]);
	});

	it('gives an empty item with the values to match, or none', async () => {
		setKeys(1);
		const emptyItem = { ...byReference, options: { emptyResult: 'emptyItem' } };
		const { json } = await testbed.run(emptyItem, items);
		expect(json[1]).toEqual({ Reference: 'KEY-X', _missing: true });
		const none = { ...byReference, options: { emptyResult: 'none' } };
		expect((await testbed.run(none, items)).links).toEqual([{ item: 0 }]);
	});
});

describe('several matching records', () => {
	const item = [{ City: 'Atlantis' }];
	const byCity = { ...getByMatch, matchFields: ['City'] };
	beforeEach(() => {
		for (const id of [30, 4, 17]) testbed.order(id).set(fields.city, 'Atlantis');
	});

	it('several records are an error by default', async () => {
		await testbed.expectRefused(byCity, item, /3 records match 'Atlantis' in 'City': 4, 17, 30/);
	});

	it.each<[string, number[]]>([
		['first', [4]],
		['all', [4, 17, 30]],
	])('of several records, "%s" returns %j', async (onMultipleMatches, ids) => {
		const result = await testbed.run({ ...byCity, options: { onMultipleMatches } }, item);
		expect(result.json.map(({ _recordId }) => _recordId)).toEqual(ids);
		expect(result.links).toEqual(ids.map(() => ({ item: 0 })));
	});

	// Reads with an offset show other times than the stored ones, so the records are read after their look-up.
	it.each([4, 17, 30])(
		'without record %d, which was deleted after the look-up',
		async (deleted) => {
			testbed.service.beforeRequest(({ path }) => {
				if (path.endsWith('/orders/1/4')) testbed.service.people.delete(orders, deleted);
			});
			const options = { onMultipleMatches: 'all', timeZone: 3 };
			const { json } = await testbed.run({ ...byCity, options }, item);
			expect(json.map(({ _recordId }) => _recordId)).toEqual(
				[4, 17, 30].filter((id) => id !== deleted),
			);
		},
	);
});

describe('Keep Input', () => {
	const keepInput = { ...byReference, options: { keepInput: true } };

	it('the item keeps its fields and files, and gets the record', async () => {
		setKeys(1);
		const item = await itemWithFiles(
			{ Reference: 'KEY-1', price: 5, record: 'old' },
			{ data: textFile('a.txt') },
		);
		const { items } = await testbed.run(keepInput, [item]);
		expect(items).toEqual([
			{
				json: { Reference: 'KEY-1', price: 5, record: expect.objectContaining({ _recordId: 1 }) },
				binary: item.binary,
				pairedItem: { item: 0 },
			},
		]);
	});

	it('an item without a record gets null, unless the user chose an error', async () => {
		const item = { Reference: 'KEY-X', price: 5 };
		expect((await testbed.run(keepInput, [item])).json).toEqual([{ ...item, record: null }]);
		const strict = { ...byReference, options: { keepInput: true, emptyResult: 'error' } };
		await testbed.expectRefused(strict, [item], /No record matches/);
	});
});

it.each<[string, INodeParameters['matchFields'], object]>([
	['an empty value', ['Reference'], { Reference: ' ' }],
	['a missing value', ['Reference'], {}],
	['an unknown field', ['Refrence'], { Refrence: 'x' }],
])('Get by match rejects %s, and looks up no record', async (_, matchFields, item) => {
	await testbed.expectRefused(
		{ ...getByMatch, matchFields },
		[{ ...item }],
		/no value|is not a field/,
		testbed.as('admin'),
	);
	expect(lookUpsOf(testbed)).toEqual([]);
});

it.each(['admin', 'member'] as const)(
	'a short ID that is no field is rejected with the name of its parameter, as %s',
	async (as) => {
		await testbed.expectRefused(
			{ ...getByMatch, matchFields: ['777'] },
			[{ 777: 'x' }],
			"'777' in 'Match Field Names or IDs' is not a field of the sheet",
			testbed.as(as),
		);
		expect(lookUpsOf(testbed)).toEqual([]);
	},
);

it('Get by match finds a record that was just written, although filters lag', async () => {
	testbed.service.switches.filterLagMilliseconds = 60_000;
	const recordJson = JSON.stringify({ Reference: 'NEW-1', 'Customer Number': 'C-0001' });
	const create = { ...onOrders('create'), inputMode: 'json', recordJson };
	const created = await testbed.run(create);
	expect(created.json).toMatchObject([{ Reference: 'NEW-1' }]);
	const found = await testbed.run(byReference, [{ Reference: 'NEW-1' }]);
	expect(found.json).toMatchObject([{ _recordId: created.json[0]?._recordId }]);
});

it('Keep Input keeps all files of the item: a file of the record whose name is taken gets the next free number', async () => {
	setKeys(1);
	const stored = ['a.txt', 'b.txt'].map((name) =>
		testbed.service.data.storeFile(name, 'text/plain', Buffer.from(name)),
	);
	testbed.order(1).set(fields.contract, stored);
	const files = { data: textFile('other.txt'), Contract_1: textFile('own.txt') };
	const options = { downloadFiles: 'Contract', keepInput: true };
	const item = await itemWithFiles({ Reference: 'KEY-1' }, files);
	const { items } = await testbed.run({ ...byReference, options }, [item]);
	const names = Object.entries(items[0]?.binary ?? {}).map(([key, file]) => [key, file.fileName]);
	expect(Object.fromEntries(names)).toEqual({
		data: 'other.txt',
		Contract_1: 'own.txt',
		Contract_2: 'a.txt',
		Contract_3: 'b.txt',
	});
});

it('Get by match downloads files', async () => {
	setKeys(1);
	const stored = testbed.service.data.storeFile('a.txt', 'text/plain', Buffer.from('text'));
	testbed.order(1).set(fields.contract, stored);
	const { items } = await testbed.run(
		{ ...byReference, options: { downloadFiles: 'Contract', keepInput: true } },
		keys(1),
	);
	expect(items[0]?.binary).toMatchObject({ Contract_1: { fileName: 'a.txt' } });
});

it.each([0, 3])(
	'Get by match finds a record by its stored time, and returns it with the UTC offset %s',
	async (timeZone) => {
		testbed.order(12).set(fields.deliveryTime, '2026/01/31 09:30:00');
		const parameters = { ...getByMatch, matchFields: ['Delivery Time'], options: { timeZone } };
		const byId = await testbed.run({ ...onOrder('get', 12), options: { timeZone } });
		const found = await testbed.run(parameters, [{ 'Delivery Time': '2026/01/31 09:30:00' }]);
		expect(found.error).toBeUndefined();
		const timesOf = (json: object[]) =>
			json.map((record) => Object(record)['Delivery Time'] as unknown);
		expect(timesOf(found.json)).toEqual(timesOf(byId.json));
	},
);

it.each([
	['get', { getBy: 'match' }],
	['delete', { deleteBy: 'match' }],
	['ifExists', {}],
])('a system field is no match field of %s, and nothing is sent', async (operation, by) => {
	for (const key of ['Create Date', '105', 'If Locked']) {
		const parameters = { ...onOrders(operation), ...by, matchFields: [key] };
		await testbed.expectRefused(
			parameters,
			[{ [key]: '2023-01-02' }],
			/^'(?:Create Date|105|If Locked)' in 'Match Field Names or IDs' is in no record that is read.*'Filters'/,
		);
	}
	expect(testbed.readUrls.filter((url) => url.includes('where='))).toEqual([]);
});

it('the value to match on may be under the name with the ID', async () => {
	setKeys(1);
	const result = await testbed.run(byReference, [{ 'Reference (512)': 'KEY-1' }]);
	expect(result.records).toEqual(['1 #0']);
});

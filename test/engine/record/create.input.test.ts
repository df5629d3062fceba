import type { IDataObject } from 'n8n-workflow';
import { customers, empty, orders, tasks } from '../../service';
import { onOrder, onOrders, sheet, useRecordTestbed } from '../recordTestbed';
import { schemaFor } from './editorSchema';
import { asJson, autoMapped, mapped } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;
const { lines } = orders.subtables;

const create = onOrders('create');
const ofCustomers = { ...create, sheet: sheet(customers) };
const required = { [fields.customerNumber]: 'C-0001' };

describe('automatic mapping', () => {
	it('automatic mapping writes each item by field name and links each record to its item', async () => {
		const result = await testbed.runById({ ...create, ...autoMapped() }, [
			{ 'Customer Number': 'C-0001', Remark: 'First' },
			{ 'Customer Number': 'C-0002', Remark: 'Second', Reference: 'R-2' },
		]);
		expect(result.records).toEqual(['301 #0', '302 #1']);
		const writtenPaths = testbed.writes.map(({ method, path }) => `${method} ${path}`);
		expect(writtenPaths).toEqual(Array(2).fill('POST /acme/sales/orders/1'));
		const second = { [fields.remark]: 'Second', [fields.reference]: 'R-2' };
		expect(testbed.bodies).toEqual([
			{ [fields.customerNumber]: 'C-0001', [fields.remark]: 'First' },
			{ [fields.customerNumber]: 'C-0002', ...second },
		]);
		expect(Object.fromEntries(testbed.order(302).values)).toMatchObject(second);
	});

	it('automatic mapping ignores keys that begin with an underscore, except subtables, and leaves items unchanged', async () => {
		const item = {
			...{ _recordId: 7, _title: 'SO-1', _starred: true, _create_date: '2023/01/02' },
			_anything: { deep: true },
			'Customer Number': 'C-0001',
			_subtable_2000001: [{ Article: 'Vase', _index_title_: 'Vase', _seq: 4 }],
		};
		const rows = [{ subtableId: lines.id, rowJson: '{ "Article": "Tea, green" }' }];
		const before = JSON.parse(JSON.stringify(item));
		const parameters = { ...create, ...autoMapped(), options: { subtables: { rows } } };
		const result = await testbed.runById(parameters, [{ json: item }]);
		const { article } = lines.fields;
		const sent = { '-2': { [article]: 'Vase' }, '-1': { [article]: 'Tea, green' } };
		expect(testbed.bodies).toEqual([{ ...required, _subtable_2000001: sent }]);
		expect(result.outputs('Start')[0]?.json).toEqual(before);
	});

	it('automatic mapping accepts field IDs, after one look-up of the kinds of the fields', async () => {
		const item = { [customers.fields.customerNumber]: 'C-0900', [customers.fields.name]: 'Nine' };
		await testbed.runById({ ...ofCustomers, ...autoMapped() }, [item, item]);
		// The schema is requested twice before it counts as rejected. Then come the definition and the newest records.
		expect(testbed.reads.length).toBeLessThanOrEqual(4);
		expect(testbed.service.data.record(customers, 301).text(customers.fields.name)).toBe('Nine');
	});
});

describe('JSON input', () => {
	it('JSON input accepts an object of an expression, and a text', async () => {
		const record = { 'Customer Number': 'C-0001', Express: false, [fields.reference]: 0 };
		for (const recordJson of ['={{ $json }}', JSON.stringify(record)]) {
			await testbed.runById({ ...create, ...asJson(recordJson) }, [record]);
		}
		const body = { ...required, [fields.express]: 'No', [fields.reference]: 0 };
		expect(testbed.bodies).toEqual([body, body]);
	});

	it('JSON input keeps the digits of long numbers in a text', async () => {
		const text =
			'{ "Customer Number": "C-0901", "Name": 12345678901234567890123, "Credit Limit": 98765432109876543210.55 }';
		await testbed.runById({ ...ofCustomers, ...asJson(text) });
		const record = testbed.service.data.record(customers, 301);
		expect(record.text(customers.fields.creditLimit)).toBe('98765432109876543210.55');
		expect(record.text(customers.fields.name)).toBe('12345678901234567890123');
	});

	it('JSON input rejects an object, or an array of objects, as the value of a field', async () => {
		const items = [{ Remark: { deep: 1 } }, { Tags: [{ value: 'Gift' }] }];
		const record = '={{ ({ "Customer Number": "C-0001", ...$json }) }}';
		await testbed.expectRefused({ ...create, ...asJson(record) }, items, 'cannot be used');
	});

	it('JSON input rejects invalid numbers', async () => {
		const record = '={{ ({ Remark: [1 / 0, Number("x")][$itemIndex] }) }}';
		await testbed.expectRefused({ ...create, ...asJson(record) }, [{}, {}], 'Remark');
	});
});

it('an unknown name fails only its own item, and the error suggests names', async () => {
	const wrong: Array<[object, RegExp]> = [
		[{ 'customer number': 'x' }, /'Customer Number'/],
		[{ 'Customer Number ': 'x' }, /'Customer Number'/],
		[{ ...required, Delivery: 'x' }, /'Delivery Time'/],
		[{ ...required, _subtable_2000001: [{ Artikel: 'Vase' }] }, /subtable 2000001.*'Article'/],
		// Two fields have this name.
		[{ ...required, Note: 'x' }, new RegExp(`${fields.note}.*${fields.secondNote}`)],
		// The same field is given twice.
		[{ ...required, Remark: 'a', [fields.remark]: 'b' }, new RegExp(fields.remark)],
		[{}, /nothing to write/],
		[{ Remark: '', Reference: null, Tags: [] }, /nothing to write/],
		[{ _subtable_2000001: [{ Article: '' }] }, /nothing to write/],
	];
	const items = [...wrong.map(([record]) => record), required];
	const result = await testbed.runAllById(
		{ ...create, ...asJson('={{ $json.record }}') },
		items.map((record) => ({ json: { record } })),
	);
	testbed.expectErrors(
		result,
		Object.fromEntries(wrong.map(([, expectedError], item) => [item, expectedError])),
	);
	expect(result.links).toEqual([{ item: wrong.length }]);
	expect(testbed.writes).toHaveLength(1);
});

it('a field that was just added to the sheet is found, although the fields have been cached before', async () => {
	const inEmpty = { operation: 'create', sheet: sheet(empty), ...autoMapped() };
	expect((await testbed.runById(inEmpty, [{ Title: 'a' }])).status).toBe('success');
	const { fields: known } = testbed.service.data.sheet(empty);
	known.push({ id: '1600077', name: 'Colour', type: 'text' });
	expect((await testbed.runById(inEmpty, [{ Title: 'b', Colour: 'red' }])).status).toBe('success');
	expect(testbed.service.data.record(empty, 1).text('1600077')).toBe('red');
});

it('a short number is an ID if no source lists names', async () => {
	const when = ({ method }: { method: string }) => method === 'GET';
	testbed.inject({ kind: 'body', body: '{}', times: Infinity, when });
	// Nothing of this sheet is cached yet.
	const record = { [tasks.fields.title]: 'Call', 2025: '5' };
	await testbed.runById({ ...create, sheet: sheet(tasks), ...asJson(record) });
	expect(testbed.bodies).toEqual([record]);
});

it('multiple selections are written as arrays of texts', async () => {
	const selections = [['Gift', 'Repeat, large'], ['Bulk'], 'Export', [1, 2]];
	const items = selections.map((Tags): IDataObject => ({ ...required, Tags }));
	await testbed.runById({ ...create, ...autoMapped() }, items);
	const stored = [301, 302, 303, 304].map((id) => testbed.order(id));
	const texts = [['Gift', 'Repeat, large'], ['Bulk'], ['Export'], ['1', '2']];
	expect(stored.map((record) => record.value(fields.tags))).toEqual(texts);
	expect(testbed.bodies.at(-1)).toMatchObject({ [fields.tags]: ['1', '2'] });
});

it('the mapper of the editor writes a value of each type', async () => {
	const choiceValues = { [fields.status]: 'Shipped', [fields.tags]: ['Gift', 'Bulk'] };
	const otherValues = {
		...required,
		...choiceValues,
		[fields.express]: 'Yes',
		[fields.remark]: 'By hand',
	};
	const { orderDate, deliveryTime } = fields;
	const enteredValues = {
		...otherValues,
		[orderDate]: '2026-03-02',
		[deliveryTime]: '2026-03-02T10:20:30',
	};
	const schema = await schemaFor(testbed, { ...create, ...mapped(enteredValues) });
	const overrides = { credentials: testbed.credentials('admin'), timezone: 'America/Los_Angeles' };
	await testbed.runById({ ...create, ...mapped(enteredValues, [], schema) }, [{}], overrides);
	const dates = { [orderDate]: '2026/03/02', [deliveryTime]: '2026/03/02 10:20:30' };
	expect(testbed.bodies).toEqual([{ ...otherValues, ...dates }]);
});

it('a quotation mark of an inserted value is no JSON, and the advice inserts it', async () => {
	const items = [{ remark: 'Say "hi"' }];
	const update = onOrder('update', 5);
	const asText = { ...update, ...asJson('={ "Remark": "{{ $json.remark }}" }') };
	const { errorItems } = await testbed.runAll(asText, items);
	const [, expression = ''] = /(\{\{ .*? \}\})/.exec(String(errorItems[0]?.json.error)) ?? [];
	const advised = `={ "Remark": ${expression.replace('$json.x', '$json.remark')} }`;
	await testbed.run({ ...update, ...asJson(advised) }, items);
	expect(testbed.order(5).text(orders.fields.remark)).toBe('Say "hi"');
});

it.each([
	['\ufeffCity', 'U+FEFF'],
	['Order\u00a0Date', 'U+00A0'],
	['City\u200b', 'U+200B'],
])('an invisible character of a name is named: %j', async (key, code) => {
	const words = `is not a field of the sheet. Did you mean .*${key.replace(/[^\w]+/g, '.?')}.*contains the invisible character`;
	const pattern = new RegExp(`${words} ${code.replace('+', '\\+')}\\.`);
	await testbed.expectRefused({ ...create, ...autoMapped() }, [{ [key]: 'x' }], pattern);
});

it.each([
	['NFC', 'NFD', 'Größe'],
	['NFD', 'NFC', 'Höhe'],
])(
	'a name that looks like that of a field has advice: %s in the sheet, %s given',
	async (own, given, name) => {
		for (const field of testbed.orders.fields) {
			if (field.id === fields.city) field.name = name.normalize(own);
		}
		const items = [{ [name.normalize(given)]: 'x' }];
		const words = /Did you mean .*The names look the same.*or use the ID of the field/;
		await testbed.expectRefused({ ...create, ...autoMapped() }, items, words);
	},
);

it.each(['body', 'output', 'fields'])(
	'the advice for an object in place of fields writes the values in it: %s',
	async (key) => {
		const items = [{ [key]: { 'Customer Number': 'C-0001', Remark: 'New' } }];
		const { errorItems } = await testbed.runAll({ ...create, ...autoMapped() }, items);
		const error = String(errorItems[0]?.json.error);
		expect(error).toMatch(
			/set 'Input' to 'JSON', with an expression such as \{\{ \$json\.body \}\}/,
		);
		await testbed.run({ ...create, ...asJson(`={{ $json.${key} }}`) }, items);
		expect(testbed.order(301).text(fields.remark)).toBe('New');
	},
);

import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { onOrder, onOrders, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped, mapped } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;
const { lines } = orders.subtables;
const { article, quantity } = lines.fields;
const key = `_subtable_${lines.id}`;

const create = onOrders('create');
const required = { [fields.customerNumber]: 'C-0001' };

/** Returns the texts in the rows of the created record, in the order of the service. */
function rowsOf(recordId: number): string[][] {
	const rows = testbed.order(recordId).rows(lines.id);
	return [...rows.values()].map((row) => [...row.values()].map(String));
}

const rowsSent = () => testbed.writes.map(({ body }) => Object(body)[key]);

/** Returns the rows of the collection, as stored by the editor. */
const collection = (...rows: Array<[subtableId: string, rowJson: string]>): INodeParameters => ({
	...mapped(required),
	options: { subtables: { rows: rows.map(([subtableId, rowJson]) => ({ subtableId, rowJson })) } },
});

it('an array of rows creates rows with distinct negative IDs', async () => {
	const rows = [{ Article: 'Vase', Quantity: 2 }, { [article]: 'Tea, green' }];
	const result = await testbed.runById({ ...create, ...asJson({ ...required, [key]: rows }) });
	expect(rowsSent()).toEqual([
		{ '-2': { [article]: 'Vase', [quantity]: 2 }, '-1': { [article]: 'Tea, green' } },
	]);
	expect(rowsOf(301)).toEqual([['Vase', '2'], ['Tea, green']]);
	expect(result.json[0]?.[key]).toEqual([
		expect.objectContaining({ [article]: 'Vase', _rowId: expect.any(Number) }),
		expect.objectContaining({ [article]: 'Tea, green' }),
	]);
});

it('rows under negative IDs of the user keep the order in which they are given', async () => {
	const three = { '-1': { Article: 'a' }, '-9': { Article: 'b' }, '-2': { Article: 'c' } };
	const twelve = Object.fromEntries(
		Array.from({ length: 12 }, (_, index) => [`-${index + 1}`, { Article: `row ${index}` }]),
	);
	for (const value of [three, twelve]) {
		await testbed.runById({ ...create, ...asJson({ ...required, [key]: value }) });
	}
	expect(rowsOf(301)).toEqual([['a'], ['b'], ['c']]);
	expect(rowsOf(302)).toEqual(Object.values(twelve).map(({ Article }) => [Article]));
});

it.each([asJson('={{ $json }}'), autoMapped()])(
	'rows under the name of a subtable are rejected, and the error names their key',
	async (input) => {
		const item = { ...required, 'Order Lines': [{ Article: 'Vase' }] };
		const expected =
			"'Order Lines' is not a field of the sheet. It is a subtable: its rows are under";
		await testbed.expectRefused(
			{ ...create, ...input },
			[item],
			`${expected} '${key}'`,
			testbed.as('admin'),
		);
	},
);

it('rows to delete are not sent with a new record, and a warning names them', async () => {
	const rows = { [key]: [{ Article: 'Vase' }], [`_DELSUB_${lines.id}`]: [5] };
	const result = await testbed.run({ ...create, ...asJson({ ...required, ...rows }) });
	expect(testbed.writes.map(({ body }) => Object.keys(Object(body)))).toEqual([
		[fields.customerNumber, key],
	]);
	expect(rowsOf(301)).toEqual([['Vase']]);
	expect(result.json[0]?._warning).toBe(
		`Check what was saved: 'row 5 of ${key}' (row to delete does not exist).`,
	);
});

it('the option Subtable Rows accepts a text or an object, by ID or name of the subtable, with all digits', async () => {
	const parameters = collection(
		[lines.id, '={{ JSON.stringify({ Article: $json.article, Quantity: 3 }) }}'],
		['Order Lines', '={{ ({ Article: "as an object" }) }}'],
		[`Lines (${lines.id})`, '{ "Article": "by name and ID" }'],
		[key, '{ "Unit Price": 12345678901234567890.25 }'],
	);
	const items = [{ article: 'Vase' }, { article: 'Notebook A5' }];
	await testbed.runById({ ...create, ...parameters }, items, testbed.as('admin'));
	const rest = [['as an object'], ['by name and ID'], ['12345678901234567890.25']];
	expect(rowsOf(301)).toEqual([['Vase', '3'], ...rest]);
	expect(rowsOf(302)).toEqual([['Notebook A5', '3'], ...rest]);
});

it.each<IDataObject>([
	{ '_subtable_Order Lines': [{ Article: 'Chair' }] },
	{ '_subtable_Order Lines': { '-1': { Article: 'Chair' } } },
	{ '_DELSUB_Order Lines': 5 },
])('rows under the name of their subtable are rejected, not ignored: %j', async (rows) => {
	const expectedError = "Order Lines' does not hold the ID of a subtable";
	const auto = { ...onOrder('update', 5), ...autoMapped() };
	await testbed.expectRefused(auto, [{ ...required, ...rows }], expectedError);
});

it.each<[IDataObject[string], string[][]]>([
	[{ '-1': { [article]: 'Lamp' } }, [['Lamp']]],
	[[{ Article: 'Lamp' }], [['Lamp']]],
	[null, []],
	['', []],
])('the rows of the collection come after those of the item: %j', async (rows, expected) => {
	const parameters = { ...create, ...collection([lines.id, '{ "Article": "Vase" }']) };
	const item = { ...required, [key]: rows };
	const result = await testbed.runById({ ...parameters, ...autoMapped() }, [item]);
	expect(result.error).toBeUndefined();
	expect(rowsOf(301)).toEqual([...expected, ['Vase']]);
});

it.each([key, 'Article'])(
	'rows of the collection are written, although the item ignores %s',
	async (ignoreFields) => {
		const { options } = collection([lines.id, '{ "Article": "Vase", "Quantity": 4 }']);
		const parameters = { ...onOrder('update', 15), ...autoMapped() };
		const [item] = (await testbed.run(onOrder('get', 15))).json;
		const before = rowsOf(15);
		const all = { ...Object(options), doWorkflow: false, ignoreFields };
		const result = await testbed.runById({ ...parameters, options: all }, [{ ...item }]);
		expect(result.error).toBeUndefined();
		expect(rowsOf(15)).toEqual([...before, ['Vase', '4']]);
	},
);

it.each([
	['automatic', autoMapped()],
	['manual', mapped({ Remark: '={{ $json.Remark }}' })],
])(
	'a row of the option keeps its ID if the item was read from another record, with %s mapping',
	async (_, mapping) => {
		const [rowId = 0] = testbed.order(11).rows(lines.id).keys();
		const before = testbed.order(11).rows(lines.id).size;
		const { options } = collection([lines.id, JSON.stringify({ _rowId: rowId, Quantity: 77 })]);
		await testbed.run({ ...onOrder('update', 11), ...mapping, options }, [
			{ _recordId: 12, Remark: 'new' },
		]);
		const rows = testbed.order(11).rows(lines.id);
		expect([rows.size, rows.get(rowId)?.get(quantity)]).toEqual([before, '77']);
	},
);

describe('a subtable that the sheet does not have', () => {
	const none = 'The sheet has no subtable 2000009';
	const rows = { _subtable_2000009: [{ [article]: 'lost' }] };
	const deletion = { [fields.remark]: 'x', _DELSUB_2000009: [4] };

	it.each([
		['rows of a creation', { ...create, ...asJson({ ...required, ...rows }) }],
		['rows of an update', { ...onOrder('update', 3), ...asJson(rows) }],
		['deletions of an update', { ...onOrder('update', 3), ...asJson(deletion) }],
		['deletions alone', { ...onOrder('update', 3), ...asJson({ _DELSUB_2000009: [4] }) }],
		['rows of a dry run', { ...onOrder('update', 3), ...asJson(rows), options: { dryRun: true } }],
		['entered rows', { ...create, ...collection(['2000009', `{ "${article}": "lost" }`]) }],
	])('%s in an unknown subtable are rejected before sending', async (_, parameters) => {
		for (const as of [testbed.as('member'), testbed.as('admin')]) {
			await testbed.expectRefused(parameters, [{}], none, as);
		}
	});

	it('rows of a new subtable are written although the list of fields is older', async () => {
		await testbed.run({ ...onOrder('update', 3), ...asJson({ Remark: 'loads the list' }) });
		const [first] = testbed.orders.subtables;
		if (!first) throw new Error('The sheet has no subtable');
		const field = { id: '3000099', name: 'New', type: 'text' } as const;
		testbed.orders.subtables.push({ ...first, id: '2000009', name: 'New Rows', fields: [field] });
		const parameters = {
			...onOrder('update', 3),
			...asJson({ _subtable_2000009: [{ '3000099': 'a' }] }),
		};
		expect((await testbed.runById(parameters)).actions).toEqual(['updated']);
	});

	it('an unknown subtable is sent if no complete list of fields is available', async () => {
		Object.assign(testbed.service.switches, { schema: 'code106', definition: 'code106' });
		const parameters = { ...onOrder('update', 3), ...asJson({ [fields.remark]: 'x', ...rows }) };
		await testbed.runAll(parameters);
		expect(testbed.writes).toHaveLength(1);
	});

	it('an empty list of rows of another sheet is skipped', async () => {
		const item = { ...required, _subtable_2000009: [] };
		expect((await testbed.run({ ...create, ...autoMapped() }, [item])).items).toHaveLength(1);
	});
});

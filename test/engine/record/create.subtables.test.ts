import type { IDataObject } from 'n8n-workflow';

import { empty, orders, siteVisits } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped, mapped } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;
const { lines } = orders.subtables;
const key = `_subtable_${lines.id}`;

const create = { operation: 'create', sheet: sheet(orders) };
const required = { 'Customer Number': 'C-0001' };

/** The rows of the record that the test created: their texts, in the order of the service. */
function rowsOf(recordId: number): string[][] {
	const rows = testbed.service.data.record(orders, recordId).rows(lines.id);
	return [...rows.values()].map((row) => [...row.values()].map(String));
}

it('creates rows of an array under negative ids of their own', async () => {
	const result = await testbed.run({
		...create,
		...asJson({
			...required,
			[key]: [{ Article: 'Vase', Quantity: 2 }, { [lines.fields.article]: 'Tea, green' }],
		}),
	});
	expect(result.status).toBe('success');
	expect(testbed.writes[0]?.body).toMatchObject({
		[key]: {
			'-1': { [lines.fields.article]: 'Vase', [lines.fields.quantity]: 2 },
			'-2': { [lines.fields.article]: 'Tea, green' },
		},
	});
	expect(rowsOf(301)).toEqual([['Vase', '2'], ['Tea, green']]);
	expect(result.items[0]?.json[key]).toEqual([
		expect.objectContaining({ [lines.fields.article]: 'Vase', _rowId: expect.any(Number) }),
		expect.objectContaining({ [lines.fields.article]: 'Tea, green' }),
	]);
});

it('takes the form of the API: an object keyed by row id', async () => {
	const result = await testbed.run({
		...create,
		...asJson({
			...required,
			[key]: { '-5': { Article: 'Vase' }, '-9': { Article: 'Desk lamp', Quantity: 1 } },
		}),
	});
	expect(result.status).toBe('success');
	expect(testbed.writes[0]?.body).toMatchObject({
		[key]: {
			'-5': { [lines.fields.article]: 'Vase' },
			'-9': { [lines.fields.article]: 'Desk lamp', [lines.fields.quantity]: 1 },
		},
	});
	expect(rowsOf(301)).toHaveLength(2);
});

it('gives new rows no id that the input uses itself', async () => {
	const result = await testbed.run({
		...create,
		...asJson({
			...required,
			[key]: [
				{ Article: 'first' },
				{ _rowId: -1, Article: 'own -1' },
				{ Article: 'second' },
				{ _rowId: '-3', Article: 'own -3' },
				{ Article: 'third' },
			],
		}),
	});
	expect(result.status).toBe('success');
	expect(rowsOf(301).flat().sort()).toEqual(['first', 'own -1', 'own -3', 'second', 'third']);
});

it('reads the same from the item, from JSON and from the collection of rows', async () => {
	const row = '={{ JSON.stringify({ Article: $json.article, Quantity: 3 }) }}';
	const result = await testbed.run(
		{
			...create,
			...mapped({ [fields.customerNumber]: 'C-0001' }),
			subtables: {
				rows: [
					{ subtableId: lines.id, rowJson: row },
					{ subtableId: lines.id, rowJson: '={{ ({ Article: "as an object" }) }}' },
				],
			},
		},
		[{ article: 'Vase' }, { article: 'Notebook A5' }],
	);
	expect(result.status).toBe('success');
	expect([rowsOf(301), rowsOf(302)]).toEqual([
		[['Vase', '3'], ['as an object']],
		[['Notebook A5', '3'], ['as an object']],
	]);
});

it('adds the collection to the rows that an item holds', async () => {
	const result = await testbed.run(
		{
			...create,
			...autoMapped(),
			subtables: { rows: [{ subtableId: lines.id, rowJson: '{ "Article": "from the node" }' }] },
		},
		[{ ...required, [key]: [{ Article: 'from the item' }] }],
	);
	expect(result.status).toBe('success');
	expect(rowsOf(301).flat()).toEqual(['from the item', 'from the node']);
});

it('keeps the digits of long numbers in a row', async () => {
	const result = await testbed.run({
		...create,
		...mapped({ [fields.customerNumber]: 'C-0001' }),
		subtables: {
			rows: [{ subtableId: lines.id, rowJson: '{ "Unit Price": 12345678901234567890.25 }' }],
		},
	});
	expect(result.status).toBe('success');
	expect(rowsOf(301)).toEqual([['12345678901234567890.25']]);
});

it.each([
	['a row that is no object', { [key]: ['Vase'] }],
	['a text in place of rows', { [key]: 'Vase' }],
	['a row id that is no number', { [key]: [{ _rowId: 'new', Article: 'Vase' }] }],
	['a key that is no row id', { [key]: { first: { Article: 'Vase' } } }],
	[
		'a row given twice',
		{
			[key]: [
				{ _rowId: -1, Article: 'a' },
				{ _rowId: -1, Article: 'b' },
			],
		},
	],
])('refuses %s before anything is written', async (_, rows) => {
	const result = await testbed.run({ ...create, ...asJson({ ...required, ...rows }) });
	expect(result.status).toBe('error');
	expect(result.error?.message).toContain(key);
	expect(testbed.writes).toEqual([]);
});

it.each([
	['JSON that is none', lines.id, '{ "Article" }'],
	['a subtable that is none', 'Lines', '{ "Article": "Vase" }'],
	['no subtable', '', '{ "Article": "Vase" }'],
])('refuses %s in the collection of rows', async (_, subtableId, rowJson) => {
	const result = await testbed.run({
		...create,
		...mapped({ [fields.customerNumber]: 'C-0001' }),
		subtables: { rows: [{ subtableId, rowJson }] },
	});
	expect(result.status).toBe('error');
	expect(testbed.writes).toEqual([]);
});

it.each(['Order Lines', `_subtable_${lines.id}`])(
	'takes the subtable %s in the collection of rows',
	async (subtableId) => {
		const result = await testbed.run(
			{
				...create,
				...mapped({ [fields.customerNumber]: 'C-0001' }),
				subtables: { rows: [{ subtableId, rowJson: '{ "Article": "Vase" }' }] },
			},
			[{}],
			{ credentials: testbed.credentials('admin') },
		);
		expect(result.error).toBeUndefined();
		expect(testbed.writes[0]?.body).toMatchObject({
			[`_subtable_${lines.id}`]: { '-1': { [lines.fields.article]: 'Vase' } },
		});
	},
);

it('names the field that cannot be looked up when only a row names one', async () => {
	Object.assign(testbed.service.switches, { schema: 'http404', definition: 'http404' });
	const record = { 1000001: 'x', _DELSUB_7: [1], [key]: [{ Article: 'Vase' }] };
	const parameters = { ...create, sheet: sheet(empty), ...asJson(record) };
	const result = await testbed.run(parameters);
	expect(result.error?.message).toContain("The field 'Article' cannot be found by its name");
	expect(testbed.writes).toEqual([]);
});

describe('rows of a subtable by its name, of an item that maps itself', () => {
	const named = '_subtable_Order Lines';
	const item = { ...required, [named]: [{ Article: 'Chair' }] };
	const auto = { ...create, ...autoMapped() };

	it.each<[string, IDataObject, 'admin' | 'member']>([
		['whose name this user is not told', { [named]: [{ Article: 'Chair' }] }, 'member'],
		['as an object', { [named]: { '-1': { Article: 'Chair' } } }, 'member'],
		['misspelt', { '_subtable_Order Line': [{ Article: 'Chair' }] }, 'admin'],
		['to delete', { '_DELSUB_Order Lines': [5] }, 'member'],
		['to delete, one', { '_DELSUB_Order Lines': 5 }, 'member'],
	])('are not dropped: %s', async (_, rows, identity) => {
		const more = { credentials: testbed.credentials(identity) };
		for (const operation of [
			{ operation: 'create' },
			{ operation: 'update', recordId: recordId(5) },
			{ operation: 'upsert' },
		]) {
			const parameters = { ...auto, ...operation, ...autoMapped([fields.reference]) };
			const result = await testbed.run(parameters, [{ ...required, ...rows, 512: 'R' }], more);
			expect(result.error?.message).toMatch(/'Order Lines?' is not the name of a subtable/);
		}
		expect(testbed.writes).toEqual([]);
	});

	it('are passed over when they are to be ignored, or are no rows', async () => {
		const options = { ignoreFields: named };
		await testbed.run({ ...auto, options }, [item]);
		await testbed.run(auto, [{ ...required, [named]: 'two', '_DELSUB_Order Lines': null }]);
		expect(testbed.writes.map(({ body }) => body)).toEqual([
			{ [fields.customerNumber]: 'C-0001' },
			{ [fields.customerNumber]: 'C-0001' },
		]);
	});

	it('are written when the ID is behind the name, though the list tells of no subtable', async () => {
		Object.assign(testbed.service.switches, { schema: 'http404', definition: 'http404' });
		const { findings } = siteVisits.subtables;
		testbed.service.faults.inject({
			kind: 'body',
			body: `{"1":{"_svcId":1,"${siteVisits.fields.site}":"Graz"}}`,
			when: ({ rawUrl }) => rawUrl.includes('limit='),
			times: Infinity,
		});
		const parameters = { ...auto, sheet: sheet(siteVisits) };
		const rows = { [`_subtable_Findings (${findings.id})`]: [{ 3800003: 'Crack' }] };
		const result = await testbed.run(parameters, [{ 1800001: 'Bridge', ...rows }]);
		expect(result.error).toBeUndefined();
		expect([...testbed.service.data.record(siteVisits, 13).rows(findings.id).values()]).toEqual([
			new Map([[findings.fields.finding, 'Crack']]),
		]);
	});
});

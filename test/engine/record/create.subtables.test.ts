import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { orders, siteVisits } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped, mapped } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;
const { lines } = orders.subtables;
const { article, quantity } = lines.fields;
const key = `_subtable_${lines.id}`;

const create = { operation: 'create', sheet: sheet(orders) };
const required = { [fields.customerNumber]: 'C-0001' };

/** The rows of the record that the test created: their texts, in the order of the service. */
function rowsOf(recordId: number): string[][] {
	const rows = testbed.service.data.record(orders, recordId).rows(lines.id);
	return [...rows.values()].map((row) => [...row.values()].map(String));
}

const rowsSent = () => testbed.writes.map(({ body }) => Object(body)[key]);

/** Rows of the collection, as the editor stores them. */
const collection = (...rows: Array<[subtableId: string, rowJson: string]>): INodeParameters => ({
	...mapped(required),
	options: { subtables: { rows: rows.map(([subtableId, rowJson]) => ({ subtableId, rowJson })) } },
});

it('creates rows of an array under negative ids of their own', async () => {
	const rows = [{ Article: 'Vase', Quantity: 2 }, { [article]: 'Tea, green' }];
	const result = await testbed.run({ ...create, ...asJson({ ...required, [key]: rows }) });
	expect(rowsSent()).toEqual([
		{ '-1': { [article]: 'Vase', [quantity]: 2 }, '-2': { [article]: 'Tea, green' } },
	]);
	expect(rowsOf(301)).toEqual([['Vase', '2'], ['Tea, green']]);
	expect(result.items[0]?.json[key]).toEqual([
		expect.objectContaining({ [article]: 'Vase', _rowId: expect.any(Number) }),
		expect.objectContaining({ [article]: 'Tea, green' }),
	]);
});

describe('the collection of rows', () => {
	it('is read from a text or an object, by name or ID of the subtable, with all digits', async () => {
		const parameters = collection(
			[lines.id, '={{ JSON.stringify({ Article: $json.article, Quantity: 3 }) }}'],
			['Order Lines', '={{ ({ Article: "as an object" }) }}'],
			[key, '{ "Unit Price": 12345678901234567890.25 }'],
		);
		const items = [{ article: 'Vase' }, { article: 'Notebook A5' }];
		const credentials = testbed.credentials('admin');
		await testbed.run({ ...create, ...parameters }, items, { credentials });
		const others = [['as an object'], ['12345678901234567890.25']];
		expect([rowsOf(301), rowsOf(302)]).toEqual([
			[['Vase', '3'], ...others],
			[['Notebook A5', '3'], ...others],
		]);
	});
});

describe('rows of a subtable by its name, of an item that maps itself', () => {
	const named = '_subtable_Order Lines';
	const auto = { ...create, ...autoMapped() };

	it.each<[string, IDataObject, 'admin' | 'member']>([
		['whose name this user is not told', { [named]: [{ Article: 'Chair' }] }, 'member'],
		['as an object', { [named]: { '-1': { Article: 'Chair' } } }, 'member'],
		['misspelt', { '_subtable_Order Line': [{ Article: 'Chair' }] }, 'admin'],
		['to delete', { '_DELSUB_Order Lines': [5] }, 'member'],
		['to delete, one', { '_DELSUB_Order Lines': 5 }, 'member'],
	])('are not dropped: %s', async (_, rows, identity) => {
		const credentials = testbed.credentials(identity);
		const parameters = { ...auto, operation: 'update', recordId: recordId(5) };
		const result = await testbed.run(parameters, [{ ...required, ...rows }], { credentials });
		expect(result.error?.message).toMatch(/'Order Lines?' is not the name of a known subtable/);
		expect(testbed.writes).toEqual([]);
	});

	it('are passed over when they are to be ignored, or are no rows', async () => {
		const item = { ...required, [named]: [{ Article: 'Chair' }] };
		await testbed.run({ ...auto, options: { ignoreFields: named } }, [item]);
		await testbed.run(auto, [{ ...required, [named]: 'two', '_DELSUB_Order Lines': null }]);
		expect(testbed.writes.map(({ body }) => body)).toEqual([required, required]);
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
		const rows = { [`_subtable_Findings (${findings.id})`]: [{ 3800003: 'Crack' }] };
		const item = { 1800001: 'Bridge', ...rows };
		const result = await testbed.run({ ...auto, sheet: sheet(siteVisits) }, [item]);
		expect(result.error).toBeUndefined();
		expect([...testbed.service.data.record(siteVisits, 13).rows(findings.id).values()]).toEqual([
			new Map([[findings.fields.finding, 'Crack']]),
		]);
	});
});

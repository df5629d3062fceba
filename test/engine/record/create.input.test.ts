import { customers, empty, orders, tasks } from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped, mapped } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;

const create = { operation: 'create', sheet: sheet(orders) };

describe('mapping automatically', () => {
	it('writes each item by field name and links each record to its item', async () => {
		const result = await testbed.run({ ...create, ...autoMapped() }, [
			{ 'Customer Number': 'C-0001', Remark: 'First' },
			{ 'Customer Number': 'C-0002', Remark: 'Second', Reference: 'R-2' },
		]);
		expect(result.status).toBe('success');
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
		expect(result.items.map(({ json }) => json._recordId)).toEqual([301, 302]);
		expect(testbed.writes.map(({ method, path, body }) => [method, path, body])).toEqual([
			[
				'POST',
				'/acme/sales/orders/1',
				{ [fields.customerNumber]: 'C-0001', [fields.remark]: 'First' },
			],
			[
				'POST',
				'/acme/sales/orders/1',
				{
					[fields.customerNumber]: 'C-0002',
					[fields.remark]: 'Second',
					[fields.reference]: 'R-2',
				},
			],
		]);
		const second = testbed.service.data.record(orders, 302);
		expect(second.text(fields.remark)).toBe('Second');
		expect(second.text(fields.reference)).toBe('R-2');
	});

	it('ignores keys that begin with an underscore, except subtables and deletions', async () => {
		const result = await testbed.run({ ...create, ...autoMapped() }, [
			{
				_recordId: 7,
				_title: 'SO-1',
				_starred: true,
				_create_date: '2023/01/02',
				_anything: { deep: true },
				'Customer Number': 'C-0001',
				_subtable_2000001: [{ Article: 'Vase', _index_title_: 'Vase', _seq: 4 }],
			},
		]);
		expect(result.status).toBe('success');
		expect(testbed.writes[0]?.body).toEqual({
			[fields.customerNumber]: 'C-0001',
			_subtable_2000001: { '-1': { [orders.subtables.lines.fields.article]: 'Vase' } },
		});
	});

	it('takes field ids as well, and looks nothing up when all keys are ids', async () => {
		const result = await testbed.run(
			{ operation: 'create', sheet: sheet(customers), ...autoMapped() },
			[{ [customers.fields.customerNumber]: 'C-0900', [customers.fields.name]: 'Nine' }],
		);
		expect(result.status).toBe('success');
		expect(testbed.reads).toEqual([]);
		expect(testbed.service.data.record(customers, 301).text(customers.fields.name)).toBe('Nine');
	});

	it('leaves the input items as they were', async () => {
		const item = { 'Customer Number': 'C-0001', _subtable_2000001: [{ Article: 'Vase' }] };
		const result = await testbed.run(
			{
				...create,
				...autoMapped(),
				subtables: { rows: [{ subtableId: '2000001', rowJson: '{ "Article": "Tea, green" }' }] },
			},
			[item],
		);
		expect(result.outputs('Start')[0]?.json).toEqual({
			'Customer Number': 'C-0001',
			_subtable_2000001: [{ Article: 'Vase' }],
		});
		expect(testbed.service.data.record(orders, 301).rows(orders.subtables.lines.id).size).toBe(2);
	});
});

describe('mapping by hand', () => {
	it('evaluates expressions for each item', async () => {
		const result = await testbed.run(
			{
				...create,
				...mapped({
					[fields.customerNumber]: '={{ $json.customer }}',
					[fields.remark]: 'Order {{ no expression }}',
					[fields.reference]: '={{ "REF " + $itemIndex }}',
				}),
			},
			[{ customer: 'C-0010' }, { customer: 'C-0020' }],
		);
		expect(result.status).toBe('success');
		expect(testbed.writes.map(({ body }) => body)).toEqual([
			{
				[fields.customerNumber]: 'C-0010',
				[fields.remark]: 'Order {{ no expression }}',
				[fields.reference]: 'REF 0',
			},
			{
				[fields.customerNumber]: 'C-0020',
				[fields.remark]: 'Order {{ no expression }}',
				[fields.reference]: 'REF 1',
			},
		]);
	});

	it('sends each item to the sheet that its expression names', async () => {
		const result = await testbed.run(
			{
				operation: 'create',
				sheet: { __rl: true, mode: 'path', value: '={{ $json.sheet }}' },
				...asJson('={{ $json.record }}'),
			},
			[
				{ sheet: 'sales/empty/9', record: { Title: 'One' } },
				{ sheet: 'archive/2024/tasks/7', record: { Title: 'Two' } },
				{
					sheet: `${testbed.service.baseUrl}/acme/sales/empty/9?PAGEID=x#top`,
					record: { Title: '3' },
				},
			],
		);
		expect(result.status).toBe('success');
		expect(result.items.map(({ json, pairedItem }) => [json._recordId, pairedItem])).toEqual([
			[0, { item: 0 }],
			[41, { item: 1 }],
			[1, { item: 2 }],
		]);
		expect(testbed.writes.map(({ rawUrl }) => rawUrl)).toEqual([
			'/acme/sales/empty/9?api',
			'/acme/archive/2024/tasks/7?api',
			'/acme/sales/empty/9?api',
		]);
		expect(testbed.service.data.record(tasks, 41).text(tasks.fields.title)).toBe('Two');
		expect(testbed.service.data.sheet(empty).records.size).toBe(2);
	});
});

describe('JSON', () => {
	it('takes an object that an expression yields, and a text', async () => {
		const record = { 'Customer Number': 'C-0003', Express: false, [fields.reference]: 0 };
		for (const recordJson of ['={{ $json }}', JSON.stringify(record)]) {
			testbed.service.reset();
			const result = await testbed.run({ ...create, ...asJson(recordJson) }, [record]);
			expect(result.status).toBe('success');
			expect(testbed.writes.map(({ body }) => body)).toEqual([
				{ [fields.customerNumber]: 'C-0003', [fields.express]: false, [fields.reference]: 0 },
			]);
		}
	});

	it('keeps the digits of long numbers in a text', async () => {
		const result = await testbed.run({
			operation: 'create',
			sheet: sheet(customers),
			...asJson(
				'{ "Customer Number": "C-0901", "Name": 12345678901234567890123, "Credit Limit": 98765432109876543210.55 }',
			),
		});
		expect(result.status).toBe('success');
		const record = testbed.service.data.record(customers, 301);
		expect(record.text(customers.fields.creditLimit)).toBe('98765432109876543210.55');
		expect(record.text(customers.fields.name)).toBe('12345678901234567890123');
	});

	it.each([
		['a missing brace', '{ "Remark": "x"'],
		['single quotes', "{ 'Remark': 'x' }"],
		['an array', '[{ "Remark": "x" }]'],
		['a plain text', '"Remark"'],
		['nothing', ''],
	])('refuses %s before anything is sent', async (_, recordJson) => {
		const result = await testbed.run({ ...create, ...asJson(recordJson) });
		expect(result.status).toBe('error');
		expect(testbed.service.requests.count).toBe(0);
	});

	it('says which item holds invalid JSON, and writes the others', async () => {
		const result = await testbed.run(
			{ ...create, ...asJson('={{ $json.text }}') },
			[
				{ text: `{ "${fields.customerNumber}": "C-0001" }` },
				{ text: '{ "Remark": }' },
				{ text: `{ "${fields.customerNumber}": "C-0002" }` },
			],
			{ onError: 'continueErrorOutput' },
		);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(result.errorItems.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
		expect(String(result.errorItems[0]?.json.error)).toContain("'Record (JSON)' is not valid JSON");
		expect(testbed.writes).toHaveLength(2);
	});

	it.each([
		['an object', { Remark: { deep: 1 } }],
		['an array of objects', { Tags: [{ value: 'Gift' }] }],
	])('refuses %s as the value of a field', async (_, record) => {
		const result = await testbed.run({
			...create,
			...asJson({ 'Customer Number': 'C-0001', ...record }),
		});
		expect(result.status).toBe('error');
		expect(result.error?.message).toContain('cannot be written');
		expect(testbed.writes).toEqual([]);
	});
});

import { customers, empty, orders, tasks } from '../../service';
import { errorsOf, linksOf, recordsOf, sheet, sheetAt, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped, mapped } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;
const { lines } = orders.subtables;

const create = { operation: 'create', sheet: sheet(orders) };
const ofCustomers = { ...create, sheet: sheet(customers) };
const bodies = () => testbed.writes.map(({ body }) => body);

describe('mapping automatically', () => {
	it('writes each item by field name and links each record to its item', async () => {
		const result = await testbed.run({ ...create, ...autoMapped() }, [
			{ 'Customer Number': 'C-0001', Remark: 'First' },
			{ 'Customer Number': 'C-0002', Remark: 'Second', Reference: 'R-2' },
		]);
		expect(recordsOf(result)).toEqual([
			[301, { item: 0 }],
			[302, { item: 1 }],
		]);
		expect(testbed.writes.map(({ method, path }) => `${method} ${path}`)).toEqual(
			Array(2).fill('POST /acme/sales/orders/1'),
		);
		const second = { [fields.remark]: 'Second', [fields.reference]: 'R-2' };
		expect(bodies()).toEqual([
			{ [fields.customerNumber]: 'C-0001', [fields.remark]: 'First' },
			{ [fields.customerNumber]: 'C-0002', ...second },
		]);
		const stored = testbed.service.data.record(orders, 302);
		expect(Object.fromEntries(stored.values)).toMatchObject(second);
	});

	it('ignores keys that begin with an underscore, except subtables, and leaves items as they were', async () => {
		const item = {
			...{ _recordId: 7, _title: 'SO-1', _starred: true, _create_date: '2023/01/02' },
			_anything: { deep: true },
			'Customer Number': 'C-0001',
			_subtable_2000001: [{ Article: 'Vase', _index_title_: 'Vase', _seq: 4 }],
		};
		const rows = [{ subtableId: lines.id, rowJson: '{ "Article": "Tea, green" }' }];
		const before = JSON.parse(JSON.stringify(item));
		const parameters = { ...create, ...autoMapped(), options: { subtables: { rows } } };
		const result = await testbed.run(parameters, [{ json: item }]);
		const { article } = lines.fields;
		expect(bodies()).toEqual([
			{
				[fields.customerNumber]: 'C-0001',
				_subtable_2000001: { '-1': { [article]: 'Vase' }, '-2': { [article]: 'Tea, green' } },
			},
		]);
		expect(result.outputs('Start')[0]?.json).toEqual(before);
	});

	it('takes field ids as well, and looks nothing up when all keys are ids', async () => {
		const item = { [customers.fields.customerNumber]: 'C-0900', [customers.fields.name]: 'Nine' };
		await testbed.run({ ...ofCustomers, ...autoMapped() }, [item]);
		expect(testbed.reads).toEqual([]);
		expect(testbed.service.data.record(customers, 301).text(customers.fields.name)).toBe('Nine');
	});
});

it('mapping by hand evaluates expressions for each item', async () => {
	const values = {
		[fields.customerNumber]: '={{ $json.customer }}',
		[fields.remark]: 'Order {{ no expression }}',
		[fields.reference]: '={{ "REF " + $itemIndex }}',
	};
	const customerNumbers = ['C-0010', 'C-0020'];
	const items = customerNumbers.map((customer) => ({ customer }));
	await testbed.run({ ...create, ...mapped(values) }, items);
	expect(bodies()).toEqual(
		customerNumbers.map((customer, index) => ({
			[fields.customerNumber]: customer,
			[fields.remark]: 'Order {{ no expression }}',
			[fields.reference]: `REF ${index}`,
		})),
	);
});

it('each item goes to the sheet that its expression names', async () => {
	const address = `${testbed.service.baseUrl}/acme/sales/empty/9?PAGEID=x#top`;
	const result = await testbed.run(
		{ ...create, sheet: sheetAt('={{ $json.sheet }}'), ...asJson('={{ $json.record }}') },
		[
			{ sheet: 'sales/empty/9', record: { Title: 'One' } },
			{ sheet: 'archive/2024/tasks/7', record: { Title: 'Two' } },
			{ sheet: address, record: { Title: '3' } },
		],
	);
	expect(recordsOf(result)).toEqual([
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

describe('JSON', () => {
	it('takes an object that an expression yields, and a text', async () => {
		const record = { 'Customer Number': 'C-0003', Express: false, [fields.reference]: 0 };
		for (const recordJson of ['={{ $json }}', JSON.stringify(record)]) {
			await testbed.run({ ...create, ...asJson(recordJson) }, [record]);
		}
		const body = {
			[fields.customerNumber]: 'C-0003',
			[fields.express]: false,
			[fields.reference]: 0,
		};
		expect(bodies()).toEqual([body, body]);
	});

	it('keeps the digits of long numbers in a text', async () => {
		const text =
			'{ "Customer Number": "C-0901", "Name": 12345678901234567890123, "Credit Limit": 98765432109876543210.55 }';
		await testbed.run({ ...ofCustomers, ...asJson(text) });
		const record = testbed.service.data.record(customers, 301);
		expect(record.text(customers.fields.creditLimit)).toBe('98765432109876543210.55');
		expect(record.text(customers.fields.name)).toBe('12345678901234567890123');
	});

	it('that is none is refused with its item before anything is sent for it, and the others are written', async () => {
		const good = `{ "${fields.customerNumber}": "C-0001" }`;
		const wrong = [
			'{ "Remark": "x"',
			"{ 'Remark': 'x' }",
			'{ "Remark": }',
			'[{ "Remark": "x" }]',
			'"Remark"',
			'',
		];
		const items = [...wrong, good].map((text) => ({ text }));
		const result = await testbed.run({ ...create, ...asJson('={{ $json.text }}') }, items, {
			onError: 'continueErrorOutput',
		});
		expect(errorsOf(result.errorItems)).toEqual(
			wrong.map((_, item) => [expect.stringContaining("'Record (JSON)'"), { item }]),
		);
		expect(linksOf(result.items)).toEqual([{ item: wrong.length }]);
		expect(testbed.service.requests.count).toBe(1);
	});

	it('refuses an object, or an array of objects, as the value of a field', async () => {
		const items = [{ Remark: { deep: 1 } }, { Tags: [{ value: 'Gift' }] }];
		const record = '={{ ({ "Customer Number": "C-0001", ...$json }) }}';
		const result = await testbed.run({ ...create, ...asJson(record) }, items, {
			onError: 'continueErrorOutput',
		});
		expect(errorsOf(result.errorItems)).toEqual(
			items.map((_, item) => [expect.stringContaining('cannot be written'), { item }]),
		);
		expect(testbed.writes).toEqual([]);
	});
});

import { empty, orders, recipes, tasks } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped, mapped } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;

const update = { operation: 'update', sheet: sheet(orders) };

it('changes only the given fields, of each item its own record', async () => {
	const before = testbed.service.data.record(orders, 12).text(fields.status);
	const result = await testbed.run(
		{
			...update,
			recordId: recordId('={{ $json.id }}'),
			...mapped({ [fields.remark]: '={{ $json.remark }}' }),
		},
		[
			{ id: 12, remark: 'one' },
			{ id: '300', remark: 'two' },
		],
	);
	expect(result.items.map(({ json, pairedItem }) => [json._recordId, pairedItem])).toEqual([
		[12, { item: 0 }],
		[300, { item: 1 }],
	]);
	expect(result.items[0]?.json).toMatchObject({ [fields.remark]: 'one', [fields.status]: before });
	expect(testbed.writes.map(({ method, rawUrl, body }) => [method, rawUrl, body])).toEqual([
		['POST', '/acme/sales/orders/1/12?api', { [fields.remark]: 'one' }],
		['POST', '/acme/sales/orders/1/300?api', { [fields.remark]: 'two' }],
	]);
	expect(testbed.service.data.record(orders, 12).text(fields.remark)).toBe('one');
	expect(testbed.service.data.record(orders, 12).text(fields.status)).toBe(before);
});

it('takes items as they came out of a read, and ignores what begins with an underscore', async () => {
	const result = await testbed.run(
		{ ...update, recordId: recordId('={{ $json._recordId }}'), ...autoMapped() },
		[{ _recordId: 12, _title: 'SO-00012', _starred: false, Remark: 'mapped' }],
	);
	expect(result.status).toBe('success');
	expect(testbed.writes[0]?.body).toEqual({ [fields.remark]: 'mapped' });
});

it('reaches record 0, and sheets whose folders must be encoded', async () => {
	const result = await testbed.run({
		operation: 'update',
		sheet: sheet(recipes),
		recordId: recordId('={{ 0 }}'),
		...asJson({ Portionen: 9 }),
	});
	expect(result.status).toBe('success');
	expect(result.items[0]?.json._recordId).toBe(0);
	expect(testbed.writes[0]?.rawUrl).toBe('/acme/k%C3%BCche/%C3%A9%20t%20%C3%A9/5/0?api');
	expect(testbed.service.data.record(recipes, 0).text(recipes.fields.servings)).toBe('9');
});

it('takes the sheet and the record of each item from expressions', async () => {
	const result = await testbed.run(
		{
			operation: 'update',
			sheet: { __rl: true, mode: 'list', value: '={{ $json.sheet }}' },
			recordId: { __rl: true, mode: 'url', value: '={{ $json.record }}' },
			...asJson('={{ $json.change }}'),
		},
		[
			{
				sheet: 'archive/2024/tasks/7',
				record: `${testbed.service.baseUrl}/acme/archive/2024/tasks/7/3?PAGEID=x#here`,
				change: { Assignee: 'Ada' },
			},
			{ sheet: 'sales/orders/1', record: '14', change: { Remark: 'Max' } },
		],
	);
	expect(result.status).toBe('success');
	expect(testbed.writes.map(({ rawUrl }) => rawUrl)).toEqual([
		'/acme/archive/2024/tasks/7/3?api',
		'/acme/sales/orders/1/14?api',
	]);
	expect(testbed.service.data.record(tasks, 3).text(tasks.fields.assignee)).toBe('Ada');
	expect(testbed.service.data.record(orders, 14).text(fields.remark)).toBe('Max');
});

describe('empty values', () => {
	const values = { Remark: '', Reference: null, Tags: [] };

	it('leave the fields as they are', async () => {
		const before = testbed.service.data.record(orders, 14).value(fields.tags);
		const result = await testbed.run({ ...update, recordId: recordId(14), ...autoMapped() }, [
			{ ...values, Express: 'Yes' },
		]);
		expect(result.status).toBe('success');
		const record = testbed.service.data.record(orders, 14);
		expect(record.value(fields.tags)).toEqual(before);
		expect(record.text(fields.reference)).toBe('REF-18');
		expect(record.text(fields.express)).toBe('Yes');
	});

	it('clear the fields with Clear Empty, selections too', async () => {
		const record = testbed.service.data.record(orders, 14);
		record.set(fields.tags, ['Gift', 'Bulk']).set(fields.remark, 'full');
		const result = await testbed.run(
			{ ...update, recordId: recordId(14), ...autoMapped(), options: { clearEmpty: true } },
			[values],
		);
		expect(result.status).toBe('success');
		expect(record.text(fields.tags)).toBe('');
		expect(record.text(fields.remark)).toBe('');
		expect(record.text(fields.reference)).toBe('');
	});

	it('that are 0 and false are written either way', async () => {
		const result = await testbed.run({ ...update, recordId: recordId(14), ...autoMapped() }, [
			{ Reference: 0, Express: false },
		]);
		expect(result.status).toBe('success');
		expect(testbed.service.data.record(orders, 14).text(fields.reference)).toBe('0');
		expect(testbed.service.data.record(orders, 14).text(fields.express)).toBe('No');
	});
});

describe('the answer', () => {
	const change = { ...update, recordId: recordId(12), ...asJson({ [fields.remark]: 'x' }) };

	it('is the id and what the service said when it sends no record', async () => {
		testbed.service.switches.answerCarriesData = false;
		const result = await testbed.run(change);
		expect(result.items).toEqual([
			{
				json: expect.objectContaining({ _recordId: 12, status: 'SUCCESS', svcId: 12 }),
				pairedItem: { item: 0 },
			},
		]);
		expect(result.items[0]?.json).not.toHaveProperty('_warning');
	});

	it('tells a warning', async () => {
		testbed.service.switches.writeWarning = 'Credit limit exceeded';
		const result = await testbed.run(change);
		expect(result.items[0]?.json).toMatchObject({
			_recordId: 12,
			_warning: 'Credit limit exceeded',
			[fields.remark]: 'x',
		});
	});

	it('is read in the other dialect as well', async () => {
		testbed.service.switches.dialect = 'ragic';
		const result = await testbed.run(change);
		expect(result.items[0]?.json).toMatchObject({ _recordId: 12, [fields.remark]: 'x' });
		expect(result.items[0]?.json).not.toHaveProperty('_ragicId');
	});
});

describe('options', () => {
	it.each([
		[{}, 'api'],
		[{ checkLock: true }, 'api&checkLock=true'],
		[{ checkLock: false }, 'api'],
		[{ doValidation: true }, 'api&doValidation=true'],
		[{ doValidation: false }, 'api'],
		[{ doFormula: false, doLinkLoad: 'first' }, 'api&doFormula=false&doLinkLoad=first'],
		[{ notification: false, timeZone: 5.5 }, 'api&notification=false&tz=5.5'],
		[{ doWorkflow: false, version: '2025-01-01' }, 'api&doWorkflow=false&version=2025-01-01'],
		[{ doDefaultValue: true, clearEmpty: true }, 'api&doDefaultValue=true'],
	])('%j are sent as %s', async (options, query) => {
		const result = await testbed.run({
			...update,
			recordId: recordId(12),
			...asJson({ [fields.remark]: 'x' }),
			options,
		});
		expect(result.status).toBe('success');
		expect(testbed.writes.map(({ rawUrl }) => rawUrl)).toEqual([
			`/acme/sales/orders/1/12?${query}`,
		]);
	});
});

describe('what is refused before anything is sent', () => {
	it.each([
		['no record', ''],
		['a text', 'SO-00012'],
		['a negative number', '-3'],
		['a fraction', '1.5'],
		['the address of a sheet', 'https://localhost/acme/sales/orders/1'],
	])('%s', async (_, value) => {
		const result = await testbed.run(
			{
				...update,
				recordId: recordId('={{ $json.id }}'),
				...asJson({ [fields.remark]: 'x' }),
			},
			[{ id: value }],
		);
		expect(result.status).toBe('error');
		expect(result.error).toMatchObject({ context: { itemIndex: 0 } });
		expect(testbed.service.requests.count).toBe(0);
	});

	it('the address of a record on another sheet', async () => {
		const { baseUrl } = testbed.service;
		const result = await testbed.run({
			...update,
			recordId: { __rl: true, mode: 'url', value: `${baseUrl}/acme/${empty.path}/9/1` },
			...asJson({ [fields.remark]: 'x' }),
		});
		expect(result.error?.message).toContain('sales/empty/9');
		expect(testbed.service.requests.count).toBe(0);
	});
});

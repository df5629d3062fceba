import { orders, salaries } from '../../service';
import type { Fault } from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';
import { asJson } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;

const create = { operation: 'create', sheet: sheet(orders) };
const perItem = {
	...create,
	...asJson(`={{ ({ "${fields.customerNumber}": $json.customer }) }}`),
};

const error = (code: number, msg: string) => JSON.stringify({ status: 'ERROR', code, msg });

type Details = { code?: number; msg?: string; httpStatus?: number };

/** Every way in which the service says no to a write, and what n8n must show of it. */
const refusals: Array<[name: string, fault: Fault, shown: RegExp, details: Details]> = [
	...[101, 102, 103, 104, 105, 107, 108, 109, 201, 202, 203, 301, 302, 303, 304, 402, 404].map(
		(code): [string, Fault, RegExp, Details] => [
			`code ${code} in HTTP 200`,
			{ kind: 'body', body: error(code, `Reason ${code}`) },
			new RegExp(`Reason ${code}`),
			{ code, msg: `Reason ${code}`, httpStatus: 200 },
		],
	),
	[
		'the key errorCode',
		{ kind: 'body', body: '{"status":"ERROR","errorCode":108,"msg":"No"}' },
		/: No\b/,
		{ code: 108, msg: 'No' },
	],
	[
		'INVALID with the name of the field',
		{ kind: 'body', body: '{"status":"INVALID","code":202,"msg":"Name must not be empty"}' },
		/Name must not be empty/,
		{ code: 202 },
	],
	[
		'another status',
		{ kind: 'body', body: '{"status":"PENDING"}' },
		/PENDING/,
		{ httpStatus: 200 },
	],
	['no status', { kind: 'body', body: '{"svcId":12}' }, /did not confirm/, { httpStatus: 200 }],
	['an empty object', { kind: 'body', body: '{}' }, /did not confirm/, { httpStatus: 200 }],
	['the text -1', { kind: 'body', body: '-1' }, /./, { httpStatus: 200 }],
	['HTTP 400', { kind: 'status', status: 400 }, /./, { httpStatus: 400 }],
	['HTTP 401', { kind: 'status', status: 401 }, /credential/, { httpStatus: 401 }],
	['HTTP 402', { kind: 'status', status: 402 }, /could not be carried out/, { httpStatus: 402 }],
	['HTTP 404', { kind: 'status', status: 404 }, /does not exist/, { httpStatus: 404 }],
	['HTTP 413', { kind: 'status', status: 413 }, /larger/, { httpStatus: 413 }],
];

const strikesSecond = (fault: Fault): Fault => ({
	...fault,
	when: ({ body }) => JSON.stringify(body ?? '').includes('C-0002'),
});

describe.each(refusals)('%s', (_, fault, shown, details) => {
	const items = [{ customer: 'C-0001' }, { customer: 'C-0002' }, { customer: 'C-0003' }];

	it('stops the workflow, is sent once, and names its item', async () => {
		testbed.service.faults.inject(strikesSecond(fault));
		const result = await testbed.run(perItem, items);
		expect(result.status).toBe('error');
		expect(result.error?.message).toMatch(shown);
		expect(result.error).toMatchObject({ context: { itemIndex: 1 } });
		expect(testbed.writes).toHaveLength(2);
		expect(testbed.service.data.sheet(orders).records.size).toBe(301);
	});

	it('goes to the error output with its item', async () => {
		testbed.service.faults.inject(strikesSecond(fault));
		const result = await testbed.run(perItem, items, { onError: 'continueErrorOutput' });
		expect(result.status).toBe('success');
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(result.errorItems).toEqual([
			expect.objectContaining({
				json: { customer: 'C-0002', error: expect.stringMatching(shown) },
				pairedItem: { item: 1 },
			}),
		]);
		const { code, msg = '' } = details;
		const told = result.errorItems[0]?.json.error;
		expect(told).toMatch(code === undefined ? /./ : new RegExp(`\\bcode ${code}\\b`, 'i'));
		expect(told).toContain(msg);
		expect(testbed.writes).toHaveLength(3);
	});

	it('stays between the others on the regular output', async () => {
		testbed.service.faults.inject(strikesSecond(fault));
		const result = await testbed.run(perItem, items, { onError: 'continueRegularOutput' });
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		expect(result.items[1]?.json).toMatchObject({ error: expect.stringMatching(shown), details });
		expect(testbed.service.data.sheet(orders).records.size).toBe(302);
	});
});

describe('refusals of the service itself', () => {
	it('INVALID also without Validate: a required field is empty', async () => {
		const result = await testbed.run({
			operation: 'create',
			sheet: sheet(orders),
			...asJson({ [fields.remark]: 'No customer' }),
		});
		expect(result.error?.message).toContain('was not saved');
		expect(result.error?.message).toContain('Customer Number');
		expect(testbed.service.data.sheet(orders).records.size).toBe(300);
	});

	it('INVALID by a rule of a field, with Validate', async () => {
		const record = { [fields.customerNumber]: 'C-0001', [fields.total]: 'much' };
		const result = await testbed.run({
			operation: 'create',
			sheet: sheet(orders),
			...asJson(record),
			options: { doValidation: true },
		});
		expect(result.error?.message).toContain('Total');
		expect(testbed.service.data.sheet(orders).records.size).toBe(300);
	});

	it('104: the sheet takes no new records', async () => {
		testbed.service.data.sheet(orders).acceptsPost = false;
		const result = await testbed.run(perItem, [{ customer: 'C-0001' }]);
		expect(result.error?.message).toContain('Cannot POST data to a custom form');
		expect(result.error?.description).toContain('104');
	});

	it('109: the account is full, after the records that fitted', async () => {
		testbed.service.data.sheet(orders).maximumRecords = 301;
		const items = [{ customer: 'C-0001' }, { customer: 'C-0002' }];
		const result = await testbed.run(perItem, items, { onError: 'continueErrorOutput' });
		expect(result.items).toHaveLength(1);
		expect(result.errorItems[0]?.json.error).toContain('Cannot create more records');
	});

	it.each(['reader', 'outsider'] as const)('106: %s may not write', async (identity) => {
		const result = await testbed.run(perItem, [{ customer: 'C-0001' }], {
			credentials: testbed.credentials(identity),
		});
		expect(result.error?.message).toContain('No access right');
		expect(result.error?.description).toContain('Tried 2 times');
		expect(testbed.service.data.sheet(orders).records.size).toBe(300);
	});

	it('106: a sheet that only others may see', async () => {
		const result = await testbed.run({
			operation: 'create',
			sheet: sheet(salaries),
			...asJson({ [salaries.fields.person]: 'Me' }),
		});
		expect(result.error?.message).toContain('No access right');
	});

	it('201: a field that the sheet does not have', async () => {
		const result = await testbed.run({ ...create, ...asJson({ 4711: 'x' }) });
		expect(result.error?.message).toContain('4711');
	});

	it('a key that nobody has', async () => {
		const key = { apiKey: 'bm9ib2R5+/unknown==' };
		const result = await testbed.run(perItem, [{ customer: 'C-0001' }], {
			credentials: testbed.credentials('member', key),
		});
		expect(result.error).toMatchObject({ httpCode: '401' });
		expect(result.recorded).not.toContain(key.apiKey);
		expect(testbed.service.requests.count).toBe(1);
	});
});

import { customers, orders, type Fault } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { createCustomer, readOrder } from '../oneRequest';

const testbed = useRecordTestbed();

const atOnce = { 'retry-after': '0' };
const tooFrequent = '{"status":"ERROR","code":204,"msg":"Request frequency too high."}';
const statuses = () => testbed.service.requests.all().map(({ status }) => status);

const passing: Array<[name: string, fault: Fault, status: number]> = [
	['a cut connection', { kind: 'reset' }, 0],
	['an answer cut off', { kind: 'truncate' }, 200],
	['half an answer sent as if it were all', { kind: 'truncateSilently' }, 200],
	['code 204', { kind: 'body', body: tooFrequent, headers: atOnce }, 200],
	['code 204 without a word on when', { kind: 'body', body: tooFrequent }, 200],
	...[408, 429, 500, 502, 503, 504].map((status): [string, Fault, number] => [
		`status ${status}`,
		{ kind: 'status', status, headers: atOnce },
		status,
	]),
	[
		'status 503 with a web page',
		{ kind: 'status', status: 503, headers: atOnce, body: '<html></html>' },
		503,
	],
];

describe('a read', () => {
	it.each(passing)('is asked again after %s', async (_, fault, status) => {
		testbed.service.faults.inject(fault);
		const result = await testbed.run(readOrder());
		expect(result.status).toBe('success');
		expect(result.items).toMatchObject([{ json: { _recordId: 1 }, pairedItem: { item: 0 } }]);
		expect(statuses()).toEqual([status, 200]);
		const [first, second] = testbed.service.requests.all();
		expect(second?.rawUrl).toBe(first?.rawUrl);
		expect(second?.identity).toBe('member');
	});

	it.each(passing.filter(([, { headers }]) => headers === atOnce))(
		'is given up after five times, or eight where it was too frequent: %s',
		async (name, fault) => {
			const most = /429|204/.test(name) ? 8 : 5;
			testbed.service.faults.inject({ ...fault, times: Infinity });
			const result = await testbed.run(readOrder());
			expect(result.status).toBe('error');
			expect(result.error?.name).toBe('NodeApiError');
			expect(result.error?.description).toContain(`Tried ${most} times`);
			expect(testbed.service.requests.count).toBe(most);
		},
	);

	it('succeeds at the fifth time', async () => {
		testbed.service.faults.inject({ kind: 'status', status: 503, headers: atOnce, times: 4 });
		const result = await testbed.run(readOrder());
		expect(result.status).toBe('success');
		expect(statuses()).toEqual([503, 503, 503, 503, 200]);
	});

	it('counts the times of each item anew', async () => {
		testbed.service.faults.inject({ kind: 'status', status: 500, headers: atOnce, times: 7 });
		const result = await testbed.run(readOrder(), [{}, {}, {}], { onError: 'continueErrorOutput' });
		expect(result.errorItems.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, { item: 2 }]);
		expect(statuses()).toEqual([500, 500, 500, 500, 500, 500, 500, 200, 200]);
	});

	it('waits as long as the service asks, not shorter', async () => {
		testbed.service.faults.inject({ kind: 'status', status: 503, headers: { 'retry-after': '2' } });
		await testbed.run(readOrder());
		const [first, second] = testbed.service.requests.all().map(({ at }) => at);
		// A lower bound, which no slow machine can miss; timers may be early by a hair.
		expect(Number(second) - Number(first)).toBeGreaterThan(1_900);
	});

	it.each([
		['status 400', { kind: 'status', status: 400 }],
		['status 401', { kind: 'status', status: 401 }],
		['status 402', { kind: 'status', status: 402 }],
		['status 403', { kind: 'status', status: 403 }],
		['status 413', { kind: 'status', status: 413 }],
		['code 201', { kind: 'body', body: '{"status":"ERROR","code":201,"msg":"Wrong."}' }],
		['code 301 for a key', { kind: 'body', body: '{"status":"ERROR","code":301,"msg":"Ended."}' }],
		['code 303', { kind: 'body', body: '{"status":"ERROR","errorCode":303,"msg":"Expired."}' }],
		['a web page', { kind: 'body', body: '<!DOCTYPE html><title>Log in</title>' }],
	] satisfies Array<[string, Fault]>)('is not asked again after %s', async (_, fault) => {
		testbed.service.faults.inject(fault);
		const result = await testbed.run(readOrder());
		expect(result.status).toBe('error');
		expect(result.error?.description ?? '').not.toContain('Tried');
		expect(testbed.service.requests.count).toBe(1);
	});

	it('that is cut short without a word is told as incomplete', async () => {
		testbed.service.faults.inject({ kind: 'truncateSilently', times: Infinity });
		const result = await testbed.run(readOrder());
		expect(result.status).toBe('error');
		expect(result.error?.message).toContain('incomplete');
		expect(result.items).toEqual([]);
		expect(testbed.service.requests.count).toBe(5);
	});
});

const asGuest = '{"status":"ERROR","code":106,"msg":"No access right."}';

describe('a good key that is taken for a guest now and then', () => {
	it.each([
		['read', readOrder()],
		['written with', createCustomer()],
	])('is %s at the second time', async (_, parameters) => {
		testbed.service.faults.inject({ kind: 'body', body: asGuest });
		const result = await testbed.run(parameters);
		expect(result.status).toBe('success');
		expect(result.items).toMatchObject([{ pairedItem: { item: 0 } }]);
		const [first, second] = testbed.service.requests.all();
		expect(testbed.service.requests.count).toBe(2);
		expect([second?.method, second?.rawUrl]).toEqual([first?.method, first?.rawUrl]);
		// A lower bound, which no slow machine can miss; timers may be early by a hair.
		expect(Number(second?.at) - Number(first?.at)).toBeGreaterThan(450);
		const { records } = testbed.service.data.sheet(customers);
		expect(records.size).toBe(testbed.writes.length === 0 ? 300 : 301);
	});

	it.each([
		['read', readOrder()],
		['write', createCustomer()],
	])('is believed the second time: a %s', async (_, parameters) => {
		testbed.service.faults.inject({ kind: 'body', body: asGuest, times: Infinity });
		const result = await testbed.run(parameters);
		expect(result.status).toBe('error');
		expect(result.error?.message).toBe('No access right.');
		expect(result.error?.description).not.toContain('not known');
		expect(testbed.service.requests.count).toBe(2);
		expect(testbed.service.data.sheet(customers).records.size).toBe(300);
	});

	it('is believed of all records of a sheet, but not of another sheet', async () => {
		testbed.service.faults.inject({ kind: 'body', body: asGuest, times: Infinity });
		const items = [orders, orders, customers, orders].map(({ path, index }, position) => ({
			...{ path: `${path}/${index}`, id: position + 1 },
		}));
		const parameters = {
			operation: 'get',
			sheet: { ...sheet(orders), value: '={{ $json.path }}' },
			recordId: recordId('={{ $json.id }}'),
		};
		const result = await testbed.run(parameters, items, { onError: 'continueErrorOutput' });
		expect(result.errorItems).toHaveLength(4);
		expect(testbed.reads.map(({ path }) => path.split('/').slice(-2).join('/'))).toEqual([
			...['1/1', '1/1', '1/2', '2/3', '2/3', '1/4'],
		]);
	});
});

describe('a write', () => {
	it.each(passing.filter(([, { status }]) => status !== 429 && status !== undefined))(
		'is not sent again after %s',
		async (_, fault) => {
			testbed.service.faults.inject(fault);
			const result = await testbed.run(createCustomer());
			expect(result.status).toBe('error');
			expect(result.error?.description).toContain('not known whether the change was made');
			expect(testbed.service.requests.count).toBe(1);
		},
	);

	it.each(['reset', 'resetAfterWork', 'truncate', 'truncateSilently'] as const)(
		'is not sent again when its answer is lost: %s',
		async (kind) => {
			testbed.service.faults.inject({ kind });
			const result = await testbed.run(createCustomer());
			expect(result.status).toBe('error');
			expect(result.error?.description).toContain('not known whether the change was made');
			expect(testbed.writes).toHaveLength(1);
			const { records } = testbed.service.data.sheet(customers);
			expect(records.size).toBe(kind === 'reset' ? 300 : 301);
		},
	);

	it.each([
		['status 429', { kind: 'status', status: 429, headers: atOnce }],
		['code 204', { kind: 'body', body: tooFrequent, headers: atOnce }],
	] satisfies Array<[string, Fault]>)(
		'is sent again after %s, which refuses it at the door',
		async (_, fault) => {
			testbed.service.faults.inject(fault);
			const result = await testbed.run(createCustomer());
			expect(result.status).toBe('success');
			expect(testbed.writes).toHaveLength(2);
			const { records } = testbed.service.data.sheet(customers);
			expect(records.size).toBe(301);
		},
	);
});

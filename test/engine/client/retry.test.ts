import { customers, orders } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { createCustomer, readOrder } from '../operations';

const testbed = useRecordTestbed();

/** What becomes of each fault is in the matrix of `test/engine/faults`. */
it('a read waits as long as the service asks, not shorter', async () => {
	testbed.service.faults.inject({ kind: 'status', status: 503, headers: { 'retry-after': '2' } });
	await testbed.run(readOrder());
	const [first, second] = testbed.service.requests.all().map(({ at }) => at);
	// A lower bound, which no slow machine can miss; timers may be early by a hair.
	expect(Number(second) - Number(first)).toBeGreaterThan(1_900);
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
		expect(result.errorItems.map(({ json }) => json.error)).toEqual(
			Array(4).fill(expect.stringContaining('No access right.')),
		);
		expect(testbed.reads.map(({ path }) => path.split('/').slice(-2).join('/'))).toEqual([
			...['1/1', '1/1', '1/2', '2/3', '2/3', '1/4'],
		]);
	});
});

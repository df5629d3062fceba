import { customers } from '../../service';
import { useRecordTestbed } from '../recordTestbed';
import { createCustomer, readOrder } from '../operations';

const testbed = useRecordTestbed();

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
});

import { setTimeout as wait } from 'node:timers/promises';
import { until } from '../../until';
import { failureModes, useCancellable } from '../cancellable';
import { useRealClock } from '../clock';
import { createCustomer, readOrder, readOwnOrder } from '../operations';
import { customers } from '../../service';
import { useRecordTestbed } from '../recordTestbed';
import type { RunNodeOptions, RunResult } from '../runner';

useRealClock();
const testbed = useRecordTestbed();

const cancellable = useCancellable(testbed);
const goingOn: Partial<RunNodeOptions> = { onError: 'continueErrorOutput' };

/** Expects neither records nor errors. If the node continues on errors, n8n returns the empty input items. */
function expectNothingOut({ items, errorItems }: RunResult): void {
	expect([...items, ...errorItems].filter(({ json }) => Object.keys(json).length > 0)).toEqual([]);
}

/** Expects that the canceled run sends no further requests: the next request is the one sent here. */
async function expectNoMoreRequests(sent: number): Promise<void> {
	await testbed.run(readOrder());
	expect(testbed.service.requests.count).toBe(sent + 1);
}

describe('cancelling', () => {
	it.each(failureModes)(
		'cancelling ends a slow request at once, on failure: %s',
		async (_, overrides) => {
			testbed.inject({ kind: 'hang' });
			const cancel = cancellable(createCustomer(), [{}, {}, {}], overrides);
			await until(() => testbed.service.requests.count === 1);
			const result = await cancel();
			expect(result.status).toBe('canceled');
			expectNothingOut(result);
			await expectNoMoreRequests(1);
			expect(testbed.service.data.sheet(customers).records.size).toBe(300);
		},
	);

	it('cancelling ends the wait before a retry at once', async () => {
		const busy = { kind: 'status' as const, status: 503, headers: { 'retry-after': '60' } };
		testbed.inject(busy);
		const cancel = cancellable(readOwnOrder(), [{}, {}], goingOn);
		await until(() => testbed.service.requests.all()[0]?.status === 503);
		await wait(50);
		const result = await cancel();
		expect(result.status).toBe('canceled');
		expectNothingOut(result);
		await expectNoMoreRequests(1);
	});

	it('cancelling ends the wait for the mutex at once, and the remaining runs keep their order', async () => {
		testbed.inject({ kind: 'hang' });
		const cancelFirst = cancellable(readOrder());
		await until(() => testbed.service.requests.count === 1);
		const cancelSecond = cancellable(createCustomer(), [{}, {}], goingOn);
		const third = testbed.run(readOrder());
		await wait(50);
		const result = await cancelSecond();
		expect(result.status).toBe('canceled');
		expectNothingOut(result);
		// The first run still hangs, so the third still waits.
		await wait(50);
		expect(testbed.service.requests.count).toBe(1);
		expect((await cancelFirst()).status).toBe('canceled');
		expect((await third).status).toBe('success');
		expect(testbed.service.requests.count).toBe(2);
		expect(testbed.service.data.sheet(customers).records.size).toBe(300);
	});

	it('cancelling ends a slow login at once', async () => {
		testbed.inject({ kind: 'hang' });
		const overrides = { credentials: testbed.sessionCredentials(), ...goingOn };
		const cancel = cancellable({ ...createCustomer(), authentication: 'session' }, [{}], overrides);
		await until(() => testbed.logins.length === 1);
		const result = await cancel();
		expect(result.status).toBe('canceled');
		await expectNoMoreRequests(1);
		expect(testbed.service.data.sheet(customers).records.size).toBe(300);
	});
});

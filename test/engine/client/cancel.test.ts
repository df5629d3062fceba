import { setTimeout as wait } from 'node:timers/promises';

import { until } from '../../until';
import { failureModes, useCancellable } from '../cancellable';
import { useRealClock } from '../clock';
import { createCustomer, readOrder } from '../oneRequest';
import { customers } from '../../service';
import { useRecordWorld } from '../recordWorld';
import type { RunResult } from '../runner';

useRealClock();
const world = useRecordWorld();

const cancellable = useCancellable(world);

/** Neither records nor errors: when a node may go on, n8n puts out what came in. */
function expectNothingOut({ items, errorItems }: RunResult): void {
	expect([...items, ...errorItems].filter(({ json }) => Object.keys(json).length > 0)).toEqual([]);
}

/** A cancelled run has sent what it had sent, and sends no more: somebody else's request is the next. */
async function expectNoMoreRequests(sent: number): Promise<void> {
	await world.run(readOrder());
	expect(world.service.requests.count).toBe(sent + 1);
}

describe.each(failureModes)('cancelling, on failure: %s', (_, more) => {
	it.each([
		['read', readOrder()],
		['write', createCustomer()],
	])('ends a slow request at once: %s', async (_kind, parameters) => {
		world.service.faults.inject({ kind: 'hang' });
		const cancel = cancellable(parameters, [{}, {}, {}], more);
		await until(() => world.service.requests.count === 1);
		const result = await cancel();
		expect(result.status).toBe('canceled');
		expectNothingOut(result);
		await expectNoMoreRequests(1);
		expect(world.service.data.sheet(customers).records.size).toBe(300);
	});

	it('ends a request whose answer is on its way at once', async () => {
		world.service.switches.latencyMilliseconds = ({ inFlightAtStart }) =>
			world.service.requests.count === 1 && inFlightAtStart === 0 ? 60_000 : 0;
		const cancel = cancellable(readOrder(), [{}, {}], more);
		await until(() => world.service.requests.count === 1);
		const result = await cancel();
		expect(result.status).toBe('canceled');
		await expectNoMoreRequests(1);
	});

	it('ends the wait before a retry at once', async () => {
		const busy = { kind: 'status' as const, status: 503, headers: { 'retry-after': '60' } };
		world.service.faults.inject(busy);
		const cancel = cancellable(readOrder(), [{}, {}], more);
		await until(() => world.service.requests.all()[0]?.status === 503);
		await wait(50);
		const result = await cancel();
		expect(result.status).toBe('canceled');
		expectNothingOut(result);
		await expectNoMoreRequests(1);
	});

	it('ends the wait for a turn at once, and lets nobody overtake', async () => {
		world.service.faults.inject({ kind: 'hang' });
		const cancelFirst = cancellable(readOrder());
		await until(() => world.service.requests.count === 1);
		const cancelSecond = cancellable(createCustomer(), [{}, {}], more);
		const third = world.run(readOrder());
		await wait(50);
		const result = await cancelSecond();
		expect(result.status).toBe('canceled');
		expectNothingOut(result);
		// The first still hangs, so the third still waits.
		await wait(50);
		expect(world.service.requests.count).toBe(1);
		expect((await cancelFirst()).status).toBe('canceled');
		expect((await third).status).toBe('success');
		expect(world.service.requests.count).toBe(2);
		expect(world.service.data.sheet(customers).records.size).toBe(300);
	});

	it('ends a slow login at once', async () => {
		world.service.faults.inject({ kind: 'hang' });
		const cancel = cancellable({ ...createCustomer(), authentication: 'session' }, [{}], {
			credentials: world.sessionCredentials(),
			...more,
		});
		await until(() => world.logins.length === 1);
		const result = await cancel();
		expect(result.status).toBe('canceled');
		await expectNoMoreRequests(1);
		expect(world.service.data.sheet(customers).records.size).toBe(300);
	});
});

describe('cancelling between items', () => {
	it('keeps what was done, and does no more', async () => {
		world.service.faults.inject({
			kind: 'hang',
			when: () => world.service.requests.count === 2,
		});
		const cancel = cancellable(createCustomer(), [{}, {}, {}], { onError: 'continueErrorOutput' });
		await until(() => world.service.requests.count === 2);
		const result = await cancel();
		expect(result.status).toBe('canceled');
		expect(world.writes).toHaveLength(2);
		expect(world.service.data.sheet(customers).records.size).toBe(301);
		await expectNoMoreRequests(2);
	});

	it('before the first request sends none', async () => {
		const result = await world.run(createCustomer(), [{}], { signal: AbortSignal.abort() });
		expect(result.status).toBe('canceled');
		expect(world.service.requests.count).toBe(0);
	});

	it('does not cancel another run', async () => {
		world.service.faults.inject({ kind: 'hang' });
		const cancelFirst = cancellable(readOrder());
		const second = world.run(readOrder());
		await until(() => world.service.requests.count === 1);
		expect((await cancelFirst()).status).toBe('canceled');
		expect((await second).status).toBe('success');
	});
});

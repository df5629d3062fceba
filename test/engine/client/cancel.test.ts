import { setTimeout as wait } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';

import { createCustomer, readOrder } from '../oneRequest';
import { customers } from '../../service';
import { useRecordWorld } from '../recordWorld';
import type { InputItem, RunNodeOptions, RunResult } from '../runner';
import { until } from './until';

const world = useRecordWorld();

/** Nothing goes on behind a test that has failed. */
const stops: AbortController[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop.abort()));

/**
 * A run that can be cancelled. Whatever it waits for in these tests takes longer than a test may, so a run that
 * does not end at once fails its test by the time limit.
 */
function cancellable(
	parameters: INodeParameters,
	items: InputItem[] = [{}],
	more: Partial<RunNodeOptions> = {},
) {
	const stop = new AbortController();
	stops.push(stop);
	const run = world.run(parameters, items, { signal: stop.signal, ...more });
	return {
		cancelled: async (): Promise<RunResult> => {
			stop.abort();
			return await run;
		},
	};
}

const failureModes: Array<[string, Partial<RunNodeOptions>]> = [
	['stop', {}],
	['continue with the error output', { onError: 'continueErrorOutput' }],
	['continue with the regular output', { onError: 'continueRegularOutput' }],
	['retry', { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 }],
];

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
		const run = cancellable(parameters, [{}, {}, {}], more);
		await until(() => world.service.requests.count === 1);
		const result = await run.cancelled();
		expect(result.status).toBe('canceled');
		expectNothingOut(result);
		await expectNoMoreRequests(1);
		expect(world.service.data.sheet(customers).records.size).toBe(300);
	});

	it('ends a request whose answer is on its way at once', async () => {
		world.service.switches.latencyMilliseconds = ({ inFlightAtStart }) =>
			world.service.requests.count === 1 && inFlightAtStart === 0 ? 60_000 : 0;
		const run = cancellable(readOrder(), [{}, {}], more);
		await until(() => world.service.requests.count === 1);
		const result = await run.cancelled();
		expect(result.status).toBe('canceled');
		await expectNoMoreRequests(1);
	});

	it('ends the wait before a retry at once', async () => {
		const busy = { kind: 'status' as const, status: 503, headers: { 'retry-after': '60' } };
		world.service.faults.inject(busy);
		const run = cancellable(readOrder(), [{}, {}], more);
		await until(() => world.service.requests.all()[0]?.status === 503);
		await wait(50);
		const result = await run.cancelled();
		expect(result.status).toBe('canceled');
		expectNothingOut(result);
		await expectNoMoreRequests(1);
	});

	it('ends the wait for a turn at once, and lets nobody overtake', async () => {
		world.service.faults.inject({ kind: 'hang' });
		const first = cancellable(readOrder());
		await until(() => world.service.requests.count === 1);
		const second = cancellable(createCustomer(), [{}, {}], more);
		const third = world.run(readOrder());
		await wait(50);
		const result = await second.cancelled();
		expect(result.status).toBe('canceled');
		expectNothingOut(result);
		// The first still hangs, so the third still waits.
		await wait(50);
		expect(world.service.requests.count).toBe(1);
		expect((await first.cancelled()).status).toBe('canceled');
		expect((await third).status).toBe('success');
		expect(world.service.requests.count).toBe(2);
		expect(world.service.data.sheet(customers).records.size).toBe(300);
	});

	it('ends a slow login at once', async () => {
		world.service.faults.inject({ kind: 'hang' });
		const run = cancellable({ ...createCustomer(), authentication: 'session' }, [{}], {
			credentials: world.sessionCredentials(),
			...more,
		});
		await until(() => world.logins.length === 1);
		const result = await run.cancelled();
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
		const run = cancellable(createCustomer(), [{}, {}, {}], { onError: 'continueErrorOutput' });
		await until(() => world.service.requests.count === 2);
		const result = await run.cancelled();
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
		world.service.switches.latencyMilliseconds = 100;
		const first = cancellable(readOrder());
		const second = world.run(readOrder());
		await until(() => world.service.requests.count === 1);
		expect((await first.cancelled()).status).toBe('canceled');
		expect((await second).status).toBe('success');
	});
});

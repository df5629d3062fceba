import { setTimeout as wait } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';

import { orders } from '../../service';
import { until } from '../client/until';
import { readOrder } from '../oneRequest';
import { useRecordWorld } from '../recordWorld';
import type { RunNodeOptions } from '../runner';
import { byIds, mass } from './massParameters';

const world = useRecordWorld();

/** Nothing goes on behind a test that has failed. */
const stops: AbortController[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop.abort()));

/** Longer than a test may take: a run that does not end at once fails its test. */
const slowly = { pollInterval: 300 };
const ids = Array.from({ length: 1500 }, (_, index) => index + 1);
const lockMany = mass('lock', { ...byIds(ids.join(', ')), options: slowly });

function cancellable(parameters: INodeParameters, more: Partial<RunNodeOptions> = {}) {
	const stop = new AbortController();
	stops.push(stop);
	const run = world.run(parameters, [{}, {}], { signal: stop.signal, ...more });
	return async () => {
		stop.abort();
		return await run;
	};
}

const failureModes: Array<[string, Partial<RunNodeOptions>]> = [
	['stop', {}],
	['continue with the error output', { onError: 'continueErrorOutput' }],
	['continue with the regular output', { onError: 'continueRegularOutput' }],
	['retry', { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 }],
];

it.each(failureModes)(
	'cancelling ends the wait at once, with nothing sent behind it (on failure: %s)',
	async (_, more) => {
		world.service.tasks.hold();
		const cancel = cancellable(lockMany, more);
		await until(() => world.reads.length === 1 && world.service.requests.openRequests.size === 0);
		await wait(50);
		const result = await cancel();
		expect(result.status).toBe('canceled');
		await wait(50);
		expect(world.writes).toHaveLength(1);
		expect(world.reads).toHaveLength(1);
		expect(world.service.tasks.all.map(({ state }) => state)).toEqual(['waiting']);
	},
);

it('cancelling ends a look that hangs', async () => {
	world.service.faults.inject({ kind: 'hang', when: ({ method }) => method === 'GET' });
	const cancel = cancellable(lockMany);
	await until(() => world.reads.length === 1);
	expect((await cancel()).status).toBe('canceled');
	expect((await world.run(readOrder())).status).toBe('success');
	expect(world.writes).toHaveLength(1);
});

it('cancelling ends task wait', async () => {
	world.service.tasks.hold();
	const submitted = await world.run({ ...lockMany, waitForCompletion: false });
	const [{ json = {} } = {}] = submitted.items;
	world.service.requests.clear();
	const cancel = cancellable({
		resource: 'task',
		operation: 'wait',
		taskId: String(json.taskId),
		options: slowly,
	});
	await until(() => world.reads.length === 1 && world.service.requests.openRequests.size === 0);
	await wait(50);
	expect((await cancel()).status).toBe('canceled');
	expect(world.service.requests.count).toBe(1);
	expect(world.service.data.record(orders, 1).locked).toBe(false);
});

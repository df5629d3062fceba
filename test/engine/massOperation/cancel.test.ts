import { setTimeout as wait } from 'node:timers/promises';

import { orders } from '../../service';
import { until } from '../../until';
import { failureModes, useCancellable } from '../cancellable';
import { readOrder } from '../oneRequest';
import { useRecordWorld } from '../recordWorld';
import { byIds, mass } from './massParameters';

const world = useRecordWorld();

const cancellable = useCancellable(world);

/** Longer than a test may take: a run that does not end at once fails its test. */
const slowly = { pollInterval: 300 };
const ids = Array.from({ length: 1500 }, (_, index) => index + 1);
const lockMany = mass('lock', { ...byIds(ids.join(', ')), options: slowly });

it.each(failureModes)(
	'cancelling ends the wait at once, with nothing sent behind it (on failure: %s)',
	async (_, more) => {
		world.service.tasks.hold();
		const cancel = cancellable(lockMany, [{}, {}], more);
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
	const cancel = cancellable(lockMany, [{}, {}]);
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
	const slowTask = { taskId: String(json.taskId), options: slowly };
	const cancel = cancellable({ resource: 'task', operation: 'wait', ...slowTask }, [{}, {}]);
	await until(() => world.reads.length === 1 && world.service.requests.openRequests.size === 0);
	await wait(50);
	expect((await cancel()).status).toBe('canceled');
	expect(world.service.requests.count).toBe(1);
	expect(world.service.data.record(orders, 1).locked).toBe(false);
});

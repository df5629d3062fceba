import { setTimeout as wait } from 'node:timers/promises';

import { until } from '../../until';
import { failureModes, useCancellable } from '../cancellable';
import { readOrder } from '../operations';
import { useRecordTestbed } from '../recordTestbed';
import { byIds, mass } from './massParameters';

const testbed = useRecordTestbed();

const cancellable = useCancellable(testbed);

/** Longer than a test may take: a run that does not end at once fails its test. */
const slowly = { pollInterval: 300 };
const ids = Array.from({ length: 1500 }, (_, index) => index + 1);
const lockMany = mass('lock', { ...byIds(ids.join(', ')), options: slowly });

it.each(failureModes.filter(([mode]) => mode === 'stop' || mode === 'retry'))(
	'cancelling ends the wait at once, with nothing sent behind it (on failure: %s)',
	async (_, more) => {
		testbed.service.tasks.hold();
		const cancel = cancellable(lockMany, [{}, {}], more);
		await until(
			() => testbed.reads.length === 1 && testbed.service.requests.openRequests.size === 0,
		);
		await wait(50);
		const result = await cancel();
		expect(result.status).toBe('canceled');
		await wait(50);
		expect(testbed.writes).toHaveLength(1);
		expect(testbed.reads).toHaveLength(1);
		expect(testbed.service.tasks.all.map(({ state }) => state)).toEqual(['waiting']);
	},
);

it('cancelling ends a look that hangs', async () => {
	testbed.service.faults.inject({ kind: 'hang', when: ({ method }) => method === 'GET' });
	const cancel = cancellable(lockMany, [{}, {}]);
	await until(() => testbed.reads.length === 1);
	expect((await cancel()).status).toBe('canceled');
	expect((await testbed.run(readOrder())).status).toBe('success');
	expect(testbed.writes).toHaveLength(1);
});

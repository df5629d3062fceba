import { orders, type Fault, type SeenRequest } from '../../service';
import { lockTen, quickly } from '../massOperation/massParameters';
import { emittedChanges, usePollingTestbed } from '../polling/pollingTestbed';
import { TriggerTestbed } from '../trigger/triggerTestbed';

/** Options whose requests fail outside of the matrix: waits, polls and deliveries. */
const polling = usePollingTestbed();
const { testbed } = polling;
const { remark } = orders.fields;

const isTaskRequest = ({ rawUrl }: SeenRequest) => rawUrl.includes('taskId=');
const isIdRequest = ({ query }: SeenRequest) => query.some(([name]) => name === 'listing');
const readsOne = ({ path }: SeenRequest) => /\/orders\/1\/\d+$/.test(path);

describe('Wait for Completion', () => {
	it('a status check that takes the whole time limit ends with the time limit, and the task goes on', async () => {
		testbed.inject({ kind: 'hang', when: isTaskRequest, times: Infinity });
		const { error } = await testbed.run({ ...lockTen, options: { ...quickly, timeout: 1 } });
		expect(error?.message).toMatch(
			/^The task \S+ has not ended within 1 seconds \(last state: not known\)$/,
		);
		expect(error?.description).toContain('The task goes on in the service.');
		expect([testbed.reads.filter(isTaskRequest).length, testbed.service.tasks.all.length]).toEqual([
			1, 1,
		]);
	});

	it('a status check that takes the rest of the time limit names the last known state', async () => {
		testbed.service.tasks.recordsPerLook = 4;
		let looks = 0;
		const isLate = (seen: SeenRequest) => isTaskRequest(seen) && ++looks > 2;
		testbed.inject({ kind: 'hang', when: isLate, times: Infinity });
		const { error } = await testbed.run({ ...lockTen, options: { ...quickly, timeout: 1 } });
		expect(error?.message).toContain(
			'has not ended within 1 seconds (last state: RUNNING, 4 of 10',
		);
		expect(looks).toBe(3);
	});
});

/** Faults that end with the fifth attempt, so a poll or a delivery meets them once or for its whole duration. */
const faults: Array<[string, Fault]> = [
	['HTTP 500', { kind: 'status', status: 500 }],
	['HTTP 202 without a body', { kind: 'status', status: 202, body: '' }],
	['a web page', { kind: 'body', body: '<html><title>Maintenance</title></html>' }],
	['a reset connection', { kind: 'reset' }],
];

describe('Check for Deletions Every', () => {
	const options = { deletionCheckEvery: 1 };
	const events = ['CREATE', 'UPDATE', 'DELETE'];

	/** Polls until nothing comes any more. A poll may fail. */
	async function changesOf(poller: Awaited<ReturnType<typeof polling.begun>>): Promise<string[]> {
		const changes: string[] = [];
		for (let polls = 0; polls < 6; polls++) {
			polling.passMinutes(1);
			const items = await poller.poll().catch(() => []);
			changes.push(...emittedChanges(items));
		}
		return changes.sort();
	}

	it.each(
		faults.flatMap(([name, fault]) => [
			{ name, fault, what: 'the list of IDs', when: isIdRequest },
			{ name, fault, what: 'the read of a missing record', when: readsOne },
		]),
	)(
		'after a check whose requests for $what failed by $name, each change comes once',
		async ({ fault, when }) => {
			const poller = await polling.begun({ events, options });
			polling.passMinutes(1);
			polling.people.edit(orders, 6, { [remark]: 'x' });
			polling.people.delete(orders, 5);
			testbed.inject({ ...fault, when, times: Infinity });
			const failed = await poller.poll().catch(() => []);
			testbed.service.faults.clear();
			const changes = [...emittedChanges(failed), ...(await changesOf(poller))];
			expect(changes.sort()).toEqual(['DELETE 5', 'UPDATE 6']);
		},
	);

	it.each(faults)('one failed request by %s within a check costs no change', async (_, fault) => {
		const poller = await polling.begun({ events, options });
		polling.passMinutes(1);
		polling.people.edit(orders, 6, { [remark]: 'x' });
		polling.people.delete(orders, 5);
		testbed.inject({ ...fault, when: isIdRequest });
		expect(await changesOf(poller)).toEqual(['DELETE 5', 'UPDATE 6']);
	});
});

describe('Fetch Record', () => {
	const trigger = new TriggerTestbed(testbed);
	afterEach(async () => await trigger.end());
	const fetching = { verification: 'ifPresent', options: { fetchRecord: true } };

	it.each(faults)(
		'one failed read by %s is repeated or reported, and the change comes once',
		async (_, fault) => {
			const listener = await trigger.subscribe(fetching);
			testbed.inject({ ...fault, when: readsOne });
			await trigger.changeTogether([7]);
			const items = await listener.items();
			expect(items).toMatchObject([{ recordId: 7, event: 'UPDATE', record: { [remark]: 'of 7' } }]);
			const isFetched = items[0]?.unreadable === undefined;
			expect(items[0]?.source ?? items[0]?._source).toBe(isFetched ? 'service' : 'delivery');
		},
	);

	it.each(faults)(
		'a read that always fails by %s keeps the delivered record, with the reason',
		async (_, fault) => {
			const listener = await trigger.subscribe(fetching);
			testbed.inject({ ...fault, when: readsOne, times: Infinity });
			await trigger.changeTogether([7, 8]);
			const items = await listener.items();
			expect(items).toMatchObject(
				[7, 8].map((id) => ({
					recordId: id,
					record: { [remark]: `of ${id}` },
					unreadable: expect.any(String),
				})),
			);
			expect(items.map((item) => item._source)).toEqual(['delivery', 'delivery']);
			expect(testbed.service.requests.all().filter(readsOne).length).toBeLessThanOrEqual(10);
		},
	);
});

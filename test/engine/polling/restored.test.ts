import { orders, type SeenRequest } from '../../service';
import { emittedChanges, usePollingTestbed } from './pollingTestbed';

const polling = usePollingTestbed();
const parameters = {
	events: ['CREATE', 'UPDATE', 'DELETE'],
	options: { deletionCheckEvery: 1 },
};

it.each([{ timeZone: undefined }, { timeZone: 8 }])(
	'a record that is restored with its old dates is emitted as created, and its second deletion once: UTC Offset $timeZone',
	async ({ timeZone }) => {
		const options = { ...parameters.options, ...(timeZone && { timeZone }) };
		const poller = await polling.begun({ ...parameters, options });
		const seen: string[] = [];
		const poll = async () => {
			polling.passMinutes(5);
			seen.push(...emittedChanges(await poller.poll()));
		};
		for (let times = 0; times < 2; times++) {
			polling.people.delete(orders, 5);
			await poll();
			await poll();
			polling.people.restore(orders, 5, { keepsDates: true });
			await poll();
			await poll();
		}
		polling.people.delete(orders, 5);
		await poll();
		await poll();
		expect(seen).toEqual(['DELETE 5', 'CREATE 5', 'DELETE 5', 'CREATE 5', 'DELETE 5']);
	},
);

it('a record that is restored, deleted and changed several times between two polls is emitted as it is then', async () => {
	const poller = await polling.begun(parameters);
	const remove = () => polling.people.delete(orders, 5);
	const restore = (keepsDates = true) => polling.people.restore(orders, 5, { keepsDates });
	const change = () => polling.people.edit(orders, 5, { [orders.fields.remark]: 'changed' });
	const histories: Array<[steps: Array<() => void>, last: string[]]> = [
		[[remove, restore], []],
		[[remove], ['DELETE 5']],
		[[restore, remove], []],
		[[restore, remove, restore], ['CREATE 5']],
		[[change, remove, restore], ['UPDATE 5']],
		[[remove, () => restore(false), change], ['UPDATE 5']],
		[[change, remove], ['DELETE 5']],
		[[() => restore(false), change], ['CREATE 5']],
	];
	for (const [steps, last] of histories) {
		polling.passMinutes(6);
		for (const happen of steps) happen();
		const emitted = emittedChanges(await poller.poll());
		polling.passMinutes(6);
		emitted.push(...emittedChanges(await poller.poll()));
		expect(emitted).toEqual(last);
	}
});

it('a restored record has its content, and an outdated list of IDs restores nothing', async () => {
	const poller = await polling.begun(parameters);
	polling.people.delete(orders, 5);
	polling.people.delete(orders, 6);
	expect(await poller.poll()).toHaveLength(2);
	polling.people.restore(orders, 5, { keepsDates: true });
	const body = '{"4":{"_svcId":4},"5":{"_svcId":5},"6":{"_svcId":6}}';
	const when = ({ query }: { query: ReadonlyArray<readonly [string, string]> }) =>
		query.some(([name]) => name === 'listing');
	polling.service.faults.inject({ kind: 'body', body, when });
	const items = await poller.poll();
	expect(emittedChanges(items)).toEqual(['CREATE 5']);
	expect(items[0]?.record).toMatchObject({ _recordId: 5, Status: expect.any(String) });
	for (let polls = 0; polls < 3; polls++) expect(await poller.poll()).toEqual([]);
});

it('a restored record that exists but cannot be read with its fields is emitted by a later check', async () => {
	const poller = await polling.begun(parameters);
	polling.people.delete(orders, 5);
	expect(emittedChanges(await poller.poll())).toEqual(['DELETE 5']);
	polling.people.restore(orders, 5, { keepsDates: true });
	const when = ({ path, query }: SeenRequest) =>
		path.endsWith('/5') && query.some(([name, value]) => name === 'naming' && value === 'FNAME');
	polling.service.faults.inject({ kind: 'status', when, times: Infinity });
	for (let polls = 0; polls < 2; polls++) expect(await poller.poll()).toEqual([]);
	polling.service.faults.clear();
	expect(emittedChanges(await poller.poll())).toEqual(['CREATE 5']);
	expect(await poller.poll()).toEqual([]);
});

it.each([
	[['CREATE']],
	[['UPDATE']],
	[['DELETE']],
	[['CREATE', 'UPDATE']],
	[['CREATE', 'DELETE']],
	[['UPDATE', 'DELETE']],
	[['CREATE', 'UPDATE', 'DELETE']],
])(
	'only the chosen events of a record are emitted, also after it was restored: %j',
	async (events) => {
		const poller = await polling.begun({ ...parameters, events });
		const { people } = polling;
		const steps: Array<[event: string, happen: () => void]> = [
			['UPDATE', () => people.edit(orders, 5, { [orders.fields.remark]: 'changed' })],
			['DELETE', () => people.delete(orders, 5)],
			// Only a record whose deletion was noticed is created again.
			[
				events.includes('DELETE') ? 'CREATE' : '',
				() => people.restore(orders, 5, { keepsDates: true }),
			],
			['DELETE', () => people.delete(orders, 5)],
		];
		for (const [event, happen] of steps) {
			polling.passMinutes(6);
			happen();
			const emitted = emittedChanges([...(await poller.poll()), ...(await poller.poll())]);
			expect(emitted).toEqual(events.includes(event) ? [`${event} 5`] : []);
		}
	},
);

const filters: Array<{ evaluatedBy: string; operator: string; value: string }> = [
	{ evaluatedBy: 'the service', operator: 'like', value: 'one' },
	{ evaluatedBy: 'the node', operator: 'ne', value: 'two' },
];

it.each(filters)(
	'a record that is restored with a new date is emitted as created with a filter of $evaluatedBy',
	async ({ operator, value }) => {
		const { remark } = orders.fields;
		polling.people.edit(orders, 5, { [remark]: 'one' });
		const conditions = [{ field: remark, operator, value }];
		const poller = await polling.begun({ ...parameters, filters: { conditions } });
		for (let times = 0; times < 2; times++) {
			polling.passMinutes(6);
			polling.people.delete(orders, 5);
			expect(emittedChanges(await poller.poll())).toEqual(['DELETE 5']);
			polling.passMinutes(6);
			polling.people.restore(orders, 5);
			expect(emittedChanges(await poller.poll())).toEqual(['CREATE 5']);
		}
	},
);

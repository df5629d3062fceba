import { orders, type SeenRequest, type Switches } from '../../service';
import { sheetAt } from '../recordTestbed';
import { emittedChanges, usePollingTestbed } from './pollingTestbed';

const polling = usePollingTestbed();
const { fields } = orders;

function change(...ids: number[]): void {
	polling.passMinutes(1);
	for (const id of ids) polling.people.edit(orders, id, { [fields.remark]: `changed ${id}` });
}

/** Returns a stored state with a truncated text. */
function cutText(state: object): object {
	const { known } = { known: '', ...state };
	return { ...state, known: known.slice(0, known.length / 2) };
}

/** Returns a stored state in which each property of this name is replaced or removed. */
function edited(state: object, name: string, value?: unknown): object {
	const { known } = { known: '', ...state };
	const replaced = JSON.stringify(JSON.parse(known), (key, member) =>
		key === name ? value : member,
	);
	expect(replaced).not.toBe(known);
	return { ...state, known: replaced };
}

const noChangeIsLost = expect.stringContaining(
	'No change is lost: the next successful poll emits these changes.',
);

describe.each([
	['with durable cursors', true],
	['in older n8n', false],
])('%s', (_, isDurable) => {
	it('nothing is lost or repeated when n8n restarts', async () => {
		const poller = await polling.begun({}, { isDurable });
		change(5);
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
		poller.restart();
		// The changes of a week without n8n are emitted.
		for (const id of [2, 3, 4]) {
			polling.passMinutes(2 * 24 * 60);
			change(id);
		}
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 2', 'UPDATE 3', 'UPDATE 4']);
		poller.restart();
		expect(await poller.poll()).toEqual([]);
	});

	it('a poll that n8n did not complete because it was killed is repeated', async () => {
		const poller = await polling.begun({}, { isDurable });
		change(5);
		await poller.poll();
		change(6);
		await poller.pollAndDie();
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 6']);
	});

	it('a failed poll does not move the cursor', async () => {
		const poller = await polling.begun({}, { isDurable });
		change(5);
		polling.service.faults.inject({ kind: 'status', status: 503, times: 5 });
		await expect(poller.poll()).rejects.toMatchObject({ description: noChangeIsLost });
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
	});
});

it('a test run returns the newest matching record, or nothing, and does not change the stored state', async () => {
	const filters = { conditions: [{ field: fields.remark, operator: 'like', value: 'changed' }] };
	const poller = await polling.begun({ filters });
	expect(await poller.test()).toEqual([]);
	const before = JSON.stringify(poller.staticData);
	change(5, 6);
	polling.passSeconds(1);
	polling.people.edit(orders, 7, { [fields.remark]: 'changed last' });
	polling.people.edit(orders, 8, { [fields.remark]: 'of no interest' });
	expect(emittedChanges(await poller.test())).toEqual(['UPDATE 7']);
	expect(JSON.stringify(poller.staticData)).toBe(before);
	expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5', 'UPDATE 6', 'UPDATE 7']);
});

it.each([
	{ events: ['CREATE'], ofNew: 'CREATE', ofChanged: 'CREATE' },
	{ events: ['UPDATE'], ofNew: 'UPDATE', ofChanged: 'UPDATE' },
	{ events: ['CREATE', 'UPDATE'], ofNew: 'CREATE', ofChanged: 'UPDATE' },
	{ events: ['DELETE'], ofNew: 'CREATE', ofChanged: 'UPDATE' },
])('a test run tells an event that starts the workflow: $events', async (expected) => {
	const poller = await polling.begun({ events: expected.events });
	polling.passSeconds(1);
	const added = polling.people.create(orders, { [fields.customerNumber]: 'C-0001' });
	expect(emittedChanges(await poller.test())).toEqual([`${expected.ofNew} ${added.id}`]);
	polling.passSeconds(1);
	change(5);
	expect(emittedChanges(await poller.test())).toEqual([`${expected.ofChanged} 5`]);
});

describe('a poll', () => {
	it('a poll does not start while the previous one is running', async () => {
		const poller = await polling.begun();
		change(5);
		const [first, second] = await Promise.all([poller.poll(), poller.poll()]);
		expect(emittedChanges([...(first ?? []), ...(second ?? [])])).toEqual(['UPDATE 5']);
		expect(polling.requests).toHaveLength(1);
	});

	it('a test run in the editor neither waits for a running poll nor ends it', async () => {
		const poller = await polling.begun();
		change(5);
		const [first, tested] = await Promise.all([poller.poll(), poller.test()]);
		expect([first, tested].map(emittedChanges)).toEqual([['UPDATE 5'], ['UPDATE 5']]);

		change(6);
		const running = poller.poll();
		poller.edit({ events: [] });
		await expect(poller.test()).rejects.toThrow('Choose at least one event');
		poller.edit({ events: ['CREATE', 'UPDATE'] });
		expect([await poller.poll(), emittedChanges(await running)]).toEqual([[], ['UPDATE 6']]);
	});

	it('a poll that starts before n8n has committed the last one does not emit its items again', async () => {
		const poller = await polling.begun({}, { isDurable: true });
		const before = structuredClone(poller.staticData);
		change(5);
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
		poller.changeStaticData(before);
		expect(await poller.poll()).toEqual([]);
		// The commit has failed.
		const now = performance.now.bind(performance);
		jest.spyOn(performance, 'now').mockImplementation(() => now() + 61_000);
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
	});

	it('a poll that starts before n8n has committed the start of the node loses no change', async () => {
		const poller = await polling.begun({}, { isDurable: true });
		change(5);
		for (const expected of [['UPDATE 5'], []]) {
			poller.changeStaticData({});
			expect(emittedChanges(await poller.poll())).toEqual(expected);
		}
	});

	it.each<[what: string, isHeldUp: (request: SeenRequest) => boolean]>([
		['the changes', () => true],
		['the fields', ({ path }) => path.endsWith('/metadata/schema')],
	])(
		'a poll fails if the service does not answer in the time that n8n allows: %s',
		async (_, isHeldUp) => {
			const filters = { conditions: [{ field: 'Remark', operator: 'like', value: 'changed' }] };
			const poller = await polling.begun({ filters });
			change(5);
			poller.startProcess();
			polling.endPollsAt(poller, isHeldUp);
			await expect(poller.poll()).rejects.toMatchObject({
				message: expect.stringContaining('did not answer within the 86400 seconds'),
				description: noChangeIsLost,
			});
			polling.endPollsNoMore(poller);
			expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
		},
	);

	it('a poll that fails because a filtered field was deleted says that no change is lost', async () => {
		const filters = { conditions: [{ field: 'Remark', operator: 'like', value: 'changed' }] };
		const poller = await polling.begun({ filters });
		const remark = polling.service.data.sheet(orders).fields.find(({ id }) => id === fields.remark);
		if (remark) remark.name = 'Notes';
		change(5);
		poller.startProcess();
		await expect(poller.poll()).rejects.toMatchObject({ description: noChangeIsLost });
		if (remark) remark.name = 'Remark';
		poller.startProcess();
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
	});

	it('a failed activation, and a failed test run, do not mention changes', async () => {
		const started = await polling.begun();
		const newPoller = await polling.activate();
		polling.service.faults.inject({ kind: 'status', status: 503, times: Infinity });
		const noWord = { description: expect.not.stringContaining('No change is lost') };
		await expect(newPoller.poll()).rejects.toMatchObject(noWord);
		await expect(started.test()).rejects.toMatchObject(noWord);
	});

	it('the message of a failed activation includes the advice, because n8n shows nothing else', async () => {
		const poller = await polling.activate({ sheet: sheetAt('sales/orders/77') });
		const advice = /There is no sheet 77 .*Choose the sheet again/;
		await expect(poller.poll()).rejects.toThrow(advice);
		await expect(poller.test()).rejects.not.toThrow(advice);
	});

	it('a poll with another credential starts from the beginning, and logs it', async () => {
		const poller = await polling.begun();
		change(5);
		poller.chooseCredential(
			'sheetRecordsApi',
			polling.testbed.credentials('admin').sheetRecordsApi,
		);
		expect(await poller.poll()).toEqual([]);
		expect(poller.printed.join('\n')).toContain('The node starts again');
		change(6);
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 6']);
	});

	it.each([
		{ what: 'of a later version', damage: () => ({ version: 99 }) },
		{ what: 'of an earlier version', damage: (state: object) => ({ ...state, version: 8 }) },
		{ what: 'that is not an object', damage: () => 'state' },
		{ what: 'that is truncated', damage: cutText },
		{ what: 'without a text as cursor', damage: (state: object) => edited(state, 'emitted', 7) },
		{ what: 'with an invalid date', damage: (state: object) => edited(state, 'readFrom', {}) },
		{ what: 'with a member missing', damage: (state: object) => edited(state, 'deletions') },
	])('a poll with a stored state $what starts again, and says so', async ({ damage }) => {
		const poller = await polling.begun();
		change(5);
		const { state } = structuredClone(poller.staticData);
		poller.changeStaticData({ state: damage(Object(state)) });
		expect(await poller.poll()).toEqual([]);
		expect(poller.printed.join('\n')).toContain('The node starts again');
		change(6);
		const items = await poller.poll();
		expect(emittedChanges(items)).toEqual(['UPDATE 6']);
		expect(items[0]?._warning).toContain('The node starts again');
	});

	it.each<Partial<Switches>>([{ comparedTimes: 'finer' }, { storedTimes: 'minutes' }])(
		'a change is emitted once, and so are the changes after it in the same minute, with %j',
		async (switches) => {
			Object.assign(polling.service.switches, switches);
			const poller = await polling.begun();
			change(5);
			expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
			polling.passSeconds(20);
			polling.people.edit(orders, 6, { [fields.remark]: 'changed' });
			polling.people.edit(orders, 5, { [fields.remark]: 'again' });
			expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5', 'UPDATE 6']);
			for (let minutes = 0; minutes < 9; minutes++) {
				expect(await poller.poll()).toEqual([]);
				polling.passMinutes(1);
			}
		},
	);
});

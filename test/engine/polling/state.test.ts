import { orders, type SeenRequest, type Switches } from '../../service';
import { told, usePollingTestbed } from './pollingTestbed';

const polling = usePollingTestbed();
const { fields } = orders;

function change(...ids: number[]): void {
	polling.passMinutes(1);
	for (const id of ids) polling.people.edit(orders, id, { [fields.remark]: `changed ${id}` });
}

describe.each([
	['with durable cursors', true],
	['in older n8n', false],
])('%s', (_, isDurable) => {
	it('nothing is lost or comes twice when n8n starts again', async () => {
		const poller = await polling.begun({}, { isDurable });
		change(5);
		expect(told(await poller.poll())).toEqual(['UPDATE 5']);
		poller.restart();
		// A week without n8n is caught up with.
		for (const id of [2, 3, 4]) {
			polling.passMinutes(2 * 24 * 60);
			change(id);
		}
		expect(told(await poller.poll())).toEqual(['UPDATE 2', 'UPDATE 3', 'UPDATE 4']);
		poller.restart();
		expect(await poller.poll()).toEqual([]);
	});

	it('a poll after which n8n was killed is made up for', async () => {
		const poller = await polling.begun({}, { isDurable });
		change(5);
		await poller.poll();
		change(6);
		await poller.pollAndDie();
		expect(told(await poller.poll())).toEqual(['UPDATE 6']);
	});

	it('a failed poll leaves the mark', async () => {
		const poller = await polling.begun({}, { isDurable });
		change(5);
		polling.service.faults.inject({ kind: 'status', status: 503, times: 5 });
		await expect(poller.poll()).rejects.toThrow();
		expect(told(await poller.poll())).toEqual(['UPDATE 5']);
	});
});

it('a test run gives the newest record that matches, or nothing, and leaves what is stored', async () => {
	const filters = { conditions: [{ field: fields.remark, operator: 'like', value: 'changed' }] };
	const poller = await polling.begun({ filters });
	expect(await poller.test()).toEqual([]);
	const before = JSON.stringify(poller.staticData);
	change(5, 6);
	polling.passSeconds(1);
	polling.people.edit(orders, 7, { [fields.remark]: 'changed last' });
	polling.people.edit(orders, 8, { [fields.remark]: 'of no interest' });
	expect(told(await poller.test())).toEqual(['UPDATE 7']);
	expect(JSON.stringify(poller.staticData)).toBe(before);
	expect(told(await poller.poll())).toEqual(['UPDATE 5', 'UPDATE 6', 'UPDATE 7']);
});

describe('a poll', () => {
	it('that is still running is not joined by a second one', async () => {
		const poller = await polling.begun();
		change(5);
		const [first, second] = await Promise.all([poller.poll(), poller.poll()]);
		expect(told([...(first ?? []), ...(second ?? [])])).toEqual(['UPDATE 5']);
		expect(polling.requests).toHaveLength(1);
	});

	it('that begins before n8n has committed what the last one emitted does not emit it again', async () => {
		const poller = await polling.begun({}, { isDurable: true });
		const before = structuredClone(poller.staticData);
		change(5);
		expect(told(await poller.poll())).toEqual(['UPDATE 5']);
		poller.changeStaticData(before);
		expect(await poller.poll()).toEqual([]);
		// Its commit has failed.
		const now = performance.now.bind(performance);
		jest.spyOn(performance, 'now').mockImplementation(() => now() + 61_000);
		expect(told(await poller.poll())).toEqual(['UPDATE 5']);
	});

	it.each<[what: string, isHeldUp: (request: SeenRequest) => boolean]>([
		['the changes', () => true],
		['the fields', ({ path }) => path.endsWith('/metadata/schema')],
	])('that is not answered in the time that n8n gives it fails: %s', async (_, isHeldUp) => {
		const filters = { conditions: [{ field: 'Remark', operator: 'like', value: 'changed' }] };
		const poller = await polling.begun({ filters });
		change(5);
		poller.startProcess();
		polling.endPollsAt(poller, isHeldUp);
		await expect(poller.poll()).rejects.toThrow('did not answer within');
		polling.endPollsNoMore(poller);
		expect(told(await poller.poll())).toEqual(['UPDATE 5']);
	});

	it('with another credential starts again, and says so', async () => {
		const poller = await polling.begun();
		change(5);
		poller.chooseCredential(
			'sheetRecordsApi',
			polling.testbed.credentials('admin').sheetRecordsApi,
		);
		expect(await poller.poll()).toEqual([]);
		expect(poller.printed.join('\n')).toContain('it starts again');
		change(6);
		expect(told(await poller.poll())).toEqual(['UPDATE 6']);
	});

	it('with a state of a later version starts again, and says so', async () => {
		const poller = await polling.begun();
		change(5);
		poller.changeStaticData({ state: { version: 99 } });
		expect(await poller.poll()).toEqual([]);
		expect(poller.printed.join('\n')).toContain('of another version');
	});

	it.each<Partial<Switches>>([{ comparedTimes: 'finer' }, { storedTimes: 'minutes' }])(
		'tells of a change once, and of those behind it in one minute, with %j',
		async (switches) => {
			Object.assign(polling.service.switches, switches);
			const poller = await polling.begun();
			change(5);
			expect(told(await poller.poll())).toEqual(['UPDATE 5']);
			polling.passSeconds(20);
			polling.people.edit(orders, 6, { [fields.remark]: 'changed' });
			polling.people.edit(orders, 5, { [fields.remark]: 'again' });
			expect(told(await poller.poll())).toEqual(['UPDATE 5', 'UPDATE 6']);
			for (let minutes = 0; minutes < 9; minutes++) {
				expect(await poller.poll()).toEqual([]);
				polling.passMinutes(1);
			}
		},
	);
});

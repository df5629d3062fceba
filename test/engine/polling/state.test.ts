import { orders } from '../../service';
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
		change(6);
		expect(told(await poller.poll())).toEqual(['UPDATE 6']);
		poller.restart();
		expect(await poller.poll()).toEqual([]);
	});

	it('a poll after which n8n was killed is made up for, and given by no other while it may be stored', async () => {
		const poller = await polling.begun({}, { isDurable });
		change(5);
		await poller.poll();
		change(6);
		expect(await poller.pollAndDie()).toBeNull();
		expect(told(await poller.poll())).toEqual(['UPDATE 6']);
	});

	it('a failed poll leaves the mark, and says so', async () => {
		const poller = await polling.begun({}, { isDurable });
		change(5);
		polling.service.faults.inject({ kind: 'status', status: 503, times: 5 });
		await expect(poller.poll()).rejects.toMatchObject({
			description: expect.stringContaining('No change is lost'),
		});
		expect(told(await poller.poll())).toEqual(['UPDATE 5']);
	});

	it('a week without n8n is caught up with', async () => {
		const poller = await polling.begun({}, { isDurable });
		change(1);
		await poller.poll();
		for (const id of [2, 3, 4]) {
			polling.passMinutes(2 * 24 * 60);
			change(id);
		}
		poller.restart();
		expect(told(await poller.poll())).toEqual(['UPDATE 2', 'UPDATE 3', 'UPDATE 4']);
		expect(await poller.poll()).toEqual([]);
	});
});

describe('an empty sheet', () => {
	it('has a mark, too: its first record is told', async () => {
		polling.service.data.sheet(orders).records.clear();
		const poller = await polling.begun();
		polling.passMinutes(1);
		expect(await poller.poll()).toEqual([]);
		polling.people.create(orders, { [fields.remark]: 'first' });
		const items = await poller.poll();
		expect(items).toEqual([expect.objectContaining({ event: 'CREATE' })]);
		polling.passMinutes(1);
		expect(await poller.poll()).toEqual([]);
	});
});

describe('a test run', () => {
	it('gives the newest record that matches, and leaves what is stored', async () => {
		const poller = await polling.begun();
		const before = JSON.stringify(poller.staticData);
		change(5, 6);
		polling.passSeconds(1);
		polling.people.edit(orders, 7, { [fields.remark]: 'newest' });
		expect(told(await poller.test())).toEqual(['UPDATE 7']);
		expect(JSON.stringify(poller.staticData)).toBe(before);
		expect(told(await poller.poll())).toEqual(['UPDATE 5', 'UPDATE 6', 'UPDATE 7']);
	});

	it('gives nothing where nothing matches', async () => {
		const filters = { conditions: [{ field: fields.remark, operator: 'eq', value: 'none' }] };
		expect(await (await polling.activate({ filters })).test()).toEqual([]);
	});
});

describe('a poll', () => {
	it('that is still running is not joined by a second one', async () => {
		const poller = await polling.begun();
		change(5);
		const [first, second] = await Promise.all([poller.poll(), poller.poll()]);
		expect(told([...(first ?? []), ...(second ?? [])])).toEqual(['UPDATE 5']);
		expect(polling.requests).toHaveLength(1);
	});

	it('that is not answered in the time that n8n gives it fails with what to do', async () => {
		const poller = await polling.begun();
		change(5);
		polling.endPollsAt(poller, () => true);
		await expect(poller.poll()).rejects.toThrow('did not answer within');
		polling.endPollsNoMore(poller);
		expect(told(await poller.poll())).toEqual(['UPDATE 5']);
	});

	it('with another credential begins anew, and says so', async () => {
		const poller = await polling.begun();
		change(5);
		poller.chooseCredential(
			'sheetRecordsApi',
			polling.testbed.credentials('admin').sheetRecordsApi,
		);
		expect(await poller.poll()).toEqual([]);
		expect(poller.printed.join('\n')).toContain('it begins anew');
		change(6);
		expect(told(await poller.poll())).toEqual(['UPDATE 6']);
	});

	it('with a session goes on when the service has ended it', async () => {
		const credentials = polling.testbed.sessionCredentials();
		const poller = await polling.begun({ authentication: 'session' }, { credentials });
		change(5);
		expect(told(await poller.poll())).toEqual(['UPDATE 5']);
		polling.service.expireSessions();
		change(6);
		expect(told(await poller.poll())).toEqual(['UPDATE 6']);
		expect(poller.printed.join('\n')).not.toContain('it begins anew');
	});

	it('with a state of a later version begins anew, and says so', async () => {
		const poller = await polling.begun();
		change(5);
		poller.changeStaticData({ state: { version: 99 } });
		expect(await poller.poll()).toEqual([]);
		expect(poller.printed.join('\n')).toContain('of another version');
	});

	it('tells what is hidden by the index later, once', async () => {
		const poller = await polling.begun();
		polling.service.switches.filterLagMilliseconds = 120_000;
		change(5);
		expect(await poller.poll()).toEqual([]);
		polling.passMinutes(2);
		expect(told(await poller.poll())).toEqual(['UPDATE 5']);
		polling.passMinutes(1);
		expect(await poller.poll()).toEqual([]);
	});

	it('tells of a change once, where the service compares times finer than it shows them', async () => {
		polling.service.switches.comparedTimes = 'finer';
		const poller = await polling.begun();
		change(5);
		expect(told(await poller.poll())).toEqual(['UPDATE 5']);
		for (let minutes = 0; minutes < 12; minutes++) {
			polling.passMinutes(1);
			expect(await poller.poll()).toEqual([]);
		}
	});

	it('tells of changes in one minute, where times have no seconds', async () => {
		polling.service.switches.storedTimes = 'minutes';
		const poller = await polling.begun();
		change(5);
		expect(told(await poller.poll())).toEqual(['UPDATE 5']);
		polling.passSeconds(20);
		polling.people.edit(orders, 6, { [fields.remark]: 'changed' });
		polling.people.edit(orders, 5, { [fields.remark]: 'again' });
		expect(told(await poller.poll())).toEqual(['UPDATE 5', 'UPDATE 6']);
		expect(await poller.poll()).toEqual([]);
	});
});

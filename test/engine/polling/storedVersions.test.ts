import { orders } from '../../service';
import { asVersion10 } from './olderState';
import type { Origin } from '../../service/data/record';
import { emittedChanges, usePollingTestbed } from './pollingTestbed';

const polling = usePollingTestbed();
const { fields } = orders;
const events = ['CREATE', 'UPDATE', 'DELETE'];

function change(...ids: number[]): void {
	polling.passMinutes(1);
	for (const id of ids) polling.people.edit(orders, id, { [fields.remark]: `changed ${id}` });
}

/** Moves the account's time zone, and with it the dates of all records. */
function moveTimeZone(hours: number): void {
	const moved = ({ at, user }: Origin) => ({ at: at + hours * 3_600_000, user });
	for (const record of polling.service.data.sheet(orders).records.values()) {
		const { created, updated } = record;
		Object.assign(record, { created: moved(created), updated: moved(updated) });
	}
	polling.setServiceBack(-hours * 60);
}

it.each([{ startFrom: 'now' }, { startFrom: 'all' }])(
	'a state of version 10 is continued, and nothing is emitted twice, with Start From $startFrom',
	async ({ startFrom }) => {
		const options = { deletionCheckEvery: 1 };
		const poller = await polling.begun({ events, startFrom, options });
		for (let polls = 0; polls < 3; polls++) await poller.poll();
		change(5);
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
		polling.people.delete(orders, 6);
		expect(emittedChanges(await poller.poll())).toEqual(['DELETE 6']);
		poller.changeStaticData(asVersion10(poller, polling.service));
		poller.startProcess();
		expect(await poller.poll()).toEqual([]);
		change(7);
		polling.people.delete(orders, 8);
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 7', 'DELETE 8']);
		expect(poller.printed.join('\n')).not.toContain('starts again');
		expect(poller.staticData.state).toMatchObject({ version: 11 });
	},
);

it.each([
	{ when: 'after', hours: 8 },
	{ when: 'after', hours: -5 },
	{ when: 'after', hours: 1 },
	{ when: 'before', hours: 8 },
	{ when: 'before', hours: -5 },
	{ when: 'before', hours: 1 },
])(
	'$when the first poll with a state of version 10, a time zone of the account that moves by $hours hours is no update',
	async ({ when, hours }) => {
		const poller = await polling.begun({ events });
		for (let polls = 0; polls < 3; polls++) await poller.poll();
		change(5, 6);
		expect(await poller.poll()).toHaveLength(2);
		poller.changeStaticData(asVersion10(poller, polling.service));
		poller.startProcess();
		if (when === 'after') expect(await poller.poll()).toEqual([]);
		moveTimeZone(hours);
		change(7);
		const emitted: string[] = [];
		for (let polls = 0; polls < 3; polls++) {
			emitted.push(...emittedChanges(await poller.poll()));
			polling.passMinutes(16);
		}
		expect(emitted).toEqual(['UPDATE 7']);
	},
);

it('a record that is saved a quarter of an hour later without a change moves no time zone', async () => {
	const poller = await polling.begun({ events });
	change(5, 6);
	expect(await poller.poll()).toHaveLength(2);
	poller.changeStaticData(asVersion10(poller, polling.service));
	poller.startProcess();
	polling.passMinutes(15);
	polling.people.edit(orders, 6, { [fields.remark]: 'changed 6' });
	change(7);
	const emitted = emittedChanges(await poller.poll());
	expect(emitted).toContain('UPDATE 7');
	change(8);
	expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 8']);
});

it('a record that is saved without a change by whole quarters of an hour hides no update, also its own', async () => {
	const poller = await polling.begun({ events });
	change(5, 6);
	expect(await poller.poll()).toHaveLength(2);
	poller.changeStaticData(asVersion10(poller, polling.service));
	poller.startProcess();
	polling.passMinutes(7);
	change(9);
	polling.passMinutes(7);
	polling.people.edit(orders, 6, { [fields.remark]: 'changed 6' });
	const items = await poller.poll();
	expect(emittedChanges(items)).toEqual(['UPDATE 9', 'UPDATE 6']);
	expect(items[0]).not.toHaveProperty('_warning');
});

it('Start From All that had finished continues from now with a damaged state, and says so', async () => {
	const poller = await polling.begun({ startFrom: 'all' });
	expect(await poller.poll()).toHaveLength(30);
	expect(await poller.poll()).toEqual([]);
	poller.changeStaticData({ state: { ...Object(poller.staticData.state), known: '{' } });
	expect(await poller.poll()).toEqual([]);
	expect(await poller.poll()).toEqual([]);
	change(5);
	const items = await poller.poll();
	expect(emittedChanges(items)).toEqual(['UPDATE 5']);
	expect(items[0]?._warning).toContain('starts again from now');
});

it('Start From All that had not finished starts again with a damaged state', async () => {
	const poller = await polling.begun({ startFrom: 'all' });
	poller.changeStaticData({ state: { ...Object(poller.staticData.state), known: '{' } });
	expect(await poller.poll()).toEqual([]);
	expect(await poller.poll()).toHaveLength(30);
});

it('Start From Date emits the changes since the date again with a damaged state only if it had not finished', async () => {
	const damage = () =>
		poller.changeStaticData({ state: { ...Object(poller.staticData.state), known: '{' } });
	const emitted = async () => emittedChanges([...(await poller.poll()), ...(await poller.poll())]);
	change(5);
	const poller = await polling.begun({ startFrom: 'date', startDate: '2026-01-31T09:00:00' });
	damage();
	expect(await emitted()).toEqual(['UPDATE 5']);
	expect(await poller.poll()).toEqual([]);
	damage();
	expect(await emitted()).toEqual([]);
	change(6);
	expect(await emitted()).toEqual(['UPDATE 6']);
});

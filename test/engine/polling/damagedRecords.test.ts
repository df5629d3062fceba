import { orders } from '../../service';
import { emittedChanges, usePollingTestbed } from './pollingTestbed';

const polling = usePollingTestbed();
const { fields } = orders;
const warningOf3 =
	'Changes of record 3 cannot be found, because it has no valid Last Update Date. All others are complete.';

function edit(...ids: number[]): void {
	polling.passMinutes(1);
	for (const id of ids) polling.people.edit(orders, id, { [fields.remark]: `changed ${id}` });
}

function damage(id: number, date?: string | number | null): void {
	polling.service.data.record(orders, id).damagedDate = { date };
}

const damagedDates = [
	{ what: 'an empty text', date: '' },
	{ what: 'another text', date: 'n/a' },
	{ what: 'milliseconds', date: 1_769_852_100_000 },
	{ what: 'milliseconds as text', date: '1769852100000' },
	{ what: 'a mask', date: '****' },
	{ what: 'no day of the calendar', date: '2026/99/99 10:00:00' },
	{ what: 'zeros', date: '0000/00/00 00:00:00' },
	{ what: 'null', date: null },
	{ what: 'no value', date: undefined },
];

it.each(damagedDates)(
	'a record with $what as Last Update Date does not stop the node, and a warning names it',
	async ({ date }) => {
		damage(3, date);
		const poller = await polling.begun();
		expect(poller.printed.join('\n')).toContain(warningOf3.slice(0, -1));
		edit(3, 5);
		const items = await poller.poll();
		expect(emittedChanges(items)).toEqual(['UPDATE 5']);
		expect(items[0]?._warning).toBe(warningOf3);
	},
);

it('a record without a date and a file that is missing are both named', async () => {
	damage(3, 'n/a');
	const poller = await polling.begun({ options: { downloadFiles: 'Contract' } });
	polling.service.data.record(orders, 5).set(fields.contract, 'gone@old.pdf');
	edit(5);
	const [item] = await poller.poll();
	expect(item?._warning).toContain(warningOf3);
	expect(item?._warning).toContain("'old.pdf' of 'Contract' was not downloaded");
});

it.each([{ ids: [3, 4] }, { ids: [3, 4, 6] }])(
	'several records without a date are named together: $ids',
	async ({ ids }) => {
		for (const id of ids) damage(id, 'n/a');
		const poller = await polling.begun();
		edit(...ids, 5);
		const items = await poller.poll();
		expect(emittedChanges(items)).toEqual(['UPDATE 5']);
		const warning = String(items[0]?._warning);
		const [, numbers = ''] =
			/^Changes of the records ([\d, and]+) cannot be found, because they have no /.exec(warning) ??
			[];
		expect(numbers.match(/\d+/g)?.map(Number).sort()).toEqual(ids);
	},
);

it.each(damagedDates)(
	'a record whose Last Update Date becomes $what hides no change of the others, and its next change is emitted',
	async ({ date }) => {
		const poller = await polling.begun();
		damage(3, date);
		for (let minutes = 0; minutes < 40; minutes += 8) {
			polling.passMinutes(7);
			edit(5);
			expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
		}
		delete polling.service.data.record(orders, 3).damagedDate;
		edit(3, 6);
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 3', 'UPDATE 6']);
		polling.passMinutes(20);
		expect(await poller.poll()).toEqual([]);
	},
);

it.each([null, 'broken', [], 7])(
	'a record that the service lists as %j does not stop the node',
	async (content) => {
		const record = polling.service.data.record(orders, 3);
		record.damagedContent = content;
		const poller = await polling.begun({
			events: ['CREATE', 'UPDATE', 'DELETE'],
			options: { deletionCheckEvery: 1 },
		});
		edit(3, 5);
		polling.people.delete(orders, 6);
		const items = await poller.poll();
		expect(emittedChanges(items)).toEqual(['UPDATE 5', 'DELETE 6']);
		expect(items[0]?._warning).toContain(warningOf3);
		delete record.damagedContent;
		edit(7);
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 3', 'UPDATE 7']);
	},
);

it('many records without a date at the top of the list make no record look new', async () => {
	const sheet = polling.service.data.sheet(orders);
	for (let each = 0; each < 600; each++) {
		const record = sheet.add({ at: Date.UTC(2026, 0, 30) + each * 1_000, user: 'anybody' });
		if (each < 300) record.damagedDate = { date: 'n/a' };
	}
	const poller = await polling.begun();
	edit(5);
	expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
	polling.passMinutes(20);
	expect(await poller.poll()).toEqual([]);
});

it('a sheet without any readable date cannot be polled, and the error says why', async () => {
	for (const record of polling.service.data.sheet(orders).records.values()) {
		record.damagedDate = { date: '****' };
	}
	const poller = await polling.activate();
	await expect(poller.poll()).rejects.toThrow('does not tell when record');
});

it('a change of the only record, which had no date at the start, is emitted', async () => {
	const { records } = polling.service.data.sheet(orders);
	for (const id of [...records.keys()]) if (id !== 3) records.delete(id);
	damage(3, '');
	const poller = await polling.begun();
	delete polling.service.data.record(orders, 3).damagedDate;
	edit(3);
	expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 3']);
});

it('Start From All Records returns the records with a date, and names the others', async () => {
	damage(3, '');
	const poller = await polling.begun({ startFrom: 'all' });
	const items = await poller.poll();
	expect(items).toHaveLength(29);
	expect(items[0]?._warning).toBe(warningOf3);
});

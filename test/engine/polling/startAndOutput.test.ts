import { orders } from '../../service';
import { emittedChanges, usePollingTestbed } from './pollingTestbed';

const polling = usePollingTestbed({ demoRecords: 1_300 });
const { fields } = orders;
const without = { subtables: false };

describe('Start From', () => {
	it.each([{}, { timeZone: -3.5 }])(
		'Start From All emits every record once, in portions, across restarts, and then the changes: %j',
		async (zone) => {
			const poller = await polling.begun({ startFrom: 'all', options: { ...without, ...zone } });
			const portions: string[][] = [];
			const remaining: unknown[] = [];
			for (let polls = 0; polls < 4; polls++) {
				polling.passMinutes(1);
				poller.startProcess();
				const items = await poller.poll();
				portions.push(emittedChanges(items));
				remaining.push(...items.map(({ _remaining }) => _remaining));
			}
			expect(remaining).toEqual([...Array(1_300).keys()].reverse());
			expect(portions.map(({ length }) => length)).toEqual([1_000, 300, 0, 0]);
			expect(new Set(portions.flat()).size).toBe(1_300);
			expect(portions[0]?.[0]).toMatch(/^CREATE /);
			polling.people.edit(orders, 5, { [fields.remark]: 'changed' });
			polling.passMinutes(20);
			expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
		},
	);

	it('Start From All continues with changed filters, emits no record twice, and counts the rest', async () => {
		const poller = await polling.begun({ startFrom: 'all', options: without });
		const emitted = emittedChanges(await poller.poll());
		expect(emitted).toHaveLength(1_000);
		const conditions = [{ field: fields.remark, operator: 'ne', value: 'no such text' }];
		poller.edit({ filters: { conditions } });
		const remaining: unknown[] = [];
		for (let polls = 0; polls < 3; polls++) {
			polling.passMinutes(1);
			const items = await poller.poll();
			emitted.push(...emittedChanges(items));
			remaining.push(...items.map(({ _remaining }) => _remaining));
		}
		expect(remaining).toEqual([...Array(300).keys()].reverse());
		expect(emitted).toHaveLength(1_300);
		expect(new Set(emitted).size).toBe(1_300);
	});

	it('Start From All ends when only deletions are chosen, and does not go on when changes are chosen again', async () => {
		const options = { ...without, deletionCheckEvery: 1 };
		const events = ['CREATE', 'DELETE'];
		const poller = await polling.begun({ startFrom: 'all', events, options });
		expect(await poller.poll()).toHaveLength(1_000);
		polling.passMinutes(1);
		polling.people.delete(orders, 5);
		poller.edit({ events: ['DELETE'] });
		const emitted: string[] = [];
		for (let polls = 0; polls < 3; polls++) emitted.push(...emittedChanges(await poller.poll()));
		expect(emitted).toEqual(['DELETE 5']);
		poller.edit({ events });
		expect(await poller.poll()).toEqual([]);
		polling.passMinutes(1);
		const { id } = polling.people.create(orders, {});
		const items = await poller.poll();
		expect(emittedChanges(items)).toEqual([`CREATE ${id}`]);
		expect(items[0]).not.toHaveProperty('_remaining');
	});

	it('Start From Date emits the changes since that date', async () => {
		for (const id of [5, 6]) {
			polling.passMinutes(10);
			polling.people.edit(orders, id, { [fields.remark]: 'before' });
		}
		const poller = await polling.begun({ startFrom: 'date', startDate: '2026-01-31T09:45:00' });
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 6']);
		polling.passMinutes(20);
		expect(await poller.poll()).toEqual([]);
	});

	it.each(['2026-01-31T09:40:00', '2026/01/31 09:40:00', '2026/1/31 9:40'])(
		'Start From Date emits a change in the second of that date, once: %s',
		async (startDate) => {
			polling.passMinutes(10);
			polling.people.edit(orders, 5, { [fields.remark]: 'at that time' });
			const poller = await polling.begun({ startFrom: 'date', startDate });
			expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
			polling.passMinutes(1);
			expect(await poller.poll()).toEqual([]);
		},
	);

	it('Start From Date with a day alone starts at its beginning, and goes on from there', async () => {
		polling.passMinutes(10);
		polling.people.edit(orders, 5, { [fields.remark]: 'on this day' });
		const poller = await polling.begun({ startFrom: 'date', startDate: '2026-01-31' });
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
		polling.passMinutes(20);
		polling.people.edit(orders, 6, { [fields.remark]: 'later' });
		polling.passMinutes(1);
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 6']);
		expect(poller.printed.join('\n')).not.toContain('starts again');
	});

	it('Start From All is rejected if created records are not selected', async () => {
		const poller = await polling.activate({ startFrom: 'all', events: ['UPDATE'] });
		await expect(poller.poll()).rejects.toThrow("'Trigger On' does not include Record Created");
	});

	it('Start From Now emits all records that are added to an empty sheet', async () => {
		for (const id of [...polling.service.data.sheet(orders).records.keys()]) {
			polling.people.delete(orders, id);
		}
		const poller = await polling.begun();
		const made: string[] = [];
		for (const minutes of [1, 30]) {
			for (const remark of ['one', 'other']) {
				polling.passMinutes(minutes);
				made.push(`CREATE ${polling.people.create(orders, { [fields.remark]: remark }).id}`);
			}
			expect(emittedChanges(await poller.poll())).toEqual(made.splice(0));
		}
	});
});

it('Shared View ID excludes the records that the view excludes', async () => {
	const poller = await polling.begun({ options: { sharedViewId: '77' } });
	polling.service.requests.forget();
	expect(await poller.poll()).toEqual([]);
	expect(polling.requests[0]?.query).toContainEqual(['filterId', '77']);
});

it('an invalid date in Start Date is rejected on activation', async () => {
	const poller = await polling.activate({ startFrom: 'date', startDate: 'soon' });
	await expect(poller.poll()).rejects.toThrow(/'Start Date' .*not a date/);
	expect(poller.staticData).toEqual({});
});

import { orders } from '../../service';
import { SheetRecord } from '../../service/data/record';
import { eventOf } from '../recordTestbed';
import type { Poller } from '../runner';
import { emittedChanges, usePollingTestbed } from './pollingTestbed';

const polling = usePollingTestbed();
const { fields } = orders;
/** Length of a record in an answer, in characters. Records of the demo are at least as long, and at most twice. */
const charactersOfRecord = 600;

describe('a poll', () => {
	it('a poll emits the changes since the last poll, oldest first, with the current content', async () => {
		const poller = await polling.activate();
		polling.people.edit(orders, 5, { [fields.remark]: 'before' });
		expect(await poller.poll()).toEqual([]);
		// The requests are a list, and a read of one of its records.
		expect(polling.requests).toHaveLength(2);
		polling.passMinutes(1);
		polling.people.edit(orders, 7, { [fields.remark]: 'first' });
		polling.passSeconds(1);
		polling.people.edit(orders, 5, { [fields.remark]: 'second' });
		polling.people.edit(orders, 5, { [fields.remark]: 'third' });
		const created = polling.people.create(orders, { [fields.remark]: 'new' });
		const items = await poller.poll();
		expect(emittedChanges(items)).toEqual(['UPDATE 7', 'UPDATE 5', `CREATE ${created.id}`]);
		const record = expect.objectContaining({ _recordId: 5, Remark: 'third' });
		expect(items[1]).toEqual(eventOf(5, { record }));
		polling.passMinutes(1);
		expect(await poller.poll()).toEqual([]);
	});

	/** Returns the length of the answer to the single request of each poll. None of the polls emits an item. */
	async function answeredEachMinute(poller: Poller, minutes: number): Promise<number[]> {
		const answered: number[] = [];
		for (let minute = 0; minute < minutes; minute++) {
			polling.passMinutes(1);
			polling.service.requests.forget();
			expect(await poller.poll()).toEqual([]);
			// Every 15 minutes, one additional request compares the latest changed records.
			const [request, ...rest] = polling.requests.reverse();
			expect(rest.length).toBeLessThanOrEqual(minute % 15 === 2 ? 1 : 0);
			answered.push(request?.answered ?? 0);
		}
		return answered;
	}

	it('a poll without changes sends one request, which returns no changes that are older than five minutes', async () => {
		const poller = await polling.begun();
		polling.passMinutes(10);
		polling.people.massChange(orders, [1, 2, 3, 4, 5, 6], () => ({ [fields.remark]: 'before' }));
		expect(await poller.poll()).toHaveLength(6);
		polling.passMinutes(2);
		polling.people.edit(orders, 7, { [fields.remark]: 'changed' });
		expect(await poller.poll()).toHaveLength(1);
		const answered = await answeredEachMinute(poller, 10);
		expect(answered[0]).toBeGreaterThan(7 * charactersOfRecord);
		expect(answered[5]).toBeGreaterThan(charactersOfRecord);
		expect(answered.slice(6)).toEqual(Array(4).fill('{}'.length));
	});
});

describe('a sheet that is made again', () => {
	const renew = (id: number) => {
		const stamp = { at: polling.service.clock.stamp(), user: 'ada.admin@acme.example' };
		const made = Object.assign(new SheetRecord(id, id, stamp), { updated: stamp });
		polling.service.data.sheet(orders).keep(made);
	};

	it.each([[['CREATE']], [['CREATE', 'UPDATE']]])(
		'a new record with the ID of an earlier one is created, with the events %j',
		async (events) => {
			const poller = await polling.begun({ events });
			polling.passMinutes(10);
			polling.people.edit(orders, 5, { [fields.remark]: 'before' });
			await poller.poll();
			polling.service.data.sheet(orders).records.clear();
			polling.passSeconds(70);
			for (const id of [5, 6]) renew(id);
			expect(emittedChanges(await poller.poll())).toEqual(['CREATE 5', 'CREATE 6']);
			polling.passMinutes(1);
			polling.people.edit(orders, 5, { [fields.remark]: 'after' });
			const next = events.includes('UPDATE') ? ['UPDATE 5'] : [];
			expect(emittedChanges(await poller.poll())).toEqual(next);
		},
	);
});

describe('a record that starts to match the filters', () => {
	const filters = { conditions: [{ field: fields.remark, operator: 'eq', value: 'Closed' }] };

	it('a record that starts to match the filters is created if its creation and change came after a clock was set back', async () => {
		const closed = { [fields.remark]: 'Closed' };
		polling.people.edit(orders, 5, closed);
		const poller = await polling.begun({ filters, events: ['CREATE'] });
		polling.passMinutes(20);
		polling.people.edit(orders, 6, closed);
		expect(await poller.poll()).toEqual([]);
		polling.setServiceBack(60);
		const { id } = polling.people.create(orders, closed);
		polling.passMinutes(1);
		polling.people.edit(orders, id, { ...closed, [fields.city]: 'Lyon' });
		const items = [];
		for (let minutes = 0; minutes < 40; minutes += 8, polling.passMinutes(8)) {
			items.push(...(await poller.poll()));
		}
		expect(emittedChanges(items)).toEqual([`CREATE ${id}`]);
	});

	it.each<[events: string[], rest: string]>([
		[['UPDATE'], 'nothing else matches'],
		[['UPDATE'], 'others start to match all the time'],
		[['CREATE', 'UPDATE'], 'others start to match all the time'],
	])(
		'a record that starts to match the filters is updated even if it was created after the start: %j, while %s',
		async (events, rest) => {
			const poller = await polling.begun({ filters, events });
			polling.passMinutes(1);
			const { id } = polling.people.create(orders, { [fields.remark]: 'Open' });
			for (let other = 1; other <= 10; other++) {
				expect(emittedChanges(await poller.poll())).not.toContain(`CREATE ${id}`);
				polling.passMinutes(1);
				const text = rest.startsWith('others') ? 'Closed' : 'Open';
				polling.people.edit(orders, other, { [fields.remark]: text });
			}
			polling.people.edit(orders, id, { [fields.remark]: 'Closed' });
			const items = await poller.poll();
			polling.passMinutes(1);
			items.push(...(await poller.poll()));
			expect(emittedChanges(items).filter((change) => change.endsWith(` ${id}`))).toEqual([
				`UPDATE ${id}`,
			]);
		},
	);
});

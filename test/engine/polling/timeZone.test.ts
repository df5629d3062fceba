import { orders, type SeenRequest } from '../../service';
import { emittedChanges, usePollingTestbed } from './pollingTestbed';

const polling = usePollingTestbed();
const { fields } = orders;
const inTaipei = { options: { timeZone: 8 } };
const asksForTimes = ({ query }: SeenRequest) => query.some(([name]) => name === 'tz');

function change(id: number, text = 'changed'): void {
	polling.people.edit(orders, id, { [fields.remark]: text });
}

/**
 * Calls a function between the two reads of a poll: the read with the account's times, and the read with times for the output.
 */
function meanwhile(happen: () => void): void {
	let hasHappened = false;
	polling.service.faults.inject({
		kind: 'reset',
		when: (request) => {
			if (asksForTimes(request) && !hasHappened) {
				hasHappened = true;
				happen();
			}
			return false;
		},
	});
}

describe('with a time zone', () => {
	it.each(['event', 'record'])(
		'the previous values of an %s are those of the watched fields, without times and without the time zone',
		async (output) => {
			const watchFields = [fields.deliveryTime, fields.city];
			const poller = await polling.begun({ options: { timeZone: 8, output }, watchFields });
			polling.people.edit(orders, 5, { [fields.city]: 'Oslo' });
			await poller.poll();
			polling.passMinutes(1);
			polling.people.edit(orders, 5, { [fields.deliveryTime]: '2026/01/02 03:00:00' });
			await poller.poll();
			polling.passMinutes(1);
			polling.people.edit(orders, 5, { [fields.deliveryTime]: '', [fields.city]: 'Ulm' });
			const [item = {}] = (await poller.poll()) ?? [];
			const changed = item.changedFields ?? item._changedFields;
			expect(changed).toEqual(expect.arrayContaining(['City', 'Delivery Time']));
			expect(item.previous ?? item._previous).toEqual({ City: 'Oslo' });
		},
	);

	it('a test run compares times in the time zone of the account, and returns them in the other one', async () => {
		const time = '2026/01/02 03:00:00';
		polling.passMinutes(1);
		for (const [id, value] of [
			[6, '2026/01/02 04:00:00'],
			[5, time],
		] as const) {
			polling.people.edit(orders, id, { [fields.deliveryTime]: value });
			polling.passSeconds(1);
		}
		const conditions = [{ field: fields.deliveryTime, operator: 'ne', value: time }];
		const poller = await polling.activate({ ...inTaipei, filters: { conditions } });
		const [{ recordId, record } = {}] = await poller.test();
		expect([recordId, Object(record)['Delivery Time']]).toEqual([6, '2026/01/02 12:00:00']);
	});

	it.each(['hang', 'status'] as const)(
		'a poll that receives no times in the other time zone (%s) fails and loses nothing',
		async (kind) => {
			const poller = await polling.begun(inTaipei);
			polling.passMinutes(1);
			change(5);
			polling.passMinutes(20);
			change(6);
			polling.endPollsAt(poller, asksForTimes, { kind, status: 503 });
			await expect(poller.poll()).rejects.toThrow('did not answer within');
			polling.endPollsNoMore(poller);
			const items = await poller.poll();
			expect(emittedChanges(items)).toEqual(['UPDATE 5', 'UPDATE 6']);
			expect(items[0]?.record).toMatchObject({ _update_date: '2026/01/31 17:31:00' });
		},
	);

	it('a watched field that changes while it is read is not stored as known', async () => {
		const poller = await polling.begun({ ...inTaipei, watchFields: [fields.remark] });
		polling.service.switches.filterLagMilliseconds = 60_000;
		polling.passMinutes(1);
		change(5);
		polling.passMinutes(1);
		meanwhile(() => {
			polling.passSeconds(1);
			polling.people.edit(orders, 5, { [fields.note]: 'hides it' });
		});
		expect(await poller.poll()).toEqual([]);
		polling.passMinutes(2);
		expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
	});

	it.each([[['CREATE', 'UPDATE'], ['UPDATE']]])(
		'a change during the read of a record that was emitted as created is emitted by a later poll: %j',
		async (events, last) => {
			const poller = await polling.begun({ ...inTaipei, events });
			polling.passMinutes(1);
			const { id } = polling.people.create(orders, { [fields.remark]: 'new' });
			expect(emittedChanges(await poller.poll())).toEqual([`CREATE ${id}`]);
			polling.service.switches.filterLagMilliseconds = 60_000;
			polling.passMinutes(1);
			change(id);
			polling.passMinutes(1);
			meanwhile(() => {
				polling.passSeconds(1);
				change(id, 'once more');
			});
			expect(await poller.poll()).toEqual([]);
			polling.passMinutes(2);
			expect(emittedChanges(await poller.poll())).toEqual(last.map((event) => `${event} ${id}`));
			expect(await poller.poll()).toEqual([]);
		},
	);
});

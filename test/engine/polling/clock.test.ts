import { orders, type SeenRequest } from '../../service';
import type { Poller } from '../runner';
import { emittedChanges, usePollingTestbed } from './pollingTestbed';

const polling = usePollingTestbed();
const { fields } = orders;
const hour = 60;

let edits = 0;

function edit(id: number): string {
	polling.people.edit(orders, id, { [fields.remark]: `change ${++edits}` });
	return `UPDATE ${id}`;
}

/** Changes a record every few minutes, and polls after each change. Returns the emitted and the expected changes. */
async function changesAndPolls(poller: Poller, count: number, minutes: number) {
	const [changes, emitted]: [string[], string[]] = [[], []];
	for (let each = 0; each < count; each++) {
		polling.passMinutes(minutes);
		changes.push(edit((each % 15) + 1));
		emitted.push(...emittedChanges(await poller.poll()));
	}
	for (let polls = 0; polls < 3; polls++) {
		polling.passMinutes(15);
		emitted.push(...emittedChanges(await poller.poll()));
	}
	return { changes: changes.sort(), emitted: emitted.sort() };
}

const setBackWords = 'Some changes have an earlier date than changes that were already returned';

describe("when the service's clock goes back, all changes are emitted once, and the log says so", () => {
	const filters = { conditions: [{ field: fields.remark, operator: 'like', value: 'chang' }] };

	it.each([
		{
			description: 'the account moves by 13 hours',
			back: 13 * hour,
			count: 15,
			minutes: 20,
			parameters: {},
		},
		{
			description: 'the account moves by 13 hours, with filters',
			back: 13 * hour,
			count: 15,
			minutes: 20,
			parameters: { filters },
		},
		{
			description: 'daylight saving time ends',
			back: hour,
			count: 15,
			minutes: 20,
			parameters: {},
		},
		{
			description: 'daylight saving time ends, at polls each minute',
			back: hour,
			count: 15,
			minutes: 1,
			parameters: { filters },
		},
		{
			description: 'the clock is set right by minutes',
			back: 20,
			count: 15,
			minutes: 1,
			parameters: {},
		},
	])(
		'a service clock that goes back loses and repeats no change, and the log reports it: $description',
		async ({ back, count, minutes, parameters }) => {
			const poller = await polling.begun(parameters);
			polling.passMinutes(minutes);
			const change = edit(5);
			expect(emittedChanges(await poller.poll())).toEqual([change]);
			polling.passMinutes(7);
			expect(await poller.poll()).toEqual([]);
			polling.setServiceBack(back);
			const { changes, emitted } = await changesAndPolls(poller, count, minutes);
			expect(emitted).toEqual(changes);
			expect(poller.printed.join('\n').includes(setBackWords)).toBe(true);
			const items = poller.executions.flatMap((execution) => execution.items);
			expect(items.filter(({ json }) => json._warning).map(({ json }) => json._warning)).toEqual([
				expect.stringContaining(setBackWords),
			]);
		},
	);
});

it('a clock that was set back is reported even if the filters find the change only some polls later', async () => {
	const poller = await polling.begun();
	polling.passMinutes(15);
	const change = edit(5);
	expect(emittedChanges(await poller.poll())).toEqual([change]);
	polling.passMinutes(8);
	expect(await poller.poll()).toEqual([]);
	polling.passMinutes(15);
	polling.setServiceBack(hour);
	polling.service.switches.filterLagMilliseconds = 120_000;
	const late = edit(6);
	polling.passSeconds(1);
	// This poll compares records, and finds the change without a filter.
	expect(await poller.poll()).toEqual([]);
	polling.passMinutes(1);
	expect(await poller.poll()).toEqual([]);
	polling.passMinutes(1);
	const items = await poller.poll();
	expect(emittedChanges(items)).toEqual([late]);
	expect(items[0]?._warning).toContain(setBackWords);
	expect(poller.printed.join('\n')).toContain(setBackWords);
});

it('a clock that was set back is reported beside a list of another sheet in the same poll', async () => {
	const poller = await polling.begun();
	polling.passMinutes(15);
	edit(5);
	await poller.poll();
	polling.passMinutes(15);
	polling.setServiceBack(hour);
	polling.service.switches.filterLagMilliseconds = 120_000;
	const late = edit(6);
	expect(await poller.poll()).toEqual([]);
	polling.passMinutes(16);
	const isComparison = ({ query }: SeenRequest) => query.some(([, value]) => value === '109,DESC');
	const dates = { _create_date: '2025/12/01 10:00:01', _update_date: '2026/01/31 09:40:00' };
	const body = JSON.stringify({ 901: { _svcId: 901, ...dates } });
	polling.service.faults.inject({ kind: 'body', body, when: isComparison });
	const items = await poller.poll();
	expect(emittedChanges(items)).toEqual([late]);
	expect(items[0]?._warning).toContain(setBackWords);
	expect(items[0]?._warning).toContain('records that are not on this sheet');
});

describe('unchanged records are not emitted', () => {
	const sheetOfOrders = () => polling.service.data.sheet(orders);
	const { subtables } = orders;

	it.each([
		{
			what: 'a field is renamed',
			change: () => {
				for (const field of sheetOfOrders().fields) {
					if (field.id === fields.status) field.name = 'State';
				}
			},
		},
		{
			what: 'a field of rows is renamed',
			change: () => {
				for (const subtable of sheetOfOrders().subtables) {
					if (subtable.id !== subtables.lines.id) continue;
					for (const field of subtable.fields) field.name += ' (new)';
				}
			},
		},
		{
			what: 'a field is deleted',
			change: () => {
				const all = sheetOfOrders().fields;
				all.splice(
					all.findIndex(({ id }) => id === fields.status),
					1,
				);
			},
		},
		{
			what: 'a formula returns another value',
			change: () => {
				for (const record of sheetOfOrders().records.values()) {
					record.values.set(fields.note, `made of the date of today ${record.id}`);
				}
			},
		},
	])(
		'unchanged records are not emitted when $what and no clock was set back',
		async ({ change }) => {
			const poller = await polling.begun();
			polling.passMinutes(1);
			const edited = edit(5);
			expect(emittedChanges(await poller.poll())).toEqual([edited]);
			polling.passMinutes(10);
			expect(await poller.poll()).toEqual([]);
			change();
			for (let minutes = 0; minutes < 40; minutes += 8) {
				polling.passMinutes(8);
				expect(await poller.poll()).toEqual([]);
			}
			const last = edit(6);
			expect(emittedChanges(await poller.poll())).toEqual([last]);
			expect(poller.printed.join('\n')).not.toContain(setBackWords);
		},
	);

	it('unchanged records are not emitted right after one of their fields is renamed', async () => {
		const poller = await polling.begun();
		polling.passMinutes(1);
		const edited = [edit(5), edit(6)];
		expect(emittedChanges(await poller.poll())).toEqual(edited);
		for (const field of sheetOfOrders().fields) field.name += ' (new)';
		polling.passMinutes(1);
		const last = edit(7);
		expect(emittedChanges(await poller.poll())).toEqual([last]);
	});
});

it('a record with a date one year ahead hides no change for longer than 15 minutes', async () => {
	const poller = await polling.begun();
	polling.passMinutes(1);
	edit(20);
	const record = polling.service.data.record(orders, 20);
	record.updated = { ...record.updated, at: record.updated.at + 365 * 24 * hour * 60_000 };
	expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 20']);
	polling.passMinutes(10);
	expect(await poller.poll()).toEqual([]);
	const { changes, emitted } = await changesAndPolls(poller, 10, 5);
	expect(emitted).toEqual(changes);
	polling.passMinutes(1);
	edit(7);
	expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 7']);
});

it('a sheet whose times are all returned shifted back emits nothing until a record changes', async () => {
	const poller = await polling.begun();
	polling.passMinutes(1);
	edit(5);
	expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
	polling.setServiceBack(13 * hour);
	for (const record of polling.service.data.sheet(orders).records.values()) {
		record.updated = { ...record.updated, at: record.updated.at - 13 * hour * 60_000 };
	}
	const { changes, emitted } = await changesAndPolls(poller, 5, 10);
	expect(emitted).toEqual(changes);
});

it('a change that the index returns after more than five minutes is emitted at the next comparison', async () => {
	const poller = await polling.begun();
	polling.passMinutes(1);
	edit(5);
	expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 5']);
	polling.service.switches.filterLagMilliseconds = 600_000;
	// Filters always find this record.
	polling.service.data.record(orders, 5).writtenAt -= 600_000;
	polling.passSeconds(20);
	edit(6);
	for (let minutes = 0; minutes < 10; minutes++) {
		polling.passMinutes(1);
		expect(await poller.poll()).toEqual([]);
	}
	polling.passMinutes(5);
	expect(emittedChanges(await poller.poll())).toEqual(['UPDATE 6']);
});

it('the comparison reads 500 records, and a record that is no longer among them is not a change', async () => {
	const sheet = polling.service.data.sheet(orders);
	const added = Array.from({ length: 600 }, (_, index) =>
		sheet.add({ at: Date.UTC(2026, 0, 30) + index * 1_000, user: 'anybody' }),
	);
	const poller = await polling.begun();
	polling.service.requests.forget();
	for (const record of added.slice(-50)) polling.people.delete(orders, record.id);
	polling.passMinutes(20);
	for (const record of added.slice(300, 320)) edit(record.id);
	expect(await poller.poll()).toHaveLength(20);
	const compares = ({ query }: SeenRequest) => query.some(([, value]) => value === '109,DESC');
	expect(polling.requests.filter(compares)).toHaveLength(1);
	for (const minutes of [20, 20]) {
		polling.passMinutes(minutes);
		expect(await poller.poll()).toEqual([]);
	}
	expect(poller.printed.join('\n')).not.toContain(setBackWords);
});

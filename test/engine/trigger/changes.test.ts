import { customers, orders } from '../../service';
import { eventOf, onOrder } from '../recordTestbed';
import type { TriggerListener } from '../runner';
import { useTriggerTestbed } from './triggerTestbed';

const trigger = useTriggerTestbed();
const { fields, subtables } = orders;
const { remark, status, reference } = fields;
const { lines } = subtables;

type People = typeof trigger.service.people;
/** Event and record IDs of each execution. */
type Told = Array<[event: string, ...recordIds: number[]]>;

/** Returns the events and record IDs of the executions. Fails if an item is not verified. */
async function emittedChanges(listener: TriggerListener): Promise<unknown[][]> {
	await trigger.service.webhooks.settled();
	await listener.settled();
	return listener.executions.map(({ items }) => {
		expect(items.map(({ json }) => json.verified)).toEqual(items.map(() => true));
		const events = new Set(items.map(({ json }) => json.event));
		return [...events, ...items.map(({ json }) => json.recordId)];
	});
}

describe('a change in the service', () => {
	const many = [30, 4, 1000, 2, 11, 10, 9];

	it.each<[what: string, change: (people: People) => unknown, expected: Told]>([
		['a new record', (people) => people.create(orders, {}), [['CREATE', 2501]]],
		['an edited record', (people) => people.edit(orders, 5, { [remark]: 'x' }), [['UPDATE', 5]]],
		[
			'a deleted record, and its restoration',
			(people) => [people.delete(orders, 5), people.restore(orders, 5)],
			[
				['DELETE', 5],
				['CREATE', 5],
			],
		],
		[
			'an edited list page, including its unchanged records',
			(people) => people.editOnListPage(orders, [1, 2, 3], { 2: { [remark]: 'new' } }),
			[
				['UPDATE', 1],
				['UPDATE', 2],
				['UPDATE', 3],
			],
		],
		[
			'a mass update: one execution, an item for each record, in the order of the delivery',
			(people) => people.massChange(orders, many, () => ({ [status]: 'Shipped' })),
			[['UPDATE', ...many]],
		],
		[
			'one on a related sheet does not',
			(people) => people.edit(customers, 5, { [customers.fields.city]: 'Oslo' }),
			[],
		],
	])('a change starts the workflow: %s', async (_what, change, expected) => {
		const listener = await trigger.subscribe();
		change(trigger.service.people);
		expect(await emittedChanges(listener)).toEqual(expected);
	});

	const remove = onOrder('delete', 5);

	it('a write through the API is emitted, also if the workflow itself sends it', async () => {
		const listener = await trigger.subscribe();
		await trigger.testbed.run(remove);
		expect(await emittedChanges(listener)).toEqual([['DELETE', 5]]);
	});
});

describe('the item of a changed record', () => {
	it('the item of a changed record has the content of the contract', async () => {
		const listener = await trigger.subscribe();
		const rows = trigger.service.data.record(orders, 7).rows(lines.id);
		rows.clear();
		rows.set(20, new Map([[lines.fields.article, 'Chair']]));
		rows.set(3, new Map([[lines.fields.article, 'Desk']]));
		trigger.service.people.edit(orders, 7, { [remark]: 'a/b </i> 😀 "q"' });
		await trigger.service.webhooks.settled();
		const items = await listener.items();
		expect(items).toEqual([
			eventOf(7, {
				record: expect.objectContaining({
					...{ _recordId: 7, _title: 'SO-00007' },
					...{ [reference]: 'REF-7', [remark]: 'a/b </i> 😀 "q"' },
				}),
			}),
		]);
		expect(items[0]).toHaveProperty(`record._subtable_${lines.id}`, [
			expect.objectContaining({ _rowId: 20, [lines.fields.article]: 'Chair' }),
			expect.objectContaining({ _rowId: 3, [lines.fields.article]: 'Desk' }),
		]);
	});

	it("the item of a changed record has the record ID also in Ragic's format", async () => {
		trigger.service.switches.dialect = 'ragic';
		const listener = await trigger.subscribe();
		trigger.service.people.edit(orders, 7, { [remark]: 'new' });
		expect(await emittedChanges(listener)).toEqual([['UPDATE', 7]]);
	});

	it('a late delivery has the content of the record at the time of sending', async () => {
		const listener = await trigger.listen();
		const { data, people } = trigger.service;
		data.record(orders, 5).set(remark, 'then');
		const late = trigger.body([5]);
		people.edit(orders, 5, { [remark]: 'now' });
		people.delete(orders, 5);
		expect((await listener.post(late)).status).toBe(200);
		const [item] = await listener.items();
		expect(item).toMatchObject({ event: 'UPDATE', recordId: 5, record: { [remark]: 'then' } });
	});
});

it('events that are not selected are answered with 200 and dropped', async () => {
	const listener = await trigger.subscribe({ events: ['DELETE'] });
	trigger.service.people.edit(orders, 5, { [remark]: 'new' });
	trigger.service.people.create(orders, {});
	trigger.service.people.delete(orders, 5);
	expect(await emittedChanges(listener)).toEqual([['DELETE', 5]]);
	const log = await trigger.service.webhooks.settled();
	expect(log.map(({ status: answered }) => answered)).toEqual([200, 200, 200]);
	// Their signature is checked, too.
	expect((await listener.post(trigger.body([6], 'CREATE', { signature: 'x' }))).status).toBe(401);
});

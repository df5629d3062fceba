import { customers, orders, recipes } from '../../service';
import { sheet } from '../recordTestbed';
import { useTriggerTestbed } from './triggerTestbed';

const trigger = useTriggerTestbed();
const { fields, subtables } = orders;
const { remark, status, reference } = fields;

/** What the workflow was told, as event and record id, one list for each execution. */
async function told(listener: Awaited<ReturnType<typeof trigger.listen>>): Promise<unknown[][]> {
	await trigger.service.webhooks.settled();
	await listener.settled();
	return listener.executions.map(({ items }) =>
		items.map(({ json }) => [json.event, json.recordId, json.verified]),
	);
}

describe('each kind of change starts the workflow', () => {
	it('a new record', async () => {
		const listener = await trigger.subscribe();
		const { id } = trigger.service.people.create(orders, { [reference]: 'NEW' });
		expect(await told(listener)).toEqual([[['CREATE', id, true]]]);
	});

	it('an edited record', async () => {
		const listener = await trigger.subscribe();
		trigger.service.people.edit(orders, 5, { [remark]: 'new' });
		expect(await told(listener)).toEqual([[['UPDATE', 5, true]]]);
	});

	it('a deleted record, and its restoration', async () => {
		const listener = await trigger.subscribe();
		trigger.service.people.delete(orders, 5);
		trigger.service.people.restore(orders, 5);
		expect(await told(listener)).toEqual([[['DELETE', 5, true]], [['CREATE', 5, true]]]);
	});

	it('an edited list page, with the rows that nobody changed', async () => {
		const listener = await trigger.subscribe();
		trigger.service.people.editOnListPage(orders, [1, 2, 3], { 2: { [remark]: 'new' } });
		expect(await told(listener)).toEqual([1, 2, 3].map((id) => [['UPDATE', id, true]]));
	});

	it('a mass update: one execution, an item for each record, in the order of the delivery', async () => {
		const listener = await trigger.subscribe();
		const recordIds = [30, 4, 1000, 2, 11, 10, 9];
		trigger.service.people.massChange(orders, recordIds, () => ({ [status]: 'Shipped' }));
		expect(await told(listener)).toEqual([recordIds.map((id) => ['UPDATE', id, true])]);
	});

	it('a mass update of a thousand records', async () => {
		const listener = await trigger.subscribe();
		const recordIds = Array.from({ length: 1000 }, (_, index) => 1500 - index);
		trigger.service.people.massChange(orders, recordIds, () => ({ [status]: 'Shipped' }));
		expect(await told(listener)).toEqual([recordIds.map((id) => ['UPDATE', id, true])]);
	});

	it('find and replace', async () => {
		const listener = await trigger.subscribe();
		trigger.service.people.replaceText(orders, reference, 'REF-12', 'REF-A');
		await trigger.service.webhooks.settled();
		const holding = [...trigger.service.data.sheet(orders).records.values()].filter((record) =>
			record.text(reference).startsWith('REF-A'),
		);
		expect(await told(listener)).toEqual([holding.map(({ id }) => ['UPDATE', id, true])]);
		expect(holding.length).toBeGreaterThan(10);
	});

	it('an import: what it created, and what it updated', async () => {
		const listener = await trigger.subscribe();
		trigger.service.people.importRows(orders, reference, [
			{ [reference]: 'REF-7', [remark]: 'imported' },
			{ [reference]: 'IMPORTED', [remark]: 'imported' },
		]);
		expect(await told(listener)).toEqual([[['CREATE', 2501, true]], [['UPDATE', 7, true]]]);
	});

	it('a write through the API, which may be the workflow itself', async () => {
		const listener = await trigger.subscribe();
		const orderSheet = sheet(orders);
		const update = { operation: 'update', inputMode: 'json', sheet: orderSheet };
		await trigger.testbed.run({
			...update,
			recordId: { __rl: true, mode: 'id', value: '5' },
			recordJson: JSON.stringify({ [remark]: 'by the API' }),
		});
		expect(await told(listener)).toEqual([[['UPDATE', 5, true]]]);
	});

	it('no write through the API where the service does not send them', async () => {
		trigger.service.switches.webhooksOfApiWrites = false;
		const listener = await trigger.subscribe();
		const recordId = { __rl: true, mode: 'id', value: '5' };
		await trigger.testbed.run({ operation: 'delete', sheet: sheet(orders), recordId });
		expect(await told(listener)).toEqual([]);
	});
});

describe('the item of a changed record', () => {
	it('holds what the contract says', async () => {
		const listener = await trigger.subscribe();
		trigger.service.data.record(orders, 7).rows(subtables.lines.id).clear();
		const rows = trigger.service.data.record(orders, 7).rows(subtables.lines.id);
		rows.set(20, new Map([[subtables.lines.fields.article, 'Chair']]));
		rows.set(3, new Map([[subtables.lines.fields.article, 'Desk']]));
		trigger.service.people.edit(orders, 7, { [remark]: 'a/b </i> 😀 "q"' });
		await trigger.service.webhooks.settled();
		const [item, ...others] = await listener.items();
		expect(others).toEqual([]);
		expect(item).toEqual({
			event: 'UPDATE',
			recordId: 7,
			account: 'acme',
			path: 'sales/orders',
			sheetIndex: 1,
			verified: true,
			record: expect.objectContaining({
				_recordId: 7,
				_title: 'SO-00007',
				_starred: false,
				[reference]: 'REF-7',
				[remark]: 'a/b </i> 😀 "q"',
			}),
		});
		expect(item).toHaveProperty(`record._subtable_${subtables.lines.id}`, [
			expect.objectContaining({ _rowId: 20, [subtables.lines.fields.article]: 'Chair' }),
			expect.objectContaining({ _rowId: 3, [subtables.lines.fields.article]: 'Desk' }),
		]);
	});

	it('holds the record as it was sent without Simplify', async () => {
		const listener = await trigger.subscribe({ options: { simplify: false } });
		trigger.service.people.edit(orders, 7, { [remark]: 'raw' });
		const [delivery] = await trigger.service.webhooks.settled();
		const sent: { data: unknown[] } = JSON.parse(delivery?.body ?? '');
		const [item] = await listener.items();
		expect(item?.record).toEqual(sent.data[0]);
	});

	it('names fields as a read by names does, which numbers a name that two of them have', async () => {
		const listener = await trigger.subscribe({ options: { fieldKeys: 'name' } });
		const notes = { [fields.note]: 'first', [fields.secondNote]: 'second' };
		trigger.service.people.edit(orders, 7, { [remark]: 'named', ...notes });
		await trigger.service.webhooks.settled();
		const [item] = await listener.items();
		expect(item).toHaveProperty('record.Remark', 'named');
		expect(item).toHaveProperty('record.Reference', 'REF-7');
		expect(item).toHaveProperty('record.Note', 'first');
		expect(item).toHaveProperty('record.Note2', 'second');
		expect(item).toHaveProperty(['record', `_subtable_${subtables.lines.id}`, '0', 'Article']);
	});

	it.each([true, false])(
		'has no ID in the record either when the delivery tells none: simplify %j',
		async (simplify) => {
			const listener = await trigger.listen({ verification: 'off', options: { simplify } });
			const delivery = {
				data: [{ [remark]: 'new' }],
				apname: 'acme',
				path: '/sales/orders',
				sheetIndex: 1,
				eventType: 'UPDATE',
			};
			expect((await listener.post(JSON.stringify(delivery))).status).toBe(200);
			const items = await listener.items();
			expect(items.map(({ recordId, record }) => ({ recordId, record }))).toEqual([
				{ recordId: null, record: { [remark]: 'new' } },
			]);
		},
	);

	it('keeps the ids when names are wanted but nobody tells them', async () => {
		const { switches, people, faults } = trigger.service;
		Object.assign(switches, { schema: 'http404', definition: 'http404' });
		faults.inject({
			kind: 'body',
			when: ({ path }) => path.endsWith('/sales/orders/1'),
			times: 9,
			body: '<html>',
		});
		const listener = await trigger.subscribe({ options: { fieldKeys: 'name' } });
		people.edit(orders, 8, { [remark]: 'unnamed' });
		await trigger.service.webhooks.settled();
		const [item] = await listener.items();
		expect(item).toHaveProperty(['record', remark], 'unnamed');
	});

	it('keeps all digits of long numbers', async () => {
		const { switches, people, webhooks } = trigger.service;
		switches.numbersAsText = false;
		const listener = await trigger.listen({ sheet: sheet(customers) });
		webhooks.register(customers, listener.url);
		const { creditLimit } = customers.fields;
		people.edit(customers, 3, { [creditLimit]: '12345678901234567890' });
		const [delivery] = await webhooks.settled();
		expect(delivery?.body).toContain(':12345678901234567890,');
		expect(await listener.items()).toEqual([
			expect.objectContaining({
				verified: true,
				record: expect.objectContaining({ [creditLimit]: '12345678901234567890' }),
			}),
		]);
	});

	it('may be record 0, of a sheet whose path must be encoded', async () => {
		const listener = await trigger.listen({ sheet: sheet(recipes) });
		trigger.service.webhooks.register(recipes, listener.url);
		trigger.service.people.edit(recipes, 0, { [recipes.fields.title]: 'Crêpes' });
		await trigger.service.webhooks.settled();
		expect(await listener.items()).toEqual([
			expect.objectContaining({ recordId: 0, path: 'küche/é t é', sheetIndex: 5, verified: true }),
		]);
	});

	it("takes the id in the deployed service's spelling", async () => {
		trigger.service.switches.dialect = 'ragic';
		const listener = await trigger.subscribe();
		trigger.service.people.edit(orders, 7, { [remark]: 'new' });
		expect(await told(listener)).toEqual([[['UPDATE', 7, true]]]);
	});
});

describe('the events', () => {
	it('that were not chosen are answered with 200 and dropped', async () => {
		const listener = await trigger.subscribe({ events: ['DELETE'] });
		trigger.service.people.edit(orders, 5, { [remark]: 'new' });
		trigger.service.people.create(orders, {});
		trigger.service.people.delete(orders, 5);
		expect(await told(listener)).toEqual([[['DELETE', 5, true]]]);
		const log = await trigger.service.webhooks.settled();
		expect(log.map(({ status: answered }) => answered)).toEqual([200, 200, 200]);
	});

	it('must be signed all the same', async () => {
		const listener = await trigger.listen({ events: ['DELETE'] });
		expect((await listener.post(trigger.body([5], 'CREATE', { signature: 'x' }))).status).toBe(401);
	});

	it('of no record start nothing', async () => {
		const listener = await trigger.listen();
		expect((await listener.post(trigger.body([]))).status).toBe(200);
		expect(listener.executions).toEqual([]);
	});
});

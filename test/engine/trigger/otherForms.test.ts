import { orders } from '../../service';
import { eventOf, numbers } from '../recordTestbed';
import type { TriggerListener } from '../runner';
import { useTriggerTestbed } from './triggerTestbed';

const trigger = useTriggerTestbed(30);
const { remark } = orders.fields;
const advice = "Tick 'Send full content of the changed record'";

/** Returns a delivery with this text as its data, in the recorded format: lower-case event, and the sheet index as text. */
function bodyOf(data: string, signature = trigger.service.webhooks.sign(data)): string {
	const envelope = { apname: 'acme', path: '/sales/orders', sheetIndex: '1', eventType: 'update' };
	return `{"data":${data},${JSON.stringify({ ...envelope, signature }).slice(1)}`;
}

async function itemsOf(listener: TriggerListener, body: string) {
	expect((await listener.post(body)).status).toBe(200);
	return await listener.items();
}

describe('a delivery with data in another form', () => {
	it.each([
		{
			what: 'one record',
			data: `{"${remark}":"x","_svcId":5}`,
			expected: [eventOf(5, { record: { _recordId: 5, [remark]: 'x' } })],
		},
		{
			what: 'records by ID',
			data: `{"5":{"${remark}":"x"},"6":{"${remark}":"y","_svcId":6}}`,
			expected: [
				eventOf(5, { record: { _recordId: 5, [remark]: 'x' } }),
				eventOf(6, { record: { _recordId: 6, [remark]: 'y' } }),
			],
		},
		{
			what: 'a record without an ID',
			data: `[{"${remark}":"x"}]`,
			expected: [eventOf(0, { recordId: null, record: { [remark]: 'x' } })],
		},
		{ what: 'no record', data: '{}', expected: [] },
	])(
		'is accepted as $what if it is signed, and rejected if it is not',
		async ({ data, expected }) => {
			const listener = await trigger.listen();
			expect(await itemsOf(listener, bodyOf(data))).toEqual(expected);
			expect((await listener.post(bodyOf(data, ''))).status).toBe(401);
			const signature = trigger.service.webhooks.sign(`[${data}]`);
			expect((await listener.post(bodyOf(data, signature))).status).toBe(401);
			expect(await listener.items()).toHaveLength(expected.length);
		},
	);
});

describe('a delivery with an event and only IDs', () => {
	const of = (recordIds: number[], verified: boolean) =>
		recordIds.map((recordId) => eventOf(recordId, { verified, record: null }));

	it('has no content, and is rejected if a signature is required', async () => {
		const listener = await trigger.listen();
		const answer = await listener.post(bodyOf('[2,4]', ''));
		expect(answer).toEqual({ status: 401, body: expect.stringContaining(advice) });
		expect(listener.executions).toEqual([]);
		expect(await itemsOf(listener, bodyOf('[2,4]'))).toEqual(of([2, 4], true));
	});

	it('is accepted without a signature if none is required and both event and sheet are selected', async () => {
		const verification = 'ifPresent';
		const listener = await trigger.listen({ verification });
		expect(await itemsOf(listener, bodyOf('[2,4]', ''))).toEqual(of([2, 4], false));
		const otherListener = await trigger.listen({ verification, events: ['CREATE'] });
		expect(await itemsOf(otherListener, bodyOf('[2,4]', ''))).toEqual([]);
		const elsewhere = bodyOf('[2,4]', '').replace('orders', 'customers');
		expect((await listener.post(elsewhere)).status).toBe(401);
		expect((await listener.post(bodyOf('[2,4]', 'x'))).status).toBe(401);
		expect(await listener.items()).toHaveLength(2);
	});

	it('is read with Fetch Record, and a missing record is dropped because the event is not a deletion', async () => {
		const options = { fetchRecord: true };
		const listener = await trigger.listen({ verification: 'ifPresent', options });
		trigger.service.data.record(orders, 2).set(remark, 'now');
		trigger.service.data.sheet(orders).records.delete(4);
		const [item, ...otherItems] = await itemsOf(listener, bodyOf('[2,4]', ''));
		expect(item).toMatchObject({ event: 'UPDATE', recordId: 2, record: { [remark]: 'now' } });
		expect(otherItems).toEqual([]);
	});
});

it('a record with only a ragicId has this ID in the usual format', async () => {
	const data = `[{"${remark}":"x","ragicId":5}]`;
	const simple = await trigger.listen();
	expect(await itemsOf(simple, bodyOf(data))).toEqual([
		eventOf(5, { record: { _recordId: 5, [remark]: 'x' } }),
	]);
	const raw = await trigger.listen({ options: { simplify: false, skipUnchanged: true } });
	expect(await itemsOf(raw, bodyOf(data))).toEqual([
		eventOf(5, { record: { _recordId: 5, [remark]: 'x', ragicId: 5 } }),
	]);
	expect(await itemsOf(raw, bodyOf(data))).toHaveLength(1);
});

it('a delivery of more than 100,000 records is accepted', async () => {
	// Listen to another event, because 100,001 items would take long.
	const listener = await trigger.listen({ events: ['DELETE'] });
	const data = numbers(100_001).map((id) => `{"_svcId":${id}}`);
	const answer = await listener.post(bodyOf(`[${data.join()}]`));
	expect(answer).toEqual({ status: 200, body: expect.stringContaining('Not one of the chosen') });
});

describe('a delivered record without field IDs', () => {
	const { status } = orders.fields;
	const open = { conditions: [{ field: status, operator: 'eq', value: 'Open' }] };
	const warning =
		"The delivered record has no field IDs, so 'Filters' was not applied to it and it counts as matching.";

	it.each([{}, { fetchRecord: true }])(
		'a deleted record of nothing but its ID matches the filters: options %p',
		async (options) => {
			const listener = await trigger.listen({ events: ['DELETE'], filters: open, options });
			await listener.post(trigger.readdressed([{ _ragicId: 987_654 }], 'DELETE'));
			const expected = { event: 'DELETE', recordId: 987_654 };
			expect(await listener.items()).toEqual([expect.objectContaining(expected)]);
		},
	);

	it('a record with names as keys matches the filters, with a warning, and one with IDs is compared', async () => {
		const listener = await trigger.listen({ filters: open });
		await listener.post(trigger.readdressed([{ _ragicId: 5, Status: 'Open' }]));
		await listener.post(trigger.readdressed([{ _ragicId: 6, [status]: 'Closed' }]));
		const items = await listener.items();
		expect(items).toMatchObject([{ recordId: 5, _warning: warning }]);
	});

	it.each(['skipUnchanged', 'skipRepeats'])(
		'updates of records of nothing but their IDs are not skipped: %s',
		async (option) => {
			const listener = await trigger.listen({ options: { [option]: true } });
			await listener.post(trigger.readdressed([{ _ragicId: 5 }]));
			await listener.post(trigger.readdressed([{ _ragicId: 5 }]));
			expect(await listener.items()).toHaveLength(2);
		},
	);
});

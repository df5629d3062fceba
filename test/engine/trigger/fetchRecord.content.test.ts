import { customers, orders } from '../../service';
import type { TriggerListener } from '../runner';
import { useTriggerTestbed } from './triggerTestbed';

const trigger = useTriggerTestbed();
const { fields } = orders;
const fetching = { options: { fetchRecord: true } };

type Event = 'CREATE' | 'UPDATE' | 'DELETE';

/** Data of somebody's choosing with the service's signature, readdressed to the sheet of orders. */
function readdressed(
	data: Array<Record<string, string | number>>,
	event: Event = 'UPDATE',
): string {
	const others = { apname: 'acme', path: '/sales/orders', sheetIndex: 1, eventType: event };
	return trigger.service.webhooks.signedBody(data, others);
}

/** Requests to the account, not those for the public key. */
const reads = () => trigger.service.requests.all().filter(({ path }) => path.startsWith('/acme'));

async function remarks(listener: TriggerListener): Promise<unknown[]> {
	const items = await listener.items();
	return items.map(({ recordId, record }) => [recordId, Object(record)[fields.remark]]);
}

function numbers(count: number, from = 1): number[] {
	return Array.from({ length: count }, (_, index) => from + index);
}

describe('a full delivery with fetchRecord', () => {
	it('is a nudge only: nothing of a readdressed delivery with a valid signature reaches the workflow', async () => {
		const listener = await trigger.listen(fetching);
		const data = [5, 999_999].map((id) => ({
			_svcId: id,
			_index_title_: 'Mallory',
			[fields.remark]: 'pay Mallory',
			'1999999': 'Mallory',
		}));
		trigger.service.data.record(orders, 5).set(fields.remark, 'own');
		for (const event of ['CREATE', 'UPDATE'] as const) {
			expect((await listener.post(readdressed(data, event))).status).toBe(200);
		}
		expect(await remarks(listener)).toEqual([
			[5, 'own'],
			[5, 'own'],
		]);
		expect(listener.recorded).not.toContain('Mallory');
	});

	it('of another sheet, readdressed, starts nothing where the sheet holds no such record', async () => {
		const listener = await trigger.listen(fetching);
		const { data, webhooks } = trigger.service;
		data.record(orders, 3).set(fields.remark, 'own');
		const customersSheet = data.sheet(customers);
		const records = [3].map((id) => customersSheet.record(id));
		const asOrders = { path: '/sales/orders', sheetIndex: 1 };
		data.sheet(orders).records.delete(3);
		await listener.post(webhooks.body(customersSheet, 'UPDATE', records, asOrders));
		expect(listener.executions).toEqual([]);
	});

	it('yields the record as the sheet holds it, with the event of the delivery', async () => {
		const listener = await trigger.listen(fetching);
		trigger.service.data.record(orders, 5).set(fields.remark, 'then');
		const late = trigger.body([5]);
		trigger.service.data.record(orders, 5).set(fields.remark, 'now');
		expect((await listener.post(late)).status).toBe(200);
		expect(await listener.items()).toEqual([
			{
				event: 'UPDATE',
				recordId: 5,
				account: 'acme',
				path: 'sales/orders',
				sheetIndex: 1,
				verified: true,
				record: expect.objectContaining({ _recordId: 5, [fields.remark]: 'now' }),
			},
		]);
		expect(reads().map(({ rawUrl, identity }) => [rawUrl, identity])).toEqual([
			['/acme/sales/orders/1/5?api&naming=EID&version=2025-01-01', 'member'],
		]);
	});

	it('has the names of fields on request, from the same reading', async () => {
		const options = { fetchRecord: true, fieldKeys: 'name' };
		const listener = await trigger.listen({ options });
		await listener.post(trigger.body([7]));
		const [item] = await listener.items();
		expect(item).toHaveProperty('record.Reference', 'REF-7');
		expect(reads()).toHaveLength(1);
	});

	it('tells a deletion of a record that is gone, and of no other', async () => {
		const listener = await trigger.listen(fetching);
		const deletion = trigger.body([5, 6], 'DELETE');
		trigger.service.data.sheet(orders).records.delete(5);
		await listener.post(deletion);
		const gone = { event: 'DELETE', recordId: 5, deleted: true, record: null };
		expect(await listener.items()).toEqual([expect.objectContaining(gone)]);
	});

	it('drops records without an ID, and those that came twice', async () => {
		const listener = await trigger.listen(fetching);
		await listener.post(readdressed([{ '512': 'x' }, { _svcId: 5 }, { _svcId: '05' }]));
		expect((await listener.items()).map(({ recordId }) => recordId)).toEqual([5]);
		expect(reads()).toHaveLength(1);
	});

	it('tells of a record that cannot be read, why, and nothing that only the delivery says', async () => {
		const listener = await trigger.listen(fetching);
		trigger.service.faults.inject({
			kind: 'body',
			when: ({ path }) => path.endsWith('/5'),
			times: 2,
			body: '{"status":"ERROR","code":106,"msg":"No access right."}',
		});
		await listener.post(trigger.body([5], 'DELETE'));
		expect(await listener.items()).toEqual([
			expect.objectContaining({
				event: null,
				recordId: 5,
				record: null,
				unreadable: expect.stringContaining('No access right'),
			}),
		]);
	});

	it('must be signed all the same, and for this sheet', async () => {
		const listener = await trigger.listen(fetching);
		expect((await listener.post(trigger.body([5], 'UPDATE', { signature: 'x' }))).status).toBe(401);
		expect((await listener.post(trigger.body([5], 'UPDATE', { apname: 'x' }))).status).toBe(401);
		expect(reads()).toEqual([]);
	});

	it('of an event that was not chosen is not read, and what it says is not remembered', async () => {
		const options = { fetchRecord: true, skipUnchanged: true, skipRepeats: true };
		const listener = await trigger.listen({ events: ['UPDATE'], options });
		trigger.service.data.record(orders, 5).set(fields.remark, 'next');
		await listener.post(trigger.body([5], 'CREATE'));
		expect(reads()).toEqual([]);
		await listener.post(trigger.body([5]));
		expect(await remarks(listener)).toEqual([[5, 'next']]);
	});

	it('is compared by what was read', async () => {
		const options = { fetchRecord: true, skipUnchanged: true };
		const listener = await trigger.listen({ options });
		for (const text of ['forged', 'forged anew']) {
			await listener.post(readdressed([{ _svcId: 5, [fields.remark]: text }]));
		}
		trigger.service.data.record(orders, 5).set(fields.remark, 'changed');
		await listener.post(readdressed([{ _svcId: 5, [fields.remark]: 'forged anew' }]));
		expect(await listener.items()).toHaveLength(2);
	});
});

describe('fetchRecord of many records', () => {
	it('takes one request for those that were just changed together', async () => {
		const listener = await trigger.subscribe(fetching);
		const recordIds = [30, 4, 1000, 2, 11, 10, 9, 8, 1500, 77, 5, 6];
		trigger.service.people.massChange(orders, recordIds, ({ id }) => ({
			[fields.remark]: `changed ${id}`,
		}));
		await trigger.service.webhooks.settled();
		expect(await remarks(listener)).toEqual(recordIds.map((id) => [id, `changed ${id}`]));
		expect(reads().map(({ rawUrl }) => rawUrl)).toEqual([
			'/acme/sales/orders/1?api&order=109%2CDESC&naming=EID&version=2025-01-01&limit=24&offset=0',
		]);
	});

	it('takes two or three for more than a thousand', async () => {
		const listener = await trigger.subscribe({ options: { fetchRecord: true, fieldKeys: 'name' } });
		const recordIds = numbers(1_200, 900).reverse();
		trigger.service.people.massChange(orders, recordIds, ({ id }) => ({
			[fields.remark]: `changed ${id}`,
		}));
		await trigger.service.webhooks.settled();
		const items = await listener.items();
		expect(items.map(({ recordId, record }) => [recordId, Object(record).Remark])).toEqual(
			recordIds.map((id) => [id, `changed ${id}`]),
		);
		expect(reads().length).toBeLessThanOrEqual(3);
	});

	it('reads one by one what the list does not tell: others were changed since, or one is gone', async () => {
		const listener = await trigger.listen(fetching);
		const recordIds = numbers(20);
		const { people, data } = trigger.service;
		people.massChange(orders, recordIds.slice(0, 15), () => ({ [fields.remark]: 'x' }));
		const body = trigger.body(recordIds);
		data.sheet(orders).records.delete(4);
		await listener.post(body);
		const told = (await listener.items()).map(({ recordId }) => recordId);
		expect(told).toEqual(recordIds.filter((id) => id !== 4));
		expect(reads().length).toBeLessThan(10);
	});

	it('reads them one by one where the list is refused', async () => {
		const listener = await trigger.listen(fetching);
		trigger.service.faults.inject({
			kind: 'body',
			when: ({ path }) => path.endsWith('/orders/1'),
			times: 99,
			body: '{"status":"ERROR","code":201,"msg":"Invalid order."}',
		});
		await listener.post(trigger.body(numbers(12)));
		expect((await listener.items()).map(({ recordId }) => recordId)).toEqual(numbers(12));
		expect(reads()).toHaveLength(13);
	});

	it('ends after a hundred requests, with a word in the log, however many records a delivery names', async () => {
		const listener = await trigger.listen(fetching);
		const foreign = numbers(3_000, 100_000).map((id) => ({ _svcId: id, '512': 'x' }));
		expect((await listener.post(readdressed(foreign))).status).toBe(200);
		expect(listener.executions).toEqual([]);
		expect(reads()).toHaveLength(100);
		expect(listener.printed.filter((line) => line.includes('2901 records'))).toHaveLength(1);
	});

	it('takes nothing for an ID that no record has', async () => {
		const listener = await trigger.listen({ verification: 'off', ...fetching });
		await listener.post(`["${'9'.repeat(30)}"]`);
		expect(await listener.items()).toEqual([expect.objectContaining({ deleted: true })]);
		expect(reads()).toEqual([]);
	});
});

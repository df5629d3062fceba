import { orders } from '../../service';
import { eventOf, numbers } from '../recordTestbed';
import { remarksOf, useTriggerTestbed } from './triggerTestbed';

const trigger = useTriggerTestbed();
const { remark } = orders.fields;
const fetching = { options: { fetchRecord: true } };

const isRead = ({ path }: { path: string }) => path.startsWith('/acme');
const readOf = (id: number) => `/acme/sales/orders/1/${id}?api&naming=EID&version=2025-01-01`;

/** Starts a trigger that receives deliveries with only IDs, as the sheet's webhook sends them by default. */
async function subscribeToIds(options: Record<string, boolean | string> = { fetchRecord: true }) {
	return await trigger.subscribe({ verification: 'ifPresent', options }, { fullContent: false });
}

const changed = (recordIds: number[]) => recordIds.map((id) => [id, `of ${id}`]);

it('a delivery of IDs is emitted as items with the IDs, regardless of the records', async () => {
	const listener = await subscribeToIds({});
	await trigger.changeTogether([30, 4, 1000]);
	const untold = { event: null, verified: false, record: null };
	const expected = [30, 4, 1000].map((recordId) => eventOf(recordId, untold));
	expect(await listener.items()).toEqual(expected);
	expect(trigger.service.requests.count).toBe(0);
});

describe('Fetch Record for deliveries of IDs', () => {
	it('Fetch Record reads the records one by one, in the order of the delivery', async () => {
		const listener = await subscribeToIds();
		await trigger.changeTogether([30, 4, 1000]);
		expect(await remarksOf(listener)).toEqual(changed([30, 4, 1000]));
		expect(
			trigger.reads.map(({ rawUrl, inFlightAtStart, identity }) => [
				rawUrl,
				inFlightAtStart,
				identity,
			]),
		).toEqual([30, 4, 1000].map((id) => [readOf(id), 0, 'member']));
	});

	it('Fetch Record emits a missing record as deleted', async () => {
		const listener = await subscribeToIds();
		trigger.service.people.delete(orders, 5);
		await trigger.service.webhooks.settled();
		expect(await listener.items()).toEqual([
			expect.objectContaining({ recordId: 5, deleted: true, record: null }),
		]);
	});

	it('Fetch Record does not emit a deletion if a proxy answers with a web page', async () => {
		const listener = await subscribeToIds();
		trigger.service.faults.inject({
			kind: 'status',
			status: 404,
			when: ({ path }) => path.endsWith('/5'),
			body: '<html><title>No route</title></html>',
		});
		await listener.post('[5]');
		const [item] = await listener.items();
		expect(item).toMatchObject({ recordId: 5, unreadable: expect.stringContaining('web page') });
		expect(item).not.toHaveProperty('deleted');
	});

	it('Fetch Record emits an unreadable record with the reason, and continues', async () => {
		const listener = await subscribeToIds();
		trigger.refuseToRead(6);
		await listener.post('[5,6,7]');
		const items = await listener.items();
		expect(items.map(({ recordId }) => recordId)).toEqual([5, 6, 7]);
		expect(items[1]).toMatchObject({
			record: null,
			unreadable: expect.stringContaining('No access right'),
		});
		expect(items[1]).not.toHaveProperty('deleted');
		expect(items[2]).not.toHaveProperty('unreadable');
	});
});

describe('Fetch Record for deliveries with content', () => {
	it('Fetch Record emits no content of a readdressed delivery with a valid signature', async () => {
		const listener = await trigger.listen(fetching);
		const data = [5, 999_999].map((id) => ({
			_svcId: id,
			_index_title_: 'Mallory',
			[remark]: 'pay Mallory',
			'1999999': 'Mallory',
		}));
		trigger.service.data.record(orders, 5).set(remark, 'own');
		for (const event of ['CREATE', 'UPDATE'] as const) {
			expect((await listener.post(trigger.readdressed(data, event))).status).toBe(200);
		}
		expect(await remarksOf(listener)).toEqual([
			[5, 'own'],
			[5, 'own'],
		]);
		expect(listener.recorded).not.toContain('Mallory');
	});

	it('Fetch Record emits the current record, with the event of the delivery', async () => {
		const listener = await trigger.listen(fetching);
		trigger.service.data.record(orders, 5).set(remark, 'then');
		const late = trigger.body([5]);
		trigger.service.data.record(orders, 5).set(remark, 'now');
		expect((await listener.post(late)).status).toBe(200);
		const record = expect.objectContaining({ _recordId: 5, [remark]: 'now' });
		expect(await listener.items()).toEqual([eventOf(5, { record, _source: 'service' })]);
		expect(trigger.reads.map(({ rawUrl }) => rawUrl)).toEqual([readOf(5)]);
	});

	it('Fetch Record emits the deletion of a missing record, and of no other', async () => {
		const listener = await trigger.listen(fetching);
		const deletion = trigger.body([5, 6], 'DELETE');
		trigger.service.data.sheet(orders).records.delete(5);
		await listener.post(deletion);
		const gone = { event: 'DELETE', recordId: 5, deleted: true, record: null };
		expect(await listener.items()).toEqual([expect.objectContaining(gone)]);
	});

	it.each([1, 12])(
		'Fetch Record emits the deletion of the last records of a sheet: %s',
		async (count) => {
			const listener = await trigger.listen(fetching);
			const deletion = trigger.body(numbers(count), 'DELETE');
			trigger.service.data.sheet(orders).records.clear();
			await listener.post(deletion);
			const items = await listener.items();
			expect(items.map(({ recordId, deleted }) => [recordId, deleted])).toEqual(
				numbers(count).map((id) => [id, true]),
			);
		},
	);

	it('Fetch Record does not emit the deletion of a record that did not match the filters', async () => {
		const conditions = [{ field: remark, operator: 'eq', value: 'wanted' }];
		const listener = await trigger.listen({ ...fetching, filters: { conditions } });
		trigger.service.data.record(orders, 5).set(remark, 'wanted');
		trigger.service.data.record(orders, 6).set(remark, 'other');
		const deletion = trigger.body([5, 6], 'DELETE');
		for (const id of [5, 6]) trigger.service.data.sheet(orders).records.delete(id);
		await listener.post(deletion);
		expect((await listener.items()).map(({ recordId }) => recordId)).toEqual([5]);
	});

	it('Fetch Record drops records without an ID, and duplicates', async () => {
		const listener = await trigger.listen(fetching);
		await listener.post(trigger.readdressed([{ '512': 'x' }, { _svcId: 5 }, { _svcId: '05' }]));
		expect((await listener.items()).map(({ recordId }) => recordId)).toEqual([5]);
		expect(trigger.reads).toHaveLength(1);
	});

	it('Fetch Record emits an unreadable record as delivered, with the reason', async () => {
		const options = { fetchRecord: true, fieldKeys: 'name' };
		const listener = await trigger.listen({ options });
		trigger.refuseToRead(5);
		await listener.post(trigger.body([5]));
		expect(await listener.items()).toEqual([
			expect.objectContaining({
				event: 'UPDATE',
				recordId: 5,
				verified: true,
				record: expect.objectContaining({ _recordId: 5, Reference: 'REF-5' }),
				unreadable: expect.stringContaining('No access right'),
			}),
		]);
	});

	it('with Output Record, the reason is a key that writes leave out', async () => {
		const listener = await trigger.listen({ options: { fetchRecord: true, output: 'record' } });
		trigger.refuseToRead(5);
		await listener.post(trigger.body([5]));
		const [item] = await listener.items();
		expect(item?._unreadable).toContain('No access right');
		expect(item).not.toHaveProperty('unreadable');
	});

	it('Fetch Record emits deleted records as delivered while the service finds no records at all', async () => {
		const listener = await trigger.listen(fetching);
		trigger.service.faults.inject({ kind: 'body', body: '{}', times: Infinity, when: isRead });
		for (const recordIds of [[5], numbers(200)]) await listener.post(trigger.body(recordIds));
		trigger.service.faults.clear();
		const items = await listener.items();
		expect(items.map(({ recordId }) => recordId)).toEqual([5, ...numbers(200)]);
		expect(new Set(items.map(({ unreadable }) => unreadable))).toEqual(
			new Set(['The service found no record at all']),
		);
	});

	it('Fetch Record emits a missing record as delivered if the list that shows other records fails', async () => {
		const listener = await trigger.listen(fetching);
		const failure = '{"status":"ERROR","code":202,"msg":"No."}';
		const isSingle = ({ path }: { path: string }) => path.endsWith('/5');
		trigger.service.faults.inject({ kind: 'body', body: '{}', when: isSingle });
		trigger.service.faults.inject({ kind: 'body', body: failure, when: isRead });
		await listener.post(trigger.body([5]));
		expect(await listener.items()).toMatchObject([
			{ recordId: 5, unreadable: 'The service found no record at all' },
		]);
	});

	it('Fetch Record does not read or store a delivery of an event that is not selected', async () => {
		const options = { fetchRecord: true, skipUnchanged: true, skipRepeats: true };
		const listener = await trigger.listen({ events: ['UPDATE'], options });
		trigger.service.data.record(orders, 5).set(remark, 'next');
		await listener.post(trigger.body([5], 'CREATE'));
		expect(trigger.reads).toEqual([]);
		await listener.post(trigger.body([5]));
		expect(await remarksOf(listener)).toEqual([[5, 'next']]);
	});

	it('Fetch Record compares the fetched record', async () => {
		const listener = await trigger.listen({ options: { fetchRecord: true, skipUnchanged: true } });
		for (const text of ['forged', 'forged anew']) {
			await listener.post(trigger.readdressed([{ _svcId: 5, [remark]: text }]));
		}
		trigger.service.data.record(orders, 5).set(remark, 'changed');
		await listener.post(trigger.readdressed([{ _svcId: 5, [remark]: 'forged anew' }]));
		expect(await listener.items()).toHaveLength(2);
	});
});

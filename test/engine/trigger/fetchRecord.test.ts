import { orders } from '../../service';
import { useTriggerTestbed } from './triggerTestbed';

const trigger = useTriggerTestbed();
const { fields } = orders;

/** A trigger that takes deliveries of ids, as the sheet's settings without the checkbox send them. */
async function subscribe(options: Record<string, boolean | string> = { fetchRecord: true }) {
	return await trigger.subscribe({ verification: 'ifPresent', options }, { fullContent: false });
}

describe('a delivery of ids', () => {
	it('becomes items with the ids, whatever happened to the records', async () => {
		const listener = await subscribe({});
		trigger.service.people.massChange(orders, [30, 4, 1000], () => ({}));
		await trigger.service.webhooks.settled();
		expect(await listener.items()).toEqual(
			[30, 4, 1000].map((recordId) => ({
				event: null,
				recordId,
				account: 'acme',
				path: 'sales/orders',
				sheetIndex: 1,
				verified: false,
				record: null,
			})),
		);
		expect(trigger.service.requests.count).toBe(0);
	});

	it('becomes one item for each record, even when an id is there twice', async () => {
		const listener = await subscribe({ fetchRecord: true });
		await listener.post('[5,"5",6,5]');
		expect((await listener.items()).map(({ recordId }) => recordId)).toEqual([5, 6]);
		expect(trigger.testbed.reads).toHaveLength(2);
	});

	it('of none starts nothing', async () => {
		const listener = await subscribe();
		expect((await listener.post('[]')).status).toBe(200);
		expect(listener.executions).toEqual([]);
	});
});

describe('fetchRecord', () => {
	it('reads the records one after another, in the order of the delivery', async () => {
		const listener = await subscribe();
		trigger.service.people.massChange(orders, [30, 4, 1000], ({ id }) => ({
			[fields.remark]: `changed ${id}`,
		}));
		await trigger.service.webhooks.settled();
		const items = await listener.items();
		expect(items.map(({ recordId }) => recordId)).toEqual([30, 4, 1000]);
		for (const { recordId, record } of items) {
			expect(record).toMatchObject({
				_recordId: recordId,
				[fields.remark]: `changed ${String(recordId)}`,
			});
		}
		expect(trigger.testbed.reads.map(({ rawUrl }) => rawUrl)).toEqual(
			[30, 4, 1000].map((id) => `/acme/sales/orders/1/${id}?api&naming=EID&version=2025-01-01`),
		);
		expect(trigger.testbed.reads.map(({ inFlightAtStart }) => inFlightAtStart)).toEqual([0, 0, 0]);
		expect(trigger.testbed.reads.map(({ identity }) => identity)).toEqual(Array(3).fill('member'));
	});

	it('keeps to the pace of the credential', async () => {
		const { sheetRecordsApi } = trigger.credentials();
		const credentials = { sheetRecordsApi: { ...sheetRecordsApi, requestsPerSecond: 4 } };
		const options = { fetchRecord: true };
		const listener = await trigger.listen({ verification: 'off', options }, { credentials });
		await listener.post('[1,2,3,4,5,6]');
		const times = trigger.testbed.reads.map(({ at }) => at);
		expect(times).toHaveLength(6);
		// Four a second: the fifth begins a second after the first. A slow arrival of the first hides some of it.
		expect(Number(times[4]) - Number(times[0])).toBeGreaterThan(500);
	});

	it.each(['empty', 'code404', 'http404'] as const)(
		'tells of a record that is gone: the service answers %s',
		async (missingRecord) => {
			trigger.service.switches.missingRecord = missingRecord;
			const listener = await subscribe();
			trigger.service.people.delete(orders, 5);
			await trigger.service.webhooks.settled();
			expect(await listener.items()).toEqual([
				expect.objectContaining({ recordId: 5, deleted: true, record: null }),
			]);
		},
	);

	it('does not call a record gone because somebody on the way answers with a page', async () => {
		const listener = await subscribe();
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

	it('tells of a record that cannot be read, why, and goes on', async () => {
		const listener = await subscribe();
		trigger.service.faults.inject({
			kind: 'body',
			when: ({ path }) => path.endsWith('/6'),
			times: 2,
			body: '{"status":"ERROR","code":106,"msg":"No access right."}',
		});
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

	it('keeps a record apart that nobody may read at all', async () => {
		const credentials = trigger.credentials('outsider');
		const options = { fetchRecord: true };
		const listener = await trigger.listen({ verification: 'off', options }, { credentials });
		await listener.post('[5]');
		expect(await listener.items()).toEqual([
			expect.objectContaining({ recordId: 5, unreadable: expect.any(String) }),
		]);
	});

	it('reads names as keys on request', async () => {
		const listener = await subscribe({ fetchRecord: true, fieldKeys: 'name' });
		await listener.post('[7]');
		const [item] = await listener.items();
		expect(item).toHaveProperty('record.Reference', 'REF-7');
		expect(trigger.testbed.reads.map(({ rawUrl }) => rawUrl)).toEqual([
			'/acme/sales/orders/1/7?api&naming=FNAME&version=2025-01-01',
		]);
	});

	it('reads again after the service asked for patience', async () => {
		const listener = await subscribe();
		trigger.service.faults.inject({ kind: 'status', status: 429, headers: { 'retry-after': '0' } });
		await listener.post('[7]');
		const [item] = await listener.items();
		expect(item).toHaveProperty('record._recordId', 7);
	});

	it('renews a session that has ended', async () => {
		const credentials = trigger.testbed.sessionCredentials();
		const options = { fetchRecord: true };
		const own = { authentication: 'session', verification: 'off', options };
		const listener = await trigger.listen(own, { credentials });
		await listener.post('[7]');
		trigger.service.expireSessions();
		await listener.post('[8]');
		const items = await listener.items();
		expect(items.map(({ record }) => record)).toEqual([
			expect.objectContaining({ _recordId: 7 }),
			expect.objectContaining({ _recordId: 8 }),
		]);
		expect(trigger.testbed.logins).toHaveLength(2);
	});
});

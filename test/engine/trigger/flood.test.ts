import { amount } from '../../amount';
import type { TriggerListener } from '../runner';
import { usedHeap } from '../usedHeap';
import { passMinutes, useFreshTriggerTestbed } from './triggerTestbed';

const trigger = useFreshTriggerTestbed();

let forgeries = 0;
const first = amount(100, 1_000);
const more = amount(200, 2_000);

/** Forged deliveries, each of them another one. */
async function flood(listener: TriggerListener, count: number): Promise<Map<number, number>> {
	const statuses = new Map<number, number>();
	for (let sent = 0; sent < count; sent += 50) {
		const answers = await Promise.all(
			Array.from({ length: 50 }, async () => await listener.post(forged())),
		);
		for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
	}
	return statuses;
}

function forged(): string {
	forgeries += 1;
	const bytes = Buffer.alloc(256, String(forgeries));
	return JSON.stringify({
		data: [{ _svcId: forgeries, '1000001': `forged/${forgeries} <é>` }],
		apname: 'acme',
		path: '/sales/orders',
		sheetIndex: 1,
		eventType: 'UPDATE',
		signature: bytes.toString('base64'),
	});
}

describe(`${first + 2 * more} forged deliveries`, () => {
	it('start nothing, cost the service one key a minute, and n8n no memory', async () => {
		const listener = await trigger.listen({ options: { skipRepeats: true, skipUnchanged: true } });
		await flood(listener, first);
		// Five in reserve, for when the key changes meanwhile.
		expect(trigger.keyRequests).toHaveLength(6);

		const before = usedHeap();
		expect(await flood(listener, more)).toEqual(new Map([[401, more]]));
		expect(trigger.keyRequests).toHaveLength(6);
		passMinutes(1);
		expect(await flood(listener, more)).toEqual(new Map([[401, more]]));
		expect(trigger.keyRequests).toHaveLength(7);
		// Each kept delivery would be a kilobyte or more.
		expect(usedHeap() - before).toBeLessThan(Math.max(2_000_000, more * 1_000));

		expect(listener.executions).toEqual([]);
		expect(listener.failures).toEqual([]);
		expect(listener.staticData).toEqual({});
		expect(trigger.service.requests.all()).toHaveLength(7);
		expect((await listener.post(trigger.body([5]))).status).toBe(200);
	}, 180_000);
});

it('a forged delivery as large as n8n lets in is refused, and the next one is taken', async () => {
	const listener = await trigger.listen();
	const long = forged().replace('forged/', 'é</'.repeat(4_000_000));
	expect((await listener.post(long)).status).toBe(401);
	expect((await listener.post(trigger.body([5]))).status).toBe(200);
});

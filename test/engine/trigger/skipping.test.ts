import { orders } from '../../service';
import type { TriggerListener } from '../runner';
import { useTriggerTestbed } from './triggerTestbed';

const trigger = useTriggerTestbed();
const { remark } = orders.fields;

type Told = [event: 'CREATE' | 'UPDATE' | 'DELETE', recordId: number, remark: string];

/** Sends deliveries, each with the records given, and answers which remarks started the workflow. */
async function after(listener: TriggerListener, ...deliveries: Told[][]): Promise<string[][]> {
	const before = listener.executions.length;
	for (const delivery of deliveries) {
		const [event = 'UPDATE'] = delivery.map(([kind]) => kind);
		const data = delivery.map(([, id, text]) => ({ _svcId: id, [remark]: text, '512': 'r' }));
		const answer = await listener.post(bodyOf(data, event));
		expect(answer.status).toBe(200);
	}
	return listener.executions
		.slice(before)
		.map(({ items }) =>
			items.map(
				({ json }) => `${String(json.event)} ${String(json.recordId)} ${remarkOf(json.record)}`,
			),
		);
}

function bodyOf(data: Array<Record<string, string | number>>, event: Told[0]): string {
	const others = { apname: 'acme', path: '/sales/orders', sheetIndex: 1, eventType: event };
	return trigger.service.webhooks.signedBody(data, others);
}

function remarkOf(record: unknown): string {
	return typeof record === 'object' && record !== null ? String(Reflect.get(record, remark)) : '';
}

const unchanged = { options: { skipUnchanged: true } };
const repeats = { options: { skipRepeats: true } };

describe('without options', () => {
	it('every delivery starts the workflow, and nothing is remembered', async () => {
		const listener = await trigger.listen();
		expect(await after(listener, [['UPDATE', 1, 'A']], [['UPDATE', 1, 'A']])).toEqual([
			['UPDATE 1 A'],
			['UPDATE 1 A'],
		]);
		expect(listener.staticData).toEqual({});
	});
});

describe('skipUnchanged', () => {
	it('drops the rows of a list page that nobody changed', async () => {
		const listener = await trigger.subscribe(unchanged);
		const shown = [1, 2, 3, 4];
		trigger.service.people.editOnListPage(orders, shown, {});
		trigger.service.people.editOnListPage(orders, shown, { 3: { [remark]: 'new' } });
		await trigger.service.webhooks.settled();
		const items = await listener.items();
		expect(items.map(({ recordId }) => recordId)).toEqual([1, 2, 3, 4, 3]);
		expect(items[4]).toHaveProperty(['record', remark], 'new');
	});

	it('drops them from a delivery of many, too, and keeps the order of the others', async () => {
		const listener = await trigger.listen(unchanged);
		await after(listener, [
			['UPDATE', 3, 'A'],
			['UPDATE', 1, 'A'],
			['UPDATE', 2, 'A'],
		]);
		expect(
			await after(listener, [
				['UPDATE', 3, 'B'],
				['UPDATE', 1, 'A'],
				['UPDATE', 2, 'B'],
			]),
		).toEqual([['UPDATE 3 B', 'UPDATE 2 B']]);
	});

	it('keeps a change back to what was before: A → B → A', async () => {
		const listener = await trigger.listen(unchanged);
		const told = await after(
			listener,
			...['A', 'B', 'A', 'A', 'B'].map((text): Told[] => [['UPDATE', 1, text]]),
		);
		expect(told).toEqual([['UPDATE 1 A'], ['UPDATE 1 B'], ['UPDATE 1 A'], ['UPDATE 1 B']]);
	});

	it('keeps a change back within one delivery', async () => {
		const listener = await trigger.listen(unchanged);
		await after(listener, [['UPDATE', 1, 'A']]);
		expect(
			await after(listener, [
				['UPDATE', 1, 'B'],
				['UPDATE', 1, 'A'],
			]),
		).toEqual([['UPDATE 1 B', 'UPDATE 1 A']]);
	});

	it('knows records apart when they interleave', async () => {
		const listener = await trigger.listen(unchanged);
		const told = await after(
			listener,
			[['UPDATE', 1, 'A']],
			[['UPDATE', 2, 'A']],
			[['UPDATE', 1, 'A']],
			[['UPDATE', 2, 'B']],
			[['UPDATE', 1, 'A']],
			[['UPDATE', 2, 'B']],
		);
		expect(told).toEqual([['UPDATE 1 A'], ['UPDATE 2 A'], ['UPDATE 2 B']]);
	});

	it('does not mind when a record was saved, nor the order of its keys', async () => {
		const listener = await trigger.listen(unchanged);
		const bodies = [
			bodyOf(
				[{ _svcId: 1, '109': '2026/01/01 10:00:00', _update_date: 'x', a: 'same', b: 1 }],
				'UPDATE',
			),
			bodyOf(
				[{ b: 1, a: 'same', '109': '2026/01/02 11:00:00', _update_date: 'y', _svcId: 1 }],
				'UPDATE',
			),
		];
		for (const body of bodies) await listener.post(body);
		expect(listener.executions).toHaveLength(1);
	});

	it('never drops new, deleted or restored records', async () => {
		const listener = await trigger.listen(unchanged);
		const told = await after(
			listener,
			[['CREATE', 1, 'A']],
			[['UPDATE', 1, 'A']],
			[['DELETE', 1, 'A']],
			[['CREATE', 1, 'A']],
			[['DELETE', 1, 'A']],
			[['UPDATE', 1, 'A']],
		);
		expect(told).toEqual([
			['CREATE 1 A'],
			['DELETE 1 A'],
			['CREATE 1 A'],
			['DELETE 1 A'],
			['UPDATE 1 A'],
		]);
	});

	it('compares with what an event that was not chosen said', async () => {
		const listener = await trigger.listen({ ...unchanged, events: ['UPDATE'] });
		const told = await after(
			listener,
			[['CREATE', 1, 'A']],
			[['UPDATE', 1, 'A']],
			[['UPDATE', 1, 'B']],
		);
		expect(told).toEqual([['UPDATE 1 B']]);
	});

	it('remembers over a restart of n8n', async () => {
		const listener = await trigger.listen(unchanged);
		await after(listener, [['UPDATE', 1, 'A']], [['UPDATE', 2, 'A']]);
		await listener.restart();
		expect(await after(listener, [['UPDATE', 1, 'A']], [['UPDATE', 2, 'B']])).toEqual([
			['UPDATE 2 B'],
		]);
	});

	it('remembers so many records and no more: the oldest start the workflow once more', async () => {
		const listener = await trigger.listen(unchanged);
		const many = (from: number, to: number) =>
			Array.from({ length: to - from }, (_, index): Told => ['UPDATE', from + index, 'A']);
		await after(listener, many(1, 2001));
		const length = listener.staticDataLength;
		expect(await after(listener, many(1, 2001))).toEqual([]);
		await after(listener, many(2001, 6001));
		expect(listener.staticDataLength).toBeLessThan(length * 1.1);
		expect(length).toBeLessThan(400_000);
		expect(await after(listener, many(5999, 6001), many(1, 2))).toEqual([['UPDATE 1 A']]);
	});

	it('keeps nothing readable of the records', async () => {
		const listener = await trigger.listen(unchanged);
		await after(listener, [['UPDATE', 1, 'a remark of somebody']]);
		expect(JSON.stringify(listener.staticData)).toContain('"recordId":"1"');
		expect(JSON.stringify(listener.staticData)).not.toContain('somebody');
	});

	it('remembers nothing that was refused', async () => {
		const listener = await trigger.listen(unchanged);
		const forged = bodyOf([{ _svcId: 1, [remark]: 'A', '512': 'r' }], 'UPDATE').replace(
			'"A"',
			'"B"',
		);
		expect((await listener.post(forged)).status).toBe(401);
		expect(listener.staticData).toEqual({});
	});

	it('works for records that were fetched, and for one that was gone in between', async () => {
		const options = { fetchRecord: true, skipUnchanged: true };
		const listener = await trigger.listen({ verification: 'off', options });
		for (let count = 0; count < 2; count++) await listener.post('[5]');
		trigger.service.people.delete(orders, 5);
		await listener.post('[5]');
		trigger.service.people.restore(orders, 5);
		await listener.post('[5]');
		expect((await listener.items()).map(({ deleted = false }) => deleted)).toEqual([
			false,
			true,
			false,
		]);
	});
});

describe('skipRepeats', () => {
	it('drops a delivery that was taken already', async () => {
		const listener = await trigger.listen(repeats);
		const delivery: Told[] = [
			['UPDATE', 1, 'A'],
			['UPDATE', 2, 'A'],
		];
		expect(await after(listener, delivery, delivery, delivery)).toEqual([
			['UPDATE 1 A', 'UPDATE 2 A'],
		]);
	});

	it('drops it after deliveries of other records', async () => {
		const listener = await trigger.listen(repeats);
		expect(
			await after(listener, [['CREATE', 1, 'A']], [['CREATE', 2, 'B']], [['CREATE', 1, 'A']]),
		).toEqual([['CREATE 1 A'], ['CREATE 2 B']]);
	});

	it('drops it after a restart of n8n', async () => {
		const listener = await trigger.listen(repeats);
		await after(listener, [['DELETE', 1, 'A']]);
		await listener.restart();
		expect(await after(listener, [['DELETE', 1, 'A']])).toEqual([]);
	});

	it('keeps a change back to what was before: A → B → A', async () => {
		const listener = await trigger.listen(repeats);
		const told = await after(
			listener,
			...['A', 'B', 'A'].map((text): Told[] => [['UPDATE', 1, text]]),
		);
		expect(told).toEqual([['UPDATE 1 A'], ['UPDATE 1 B'], ['UPDATE 1 A']]);
	});

	it('keeps a delivery in which any record is another', async () => {
		const listener = await trigger.listen(repeats);
		await after(listener, [
			['UPDATE', 1, 'A'],
			['UPDATE', 2, 'A'],
		]);
		expect(
			await after(listener, [
				['UPDATE', 1, 'A'],
				['UPDATE', 2, 'B'],
			]),
		).toEqual([['UPDATE 1 A', 'UPDATE 2 B']]);
	});

	it('keeps another event with the same content', async () => {
		const listener = await trigger.listen(repeats);
		expect(
			await after(listener, [['CREATE', 1, 'A']], [['UPDATE', 1, 'A']], [['DELETE', 1, 'A']]),
		).toEqual([['CREATE 1 A'], ['UPDATE 1 A'], ['DELETE 1 A']]);
	});

	it('keeps a second deletion after a restoration that was not chosen', async () => {
		const listener = await trigger.listen({ ...repeats, events: ['DELETE'] });
		expect(
			await after(listener, [['DELETE', 1, 'A']], [['CREATE', 1, 'A']], [['DELETE', 1, 'A']]),
		).toEqual([['DELETE 1 A'], ['DELETE 1 A']]);
	});

	it('keeps an update whose content is the same but saved later', async () => {
		const listener = await trigger.listen(repeats);
		for (const time of ['10:00:00', '11:00:00', '11:00:00']) {
			await listener.post(bodyOf([{ _svcId: 1, '109': `2026/01/01 ${time}` }], 'UPDATE'));
		}
		expect(listener.executions).toHaveLength(2);
	});

	it('keeps records without an id', async () => {
		const listener = await trigger.listen(repeats);
		const body = bodyOf([{ [remark]: 'A' }], 'UPDATE');
		for (let count = 0; count < 2; count++) await listener.post(body);
		expect((await listener.items()).map(({ recordId }) => recordId)).toEqual([null, null]);
	});
});

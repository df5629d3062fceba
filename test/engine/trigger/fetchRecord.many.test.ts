import { orders } from '../../service';
import { numbers } from '../recordTestbed';
import { remarksOf, useTriggerTestbed } from './triggerTestbed';

const trigger = useTriggerTestbed();
const fetching = { options: { fetchRecord: true } };
const changed = (recordIds: number[]) => recordIds.map((id) => [id, `of ${id}`]);

describe('Fetch Record for many records', () => {
	it('reads many records with one request', async () => {
		const listener = await trigger.subscribe(fetching);
		const recordIds = [30, 4, 1000, 2, 11, 10, 9, 8, 1500, 77, 5, 6];
		await trigger.changeTogether(recordIds);
		expect(await remarksOf(listener)).toEqual(changed(recordIds));
		expect(trigger.reads).toHaveLength(1);
	});

	it('drops records that the sheet does not have with few requests, regardless of their number', async () => {
		const listener = await trigger.listen(fetching);
		const foreign = numbers(3_000, 100_000).map((id) => ({ _svcId: id, '512': 'x' }));
		expect((await listener.post(trigger.readdressed(foreign))).status).toBe(200);
		expect(listener.executions).toEqual([]);
		expect(trigger.reads.length).toBeLessThan(20);
	});

	it('confirms the deletion of many records with one list of IDs, and drops existing records', async () => {
		const listener = await trigger.listen(fetching);
		const recordIds = numbers(300);
		const body = trigger.body(recordIds, 'DELETE');
		for (const id of recordIds.slice(1)) trigger.service.data.sheet(orders).records.delete(id);
		await listener.post(body);
		const items = await listener.items();
		expect(items.map(({ recordId, deleted }) => [recordId, deleted])).toEqual(
			recordIds.slice(1).map((id) => [id, true]),
		);
		expect(trigger.reads.length).toBeLessThan(15);
	});

	it.each([
		{ event: 'UPDATE', emitted: numbers(8, 13) },
		{ event: 'DELETE', emitted: numbers(12) },
	] as const)(
		'a list that fails proves no record to be missing: $event',
		async ({ event, emitted }) => {
			const listener = await trigger.listen(fetching);
			const body = trigger.body(numbers(20), event);
			for (const id of numbers(12)) trigger.service.data.sheet(orders).records.delete(id);
			const isList = ({ path }: { path: string }) =>
				path.endsWith(`/${orders.path}/${orders.index}`);
			trigger.service.faults.inject({ kind: 'status', status: 503, times: Infinity, when: isList });
			await listener.post(body);
			trigger.service.faults.clear();
			expect((await listener.items()).map(({ recordId }) => recordId)).toEqual(emitted);
		},
	);

	it('emits unreadable records as delivered during an outage, after few requests', async () => {
		const listener = await trigger.listen(fetching);
		const recordIds = numbers(300);
		const when = ({ path }: { path: string }) => path.startsWith('/acme');
		trigger.service.faults.inject({ kind: 'status', status: 503, times: Infinity, when });
		await listener.post(trigger.body(recordIds));
		const items = await listener.items();
		expect(items.map(({ recordId }) => recordId)).toEqual(recordIds);
		for (const { record, unreadable } of items) {
			expect(unreadable).toEqual(expect.any(String));
			expect(record).toHaveProperty('_recordId');
		}
		trigger.service.faults.clear();
		expect(trigger.reads.length).toBeLessThan(40);
	});
});

import { empty, orders, tasks } from '../../service';
import type { Fault } from '../../service';
import { recordId, sheet, sheetAt, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();

const deleteOrder = {
	operation: 'delete',
	sheet: sheet(orders),
	recordId: recordId('={{ $json.id }}'),
};

const has = (id: number) => testbed.service.data.sheet(orders).records.has(id);

it('deletes the record of each item', async () => {
	const result = await testbed.run(deleteOrder, [{ id: 12 }, { id: '300' }]);
	expect(result.items).toEqual([
		{ json: { deleted: true, _recordId: 12 }, pairedItem: { item: 0 } },
		{ json: { deleted: true, _recordId: 300 }, pairedItem: { item: 1 } },
	]);
	expect(testbed.service.requests.all().map(({ method, rawUrl }) => [method, rawUrl])).toEqual([
		['DELETE', '/acme/sales/orders/1/12?api'],
		['DELETE', '/acme/sales/orders/1/300?api'],
	]);
	expect([has(12), has(300), has(13)]).toEqual([false, false, true]);
	expect(testbed.service.data.sheet(orders).records.size).toBe(298);
});

it('takes sheets and addresses that differ from item to item, and record 0', async () => {
	testbed.service.data.sheet(empty).add({ at: 0, user: 'max.member@acme.example' });
	const address = `${testbed.service.baseUrl}/acme/archive/2024/tasks/7/40?PAGEID=x`;
	const result = await testbed.run({ ...deleteOrder, sheet: sheetAt('={{ $json.sheet }}') }, [
		{ sheet: 'sales/empty/9', id: 0 },
		{ sheet: 'archive/2024/tasks/7', id: address },
	]);
	expect(result.items.map(({ json }) => json)).toEqual([
		{ deleted: true, _recordId: 0 },
		{ deleted: true, _recordId: 40 },
	]);
	expect(testbed.service.data.sheet(empty).records.size).toBe(0);
	expect(testbed.service.data.sheet(tasks).records.has(40)).toBe(false);
});

it('is content with a record that is not there, unless the service is not', async () => {
	testbed.service.switches.deleteMessage = 'Moved to the recycle bin';
	const result = await testbed.run(deleteOrder, [{ id: 99999 }]);
	expect(result.items).toEqual([
		{ json: { deleted: true, _recordId: 99999 }, pairedItem: { item: 0 } },
	]);
	testbed.service.switches.missingDelete = 'code404';
	const { error } = await testbed.run(deleteOrder, [{ id: 99999 }]);
	expect(error?.message).toContain('Record not found');
});

describe('an answer without a status', () => {
	beforeEach(() => (testbed.service.switches.deletionAnswer = 'messageOnly'));

	it('is taken for done when the record is gone', async () => {
		const result = await testbed.run(deleteOrder, [{ id: 12 }]);
		expect(result.items.map(({ json }) => json)).toEqual([{ deleted: true, _recordId: 12 }]);
		expect(has(12)).toBe(false);
		expect(testbed.reads.map(({ path }) => path)).toEqual(['/acme/sales/orders/1/12']);
		expect(testbed.writes).toHaveLength(1);
	});

	it.each<[string, Fault[]]>([
		['is there', []],
		['cannot be looked for', [{ kind: 'status', status: 404, body: '<html>' }]],
	])('is an error when the record %s', async (_, faults) => {
		const body = '{"msg":"It could not be moved.","ragicId":12}';
		testbed.service.faults.inject({ kind: 'body', body });
		for (const fault of faults) testbed.service.faults.inject(fault);
		const result = await testbed.run(deleteOrder, [{ id: 12 }]);
		expect(result.error?.message).toMatch(/did not confirm the change: It could not be moved/);
		expect(testbed.writes).toHaveLength(1);
	});
});

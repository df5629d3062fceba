import { empty, orders, tasks } from '../../service';
import type { Fault, SeenRequest } from '../../service';
import { errorsOf, linksOf, recordId, sheet, sheetAt, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();

const deleteOrder = {
	operation: 'delete',
	sheet: sheet(orders),
	recordId: recordId('={{ $json.id }}'),
};

const has = (id: number) => testbed.service.data.sheet(orders).records.has(id);

const isDeletionOf =
	(id: number) =>
	({ method, path }: SeenRequest) =>
		method === 'DELETE' && path.endsWith(`/${id}`);

const strike = (id: number, fault: Fault) =>
	testbed.service.faults.inject({ ...fault, when: isDeletionOf(id) });

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

it('is content when the service is content with a record that is not there', async () => {
	testbed.service.switches.deleteMessage = 'Moved to the recycle bin';
	const result = await testbed.run(deleteOrder, [{ id: 99999 }]);
	expect(result.items).toEqual([
		{ json: { deleted: true, _recordId: 99999 }, pairedItem: { item: 0 } },
	]);
});

it('refuses what is no record before anything is sent for it', async () => {
	const wrong = ['', 'SO-00012', '-1', '1.5', `${testbed.service.baseUrl}/acme/sales/orders/1`];
	const items = [{ id: 12 }, ...wrong.map((id) => ({ id }))];
	const result = await testbed.run(deleteOrder, items, { onError: 'continueErrorOutput' });
	expect(linksOf(result.errorItems)).toEqual(wrong.map((_, index) => ({ item: index + 1 })));
	expect(testbed.service.requests.count).toBe(1);
});

it('anything but a confirmation is an error, and nothing is sent twice', async () => {
	testbed.service.switches.missingDelete = 'code404';
	const body = (text: string): Fault => ({ kind: 'body', body: text });
	const unknown = /It is not known whether the change was made/;
	const faults: Array<[id: number, Fault, RegExp, isLeft: boolean]> = [
		[11, body('{"status":"ERROR","code":201,"msg":"Parameters"}'), /Parameters/, true],
		[12, body('{"status":"INVALID","code":202,"msg":"Linked"}'), /Linked/, true],
		[13, body('{"status":"PENDING"}'), /PENDING/, true],
		[14, body('{}'), /did not confirm/, true],
		[15, { kind: 'resetAfterWork' }, unknown, false],
		[16, { kind: 'status', status: 503 }, unknown, true],
		// What the service itself says.
		[99_999, { kind: 'hang', times: 0 }, /Record not found/, false],
	];
	for (const [id, fault] of faults) strike(id, { times: Infinity, ...fault });
	const items = faults.map(([id]) => ({ id }));
	const result = await testbed.run(deleteOrder, items, { onError: 'continueErrorOutput' });
	expect(errorsOf(result.errorItems)).toEqual(
		faults.map(([, , told], item) => [expect.stringMatching(told), { item }]),
	);
	expect(faults.map(([id]) => has(id))).toEqual(faults.map(([, , , isLeft]) => isLeft));
	expect(testbed.writes).toHaveLength(faults.length);
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

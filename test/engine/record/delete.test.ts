import { empty, orders, tasks } from '../../service';
import type { Fault } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed({ demoRecords: 2_500 });

const deleteOrder = {
	operation: 'delete',
	sheet: sheet(orders),
	recordId: recordId('={{ $json.id }}'),
};
const unknown = 'It is not known whether the change was made';

const has = (id: number) => testbed.service.data.sheet(orders).records.has(id);

it('deletes the record of each item', async () => {
	const result = await testbed.run(deleteOrder, [{ id: 12 }, { id: '2500' }]);
	expect(result.items).toEqual([
		{ json: { deleted: true, _recordId: 12 }, pairedItem: { item: 0 } },
		{ json: { deleted: true, _recordId: 2500 }, pairedItem: { item: 1 } },
	]);
	expect(testbed.service.requests.all().map(({ method, rawUrl }) => [method, rawUrl])).toEqual([
		['DELETE', '/acme/sales/orders/1/12?api'],
		['DELETE', '/acme/sales/orders/1/2500?api'],
	]);
	expect([has(12), has(2500), has(13)]).toEqual([false, false, true]);
	expect(testbed.service.data.sheet(orders).records.size).toBe(2498);
});

it('takes sheets and addresses that differ from item to item, and record 0', async () => {
	testbed.service.data.sheet(empty).add({ at: 0, user: 'max.member@acme.example' });
	const result = await testbed.run(
		{
			operation: 'delete',
			sheet: { __rl: true, mode: 'path', value: '={{ $json.sheet }}' },
			recordId: recordId('={{ $json.id }}'),
		},
		[
			{ sheet: 'sales/empty/9', id: 0 },
			{
				sheet: 'archive/2024/tasks/7',
				id: `${testbed.service.baseUrl}/acme/archive/2024/tasks/7/40?PAGEID=x`,
			},
		],
	);
	expect(result.items.map(({ json }) => json)).toEqual([
		{ deleted: true, _recordId: 0 },
		{ deleted: true, _recordId: 40 },
	]);
	expect(testbed.service.data.sheet(empty).records.size).toBe(0);
	expect(testbed.service.data.sheet(tasks).records.has(40)).toBe(false);
});

it('is content when the service is content with a record that is not there', async () => {
	const result = await testbed.run(deleteOrder, [{ id: 99999 }]);
	expect(result.items).toEqual([
		{ json: { deleted: true, _recordId: 99999 }, pairedItem: { item: 0 } },
	]);
});

it('passes on that a record is not there when the service says so', async () => {
	testbed.service.switches.missingDelete = 'code404';
	const result = await testbed.run(deleteOrder, [{ id: 99999 }, { id: 12 }], {
		onError: 'continueErrorOutput',
	});
	expect(result.errorItems).toEqual([
		expect.objectContaining({
			json: expect.objectContaining({
				id: 99999,
				error: expect.stringContaining('Record not found'),
			}),
			pairedItem: { item: 0 },
		}),
	]);
	expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
	expect(has(12)).toBe(false);
});

it('takes an answer with a message for a deletion', async () => {
	testbed.service.switches.deleteMessage = 'Moved to the recycle bin';
	const result = await testbed.run(deleteOrder, [{ id: 12 }]);
	expect(result.items[0]?.json).toMatchObject({ deleted: true, _recordId: 12 });
});

it.each(['', 'SO-00012', '-1', '1.5', 'https://localhost/acme/sales/orders/1'])(
	'refuses %j for a record before anything is sent',
	async (id) => {
		const result = await testbed.run(deleteOrder, [{ id: 12 }, { id }]);
		expect(result.status).toBe('error');
		expect(result.error).toMatchObject({ context: { itemIndex: 1 } });
		expect(testbed.service.requests.count).toBe(1);
		expect(testbed.service.data.sheet(orders).records.size).toBe(2499);
	},
);

it.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
	'goes on after a refusal with %s',
	async (onError) => {
		testbed.service.faults.inject({
			kind: 'body',
			body: '{"status":"ERROR","code":106,"msg":"No access right."}',
			times: 2,
			when: ({ path }) => path.endsWith('/13'),
		});
		const result = await testbed.run(deleteOrder, [{ id: 12 }, { id: 13 }, { id: 14 }], {
			onError,
		});
		const apart = onError === 'continueErrorOutput';
		const failed = apart ? result.errorItems[0] : result.items[1];
		expect(failed?.pairedItem).toEqual({ item: 1 });
		expect(failed?.json).toEqual(
			apart
				? { id: 13, error: expect.stringMatching(/No access right\..*\bcode 106\b/i) }
				: {
						error: expect.stringContaining('No access right'),
						details: expect.objectContaining({ code: 106, msg: 'No access right.' }),
					},
		);
		expect([has(12), has(13), has(14)]).toEqual([false, true, false]);
	},
);

it.each([
	['{"status":"ERROR","code":201,"msg":"Parameters"}', /Parameters/],
	['{"status":"INVALID","code":202,"msg":"Linked"}', /Linked/],
	['{"status":"PENDING"}', /PENDING/],
	['{}', /did not confirm/],
])('takes %s for an error', async (body, message) => {
	testbed.service.faults.inject({ kind: 'body', body });
	const result = await testbed.run(deleteOrder, [{ id: 12 }]);
	expect(result.status).toBe('error');
	expect(result.error?.message).toMatch(message);
	expect(testbed.writes).toHaveLength(1);
});

it.each<[string, Fault, boolean]>([
	['reset', { kind: 'reset' }, true],
	['resetAfterWork', { kind: 'resetAfterWork' }, false],
	['truncate', { kind: 'truncate' }, false],
	['HTTP 500', { kind: 'status', status: 500 }, true],
	['HTTP 503', { kind: 'status', status: 503 }, true],
	['a web page', { kind: 'body', body: '<html></html>' }, true],
])('is sent once after %s, its outcome is unknown', async (_, fault, isLeft) => {
	testbed.service.faults.inject({ ...fault, times: Infinity });
	const result = await testbed.run(deleteOrder, [{ id: 12 }]);
	expect(result.status).toBe('error');
	expect(result.error?.description).toContain(unknown);
	expect(testbed.writes).toHaveLength(1);
	expect(has(12)).toBe(isLeft);
});

it('is sent again when it was refused at the door', async () => {
	const headers = { 'retry-after': '0' };
	testbed.service.faults.inject({ kind: 'status', status: 429, headers });
	const body = '{"status":"ERROR","code":204,"msg":"Too frequent"}';
	testbed.service.faults.inject({ kind: 'body', body, headers });
	const result = await testbed.run(deleteOrder, [{ id: 12 }]);
	expect(result.items[0]?.json).toEqual({ deleted: true, _recordId: 12 });
	expect(testbed.writes).toHaveLength(3);
});

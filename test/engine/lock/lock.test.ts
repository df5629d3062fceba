import { orders, type SeenRequest } from '../../service';
import { asJson } from '../record/recordValues';
import { onOrder, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();

const lock = (operation: string) => ({ resource: 'lock', ...onOrder(operation) });
const update = { ...onOrder('update'), ...asJson({ [orders.fields.remark]: 'changed' }) };
const checked = { ...update, options: { checkLock: true } };
const four = [{ id: 4 }];

const isLocked = (id: number) => testbed.order(id).locked;
const remark = () => testbed.order(4).text(orders.fields.remark);

it.each(['lock', 'unlock'])('%s is applied to the record of each item', async (operation) => {
	const locked = operation === 'lock';
	for (const id of [4, 5]) testbed.order(id).locked = !locked;
	const result = await testbed.run(lock(operation), [{ id: 4 }, { id: 5 }]);
	expect(result.items).toEqual([
		{ json: { _recordId: 4, locked }, pairedItem: { item: 0 } },
		{ json: { _recordId: 5, locked }, pairedItem: { item: 1 } },
	]);
	expect([isLocked(4), isLocked(5), isLocked(43)]).toEqual([locked, locked, true]);
	expect(testbed.writes.map(({ method, rawUrl, body }) => [method, rawUrl, body])).toEqual(
		[4, 5].map((id) => ['POST', `/acme/sales/orders/1/${id}?api&${operation}`, undefined]),
	);
});

it('a locked record makes Check Lock reject the next update, which names the operation that unlocks', async () => {
	await testbed.run(lock('lock'), four);
	const before = remark();
	const { error } = await testbed.runById(checked, four);
	expect(error?.message).toContain('Record locked');
	expect(error?.description).toContain("the operation 'Unlock' of the resource 'Lock'");
	expect(error?.context).toMatchObject({ itemIndex: 0 });
	expect(remark()).toBe(before);

	await testbed.run(lock('unlock'), four);
	expect((await testbed.runById(checked, four)).status).toBe('success');
	expect(remark()).toBe('changed');
});

it('the error for a user who may only read is reported', async () => {
	const { error } = await testbed.run(lock('lock'), four, testbed.as('reader'));
	expect(error?.message).toContain('No access right');
	expect(isLocked(4)).toBe(false);
});

it.each(['{}', '{"status":"ERROR","code":202,"msg":"no"}', '[]', '{"status":"DONE"}'])(
	'only SUCCESS confirms the change of a lock: %s',
	async (body) => {
		testbed.inject({ kind: 'body', body });
		expect((await testbed.run(lock('lock'), four)).status).toBe('error');
		expect(testbed.writes).toHaveLength(1);
	},
);

it.each([{ 111: '1' }, { 111: 'Yes' }, { 111: 'true' }, { _locked: true }])(
	'words that something was not found count as done if the record shows it: %j',
	async (shown) => {
		const isRead = ({ method }: SeenRequest) => method === 'GET';
		for (const [operation, status] of [
			['lock', 'success'],
			['unlock', 'error'],
		] as const) {
			const body = JSON.stringify({ status: 'SUCCESS', msg: 'Record not found' });
			testbed.inject({ kind: 'body', body, when: (request) => !isRead(request) });
			testbed.inject({ kind: 'body', body: JSON.stringify({ 4: shown }), when: isRead });
			expect((await testbed.run(lock(operation), four)).status).toBe(status);
		}
	},
);

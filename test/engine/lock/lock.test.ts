import { orders } from '../../service';
import { asJson } from '../record/recordValues';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();

const onOrder = (operation: string) => ({
	resource: 'lock',
	operation,
	sheet: sheet(orders),
	recordId: recordId('={{ $json.order }}'),
});
const update = {
	operation: 'update',
	sheet: sheet(orders),
	recordId: recordId('={{ $json.order }}'),
	...asJson({ [orders.fields.remark]: 'changed' }),
};
const checked = { ...update, options: { checkLock: true } };

const isLocked = (id: number) => testbed.service.data.record(orders, id).locked;
const remark = (id: number) => testbed.service.data.record(orders, id).text(orders.fields.remark);

it.each([
	['lock', true],
	['unlock', false],
])('%s does so to the record of each item', async (operation, locked) => {
	for (const id of [4, 5]) testbed.service.data.record(orders, id).locked = !locked;
	const result = await testbed.run(onOrder(operation), [{ order: 4 }, { order: 5 }]);
	expect(result.items).toEqual([
		{ json: { _recordId: 4, locked }, pairedItem: { item: 0 } },
		{ json: { _recordId: 5, locked }, pairedItem: { item: 1 } },
	]);
	expect([isLocked(4), isLocked(5), isLocked(43)]).toEqual([locked, locked, true]);
	expect(testbed.writes.map(({ method, rawUrl, body }) => [method, rawUrl, body])).toEqual([
		['POST', `/acme/sales/orders/1/4?api&${operation}`, undefined],
		['POST', `/acme/sales/orders/1/5?api&${operation}`, undefined],
	]);
});

it('lets Check Lock refuse the next update, which names the operation that unlocks', async () => {
	await testbed.run(onOrder('lock'), [{ order: 4 }]);
	const before = remark(4);
	const refused = await testbed.run(checked, [{ order: 4 }]);
	expect(refused.status).toBe('error');
	expect(refused.error?.message).toContain('Record locked');
	expect(refused.error?.description).toContain("the operation 'Unlock' of the resource 'Lock'");
	expect(refused.error?.context).toMatchObject({ itemIndex: 0 });
	expect(remark(4)).toBe(before);

	await testbed.run(onOrder('unlock'), [{ order: 4 }]);
	expect((await testbed.run(checked, [{ order: 4 }])).status).toBe('success');
	expect(remark(4)).toBe('changed');
});

it('passes on the refusal of a user who may only read', async () => {
	const credentials = testbed.credentials('reader');
	const { error } = await testbed.run(onOrder('lock'), [{ order: 4 }], { credentials });
	expect(error?.message).toContain('No access right');
	expect(isLocked(4)).toBe(false);
});

it.each(['{}', '{"status":"ERROR","code":202,"msg":"no"}', '[]', '{"status":"DONE"}'])(
	'takes nothing but SUCCESS for done: %s',
	async (body) => {
		testbed.service.faults.inject({ kind: 'body', body });
		expect((await testbed.run(onOrder('lock'), [{ order: 4 }])).status).toBe('error');
		expect(testbed.writes).toHaveLength(1);
	},
);

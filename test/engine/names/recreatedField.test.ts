import { orders } from '../../service';
import { asJson } from '../record/recordValues';
import { onOrder, onOrders, useRecordTestbed } from '../recordTestbed';

/** A field is changed in the sheet after the node has loaded the list of fields, which it keeps for ten minutes. */
const testbed = useRecordTestbed({ demoRecords: 30 });
const { remark } = orders.fields;
const newId = '1000096';

beforeEach(async () => {
	await testbed.run({ ...onOrder('update', 5), ...asJson({ Remark: 'known' }) });
	await testbed.run({ ...onOrder('get', 5), options: { typedValues: true } });
});

/** Deletes the field, and adds one with the same name. */
function recreateRemark(): void {
	const { fields } = testbed.orders;
	fields.splice(
		fields.findIndex(({ id }) => id === remark),
		1,
	);
	fields.push({ id: newId, name: 'Remark', type: 'text' });
}

describe('a field that was deleted and created again with the same name', () => {
	const write = { ...onOrder('update', 5), ...asJson({ Remark: 'new' }) };
	const conditions = [{ field: 'Remark', operator: 'eq', value: 'new' }];
	const retrying = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

	it('is written under its new ID after one failure', async () => {
		recreateRemark();
		expect((await testbed.run(write)).error?.message).toContain(remark);
		expect((await testbed.run(write)).error).toBeUndefined();
		expect(testbed.order(5).value(newId)).toBe('new');
	});

	it.each(['INVALID', 'ERROR'])(
		'is written under its new ID after the message of the deployed service: %s',
		async (status) => {
			recreateRemark();
			const body = JSON.stringify({ status, code: 202, msg: `Field id ${remark} not found` });
			testbed.inject({ kind: 'body', body, when: ({ method }) => method === 'POST' });
			expect((await testbed.run(write)).error?.message).toContain('not found');
			expect((await testbed.run(write)).error).toBeUndefined();
			expect(testbed.order(5).value(newId)).toBe('new');
		},
	);

	it('is written under its new ID by the second attempt of Retry On Fail', async () => {
		recreateRemark();
		expect((await testbed.run(write, [{}], retrying)).error).toBeUndefined();
		expect(testbed.order(5).value(newId)).toBe('new');
	});

	it('is compared under its new ID after one failure', async () => {
		recreateRemark();
		testbed.order(5).set(newId, 'new');
		const list = { ...onOrders('getAll'), filters: { conditions } };
		expect((await testbed.run(list)).error?.message).toContain(remark);
		expect((await testbed.run(list)).ids).toEqual([5]);
	});
});

it('a condition is sent as a date after one failure if the type of the field was changed', async () => {
	const conditions = [{ field: 'Remark', operator: 'eq', value: '2026-07-02' }];
	const list = { ...onOrders('getAll'), filters: { conditions } };
	const run = async () => await testbed.run(list, [{}], testbed.as('admin'));
	expect((await run()).ids).toEqual([]);
	for (const field of testbed.orders.fields) if (field.id === remark) field.type = 'date';
	testbed.order(5).set(remark, '2026/07/02');
	expect((await run()).error?.message).toContain('2026-07-02');
	expect((await run()).ids).toEqual([5]);
});

it('a failure of an operation without a sheet is reported as it is', async () => {
	const get = { resource: 'task', operation: 'get', taskId: 'nope' };
	expect((await testbed.run(get)).error?.message).toMatch(/task/i);
});

import { orders } from '../../service';
import { onOrders, useRecordTestbed } from '../recordTestbed';
import { autoMapped } from './recordValues';

const testbed = useRecordTestbed({ demoRecords: 40 });
const { remark, reference, description, customerNumber } = orders.fields;
const options = { skipUnchanged: true };
const upsert = { ...onOrders('upsert'), ...autoMapped([reference, remark]), options };

const rich = { [reference]: 'KEY-1', [remark]: true, [description]: '[b]bold[/b]' };
const plain = { [reference]: 'KEY-2', [remark]: true, [customerNumber]: 'C-0001' };

it.each([
	{ what: 'after an unchanged item with rich text', items: [rich, plain] },
	{ what: 'before an item with rich text', items: [plain, rich] },
	{ what: 'alone', items: [plain] },
])('a record is found by another spelling of an inferred checkbox $what', async ({ items }) => {
	for (const record of testbed.orders.records.values()) record.set(remark, 'Yes');
	testbed.order(1).set(reference, 'KEY-1').set(description, '[b]bold[/b]');
	testbed.order(2).set(reference, 'KEY-2').set(remark, 'yes');
	const count = testbed.orders.records.size;
	const { actions, error } = await testbed.runById(upsert, items, testbed.as('member'));
	expect(error).toBeUndefined();
	expect(actions).not.toContain('created');
	expect(testbed.orders.records.size).toBe(count);
});

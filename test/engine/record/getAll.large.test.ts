import { amount } from '../../amount';
import { onOrders, useRecordTestbed } from '../recordTestbed';
import { usedHeap } from '../../usedHeap';

const recordCount = amount(3_000, 20_000);
const testbed = useRecordTestbed({ demoRecords: recordCount });

it('the text of a page is not kept in memory if only a few fields of its records are returned', async () => {
	const parameters = { ...onOrders('getAll'), returnAll: true, options: { onlyFields: 'Remark' } };
	await testbed.run({ ...parameters, returnAll: false, limit: 10 });
	const before = usedHeap();
	const result = await testbed.run(parameters);
	testbed.service.requests.clear();
	const kept = usedHeap() - before;
	expect(result.items).toHaveLength(recordCount);
	// The items need less than 200 bytes per record, and the texts of the pages more than 900.
	expect(kept).toBeLessThan(500 * recordCount);
});

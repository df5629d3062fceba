import { onOrders, useRecordTestbed } from '../recordTestbed';
import { autoMapped } from './recordValues';

const testbed = useRecordTestbed({ demoRecords: 1_100 });

/** Source records are loaded together for 500 items at a time. */
it('the source records of 1,100 items are read from lists, also those of the second and third 500 items', async () => {
	const read = await testbed.run({
		...onOrders('getAll'),
		...{ returnAll: true, options: { timeZone: 0, onlyFields: 'City, Delivery Time' } },
	});
	expect(read.items).toHaveLength(1_100);
	testbed.service.requests.clear();
	const copy = { ...onOrders('create'), ...autoMapped(), options: { dryRun: true } };
	const { items, error } = await testbed.run(copy, read.json);
	expect([error, items.length]).toEqual([undefined, 1_100]);
	const isSingle = ({ path }: { path: string }) => /\/orders\/1\/\d+$/.test(path);
	const { length: singleReads } = testbed.reads.filter(isSingle);
	expect(singleReads).toBeLessThanOrEqual(60);
	expect(testbed.reads.length - singleReads).toBeLessThanOrEqual(20);
});

import { orders } from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';
import { usedHeap } from '../usedHeap';

const recordCount = 20_000;

const testbed = useRecordTestbed({ demoRecords: recordCount });

afterEach(() => jest.restoreAllMocks());

it(`reads ${recordCount} records in pages of at most 10,000`, async () => {
	// However slow the machine is that runs this, the service counts as quick.
	jest.spyOn(performance, 'now').mockReturnValue(performance.now());
	const result = await testbed.run({
		operation: 'getAll',
		sheet: sheet(orders),
		returnAll: true,
		options: { fieldKeys: 'id', subtables: false, listing: true },
	});
	const expected = [...testbed.service.data.sheet(orders).records.values()]
		.sort((left, right) => left.created.at - right.created.at)
		.map(({ id }) => id);
	expect(result.items.map(({ json }) => json._recordId)).toEqual(expected);
	expect(expected).toHaveLength(recordCount);
	const sizes = testbed.reads.map(({ query }) => Number(Object.fromEntries(query).limit));
	expect(sizes).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000]);
});

it('does not keep the texts of the pages for the sake of the few fields that were asked for', async () => {
	const parameters = {
		operation: 'getAll',
		sheet: sheet(orders),
		returnAll: true,
		options: { onlyFields: 'Remark' },
	};
	await testbed.run({ ...parameters, returnAll: false, limit: 10 });
	const before = usedHeap();
	const result = await testbed.run(parameters);
	testbed.service.requests.clear();
	const kept = usedHeap() - before;
	expect(result.items).toHaveLength(recordCount);
	// The items need less than four megabytes, the texts of the pages more than eighteen.
	expect(kept).toBeLessThan(10_000_000);
});

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { orders } from '../../service';
import { sheet, useRecordWorld } from '../recordWorld';

const recordCount = 20_000;

const world = useRecordWorld({ demoRecords: recordCount });

afterEach(() => jest.restoreAllMocks());

/** Bytes that are still needed once everything that is not has been thrown away. */
function bytesInUse(): number {
	setFlagsFromString('--expose-gc');
	const collect: unknown = runInNewContext('gc');
	if (typeof collect !== 'function') throw new Error('This Node does not collect on request');
	collect();
	collect();
	return process.memoryUsage().heapUsed;
}

it(`reads ${recordCount} records in pages of at most 10,000`, async () => {
	// However slow the machine is that runs this, the service counts as quick.
	jest.spyOn(Date, 'now').mockReturnValue(Date.now());
	const result = await world.run({
		operation: 'getAll',
		sheet: sheet(orders),
		returnAll: true,
		fieldKeys: 'id',
		options: { subtables: false, listing: true },
	});
	const expected = [...world.service.data.sheet(orders).records.values()]
		.sort((left, right) => left.created.at - right.created.at)
		.map(({ id }) => id);
	expect(result.items.map(({ json }) => json._recordId)).toEqual(expected);
	expect(expected).toHaveLength(recordCount);
	const sizes = world.reads.map(({ query }) => Number(Object.fromEntries(query).limit));
	expect(sizes).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000]);
});

it('does not keep the texts of the pages for the sake of the few fields that were asked for', async () => {
	const parameters = {
		operation: 'getAll',
		sheet: sheet(orders),
		returnAll: true,
		options: { onlyFields: 'Remark' },
	};
	await world.run({ ...parameters, returnAll: false, limit: 10 });
	const before = bytesInUse();
	const result = await world.run(parameters);
	world.service.requests.clear();
	const kept = bytesInUse() - before;
	expect(result.items).toHaveLength(recordCount);
	// The items need less than four megabytes, the texts of the pages more than eighteen.
	expect(kept).toBeLessThan(10_000_000);
});

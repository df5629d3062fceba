import { orders } from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';
import { autoMapped } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;

const upsert = { operation: 'upsert', sheet: sheet(orders), ...autoMapped([fields.reference]) };
const item = { [fields.reference]: 'TWICE', [fields.remark]: 'x' };

const remarks = (...ids: number[]) =>
	ids.map((id) => testbed.service.data.record(orders, id).text(fields.remark) === 'x');

beforeEach(() => {
	for (const id of [30, 20, 40]) {
		testbed.service.data.record(orders, id).set(fields.reference, 'TWICE');
	}
});

describe('several records that match', () => {
	it.each([{}, { onMultipleMatches: 'error' }])(
		'are an error that names them, with the options %j',
		async (options) => {
			const result = await testbed.run({ ...upsert, options }, [item]);
			expect(result.status).toBe('error');
			expect(result.error).toMatchObject({
				message: expect.stringMatching(/3 records match 'TWICE': .*20.*30.*40/),
				description: expect.stringContaining('On Multiple Matches'),
				context: { itemIndex: 0 },
			});
			expect(testbed.writes).toEqual([]);
		},
	);

	it.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
		'stop only their own item with %s',
		async (onError) => {
			const other = { [fields.reference]: 'ONCE', [fields.customerNumber]: 'C-0001' };
			const result = await testbed.run(upsert, [item, other], { onError });
			const failed = onError === 'continueErrorOutput' ? result.errorItems[0] : result.items[0];
			expect(failed?.json.error).toContain('3 records match');
			expect(failed?.pairedItem).toEqual({ item: 0 });
			expect(result.items.at(-1)).toMatchObject({
				json: { _action: 'created' },
				pairedItem: { item: 1 },
			});
			expect(remarks(20, 30, 40)).toEqual([false, false, false]);
		},
	);

	it('of which the first is updated on request: the first in the order of the service', async () => {
		const result = await testbed.run({ ...upsert, options: { onMultipleMatches: 'updateFirst' } }, [
			item,
		]);
		expect(result.items).toEqual([
			{
				json: expect.objectContaining({ _recordId: 20, _action: 'updated' }),
				pairedItem: { item: 0 },
			},
		]);
		expect(remarks(20, 30, 40)).toEqual([true, false, false]);
		expect(testbed.writes).toHaveLength(1);
	});

	it('of which one cannot be updated: the error names those that were updated before it', async () => {
		testbed.service.data.record(orders, 30).locked = true;
		const options = { onMultipleMatches: 'updateAll', checkLock: true };
		const result = await testbed.run({ ...upsert, options }, [item]);
		expect(result.error).toMatchObject({
			message: expect.stringContaining('locked'),
			description: expect.stringContaining('It failed at record 30; updated before it: 20.'),
		});
		expect(remarks(20, 30, 40)).toEqual([true, false, false]);
	});

	it('are all updated on request, and all linked to the item', async () => {
		const result = await testbed.run({ ...upsert, options: { onMultipleMatches: 'updateAll' } }, [
			{ [fields.reference]: 'ONCE', [fields.customerNumber]: 'C-0001' },
			item,
		]);
		expect(
			result.items.map(({ json, pairedItem }) => [json._recordId, json._action, pairedItem]),
		).toEqual([
			[301, 'created', { item: 0 }],
			[20, 'updated', { item: 1 }],
			[30, 'updated', { item: 1 }],
			[40, 'updated', { item: 1 }],
		]);
		expect(remarks(20, 30, 40)).toEqual([true, true, true]);
	});

	it('may be treated otherwise for each item', async () => {
		const result = await testbed.run(
			{ ...upsert, options: { onMultipleMatches: '={{ $json.Remark }}' } },
			[
				{ Reference: 'TWICE', Remark: 'updateFirst' },
				{ Reference: 'TWICE', Remark: 'error' },
				{ Reference: 'TWICE', Remark: 'updateAll' },
			],
			{ onError: 'continueErrorOutput' },
		);
		expect(result.errorItems.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 2 },
			{ item: 2 },
			{ item: 2 },
		]);
	});

	it('in a different order of the service: the first created comes first', async () => {
		// In the demo data the record 8 was created before the records 5 to 7.
		for (const id of [5, 8]) testbed.service.data.record(orders, id).set(fields.reference, 'PAIR');
		const result = await testbed.run({ ...upsert, options: { onMultipleMatches: 'updateFirst' } }, [
			{ [fields.reference]: 'PAIR', [fields.remark]: 'x' },
		]);
		expect(result.items.map(({ json }) => json._recordId)).toEqual([8]);
	});
});

describe('updates of all matches that break off', () => {
	it('fail the item, with the outcome of the last one unknown, and go no further', async () => {
		testbed.service.faults.inject({
			kind: 'resetAfterWork',
			when: ({ path }) => path.endsWith('/30'),
		});
		const result = await testbed.run({ ...upsert, options: { onMultipleMatches: 'updateAll' } }, [
			item,
		]);
		expect(result.status).toBe('error');
		expect(result.error?.description).toContain('It is not known whether the change was made');
		expect(testbed.writes.map(({ path }) => path.split('/').at(-1))).toEqual(['20', '30']);
		expect(remarks(20, 30, 40)).toEqual([true, true, false]);
	});
});

describe('a creation whose outcome is unknown', () => {
	const fresh = { [fields.reference]: 'FRESH', [fields.customerNumber]: 'C-0001' };

	it('is sent once', async () => {
		testbed.service.faults.inject({
			kind: 'resetAfterWork',
			when: ({ method }) => method === 'POST',
			times: Infinity,
		});
		const result = await testbed.run(upsert, [fresh]);
		expect(result.status).toBe('error');
		expect(result.error?.description).toContain('It is not known whether the change was made');
		expect(testbed.writes).toHaveLength(1);
		expect(testbed.service.data.sheet(orders).records.size).toBe(301);
	});

	it('makes no second record when the next item has the same key', async () => {
		testbed.service.faults.inject({
			kind: 'resetAfterWork',
			when: ({ method }) => method === 'POST',
		});
		const result = await testbed.run(upsert, [fresh, fresh], { onError: 'continueErrorOutput' });
		expect(result.errorItems.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
		expect(testbed.service.data.sheet(orders).records.size).toBe(301);
	});

	it('is made up for by running the workflow again', async () => {
		testbed.service.faults.inject({
			kind: 'resetAfterWork',
			when: ({ method }) => method === 'POST',
		});
		await testbed.run(upsert, [fresh]);
		const result = await testbed.run(upsert, [fresh]);
		expect(result.status).toBe('success');
		expect(result.items[0]?.json).toMatchObject({ _recordId: 301, _action: 'updated' });
		expect(testbed.service.data.sheet(orders).records.size).toBe(301);
	});
});

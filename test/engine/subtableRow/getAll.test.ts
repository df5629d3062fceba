import { errorsOf, useRecordTestbed } from '../recordTestbed';
import { onLines, rowIdsOf } from './rowTestbed';

const testbed = useRecordTestbed();
const getAll = onLines('getAll', { returnAll: true });

it('yields an item for each row, in the order of the service, linked to its record', async () => {
	const ids = { seven: rowIdsOf(testbed.service, 7), one: rowIdsOf(testbed.service, 1) };
	expect(ids.seven).not.toEqual([...ids.seven].sort((left, right) => left - right));
	// Order 4 has no rows.
	expect(rowIdsOf(testbed.service, 4)).toEqual([]);
	const result = await testbed.run(getAll, [{ order: 7 }, { order: 4 }, { order: 1 }]);
	expect(
		result.items.map(({ json, pairedItem }) => [json._recordId, json._rowId, pairedItem]),
	).toEqual([
		...ids.seven.map((id) => [7, id, { item: 0 }]),
		...ids.one.map((id) => [1, id, { item: 2 }]),
	]);
	const keys = ['_recordId', '_rowId', 'Article', 'Quantity', 'Unit Price', 'Amount'];
	expect(Object.keys(result.items[0]?.json ?? {})).toEqual(keys);
});

it('yields up to the limit, which must be one', async () => {
	const limits = [2, 0, -1, 1.5, 'many'];
	const items = limits.map((limit) => ({ order: 7, limit }));
	const limited = { ...getAll, returnAll: false, limit: '={{ $json.limit }}' };
	const result = await testbed.run(limited, items, { onError: 'continueErrorOutput' });
	const ids = rowIdsOf(testbed.service, 7).slice(0, 2);
	expect(result.items.map(({ json }) => json._rowId)).toEqual(ids);
	expect(errorsOf(result.errorItems)).toEqual(
		[1, 2, 3, 4].map((item) => [expect.stringContaining("'Limit'"), { item }]),
	);
});

import { useRecordTestbed } from '../recordTestbed';
import { onLines, rowIdsOf } from './rowTestbed';

const testbed = useRecordTestbed();
const remove = onLines('delete', { rowId: '={{ $json.line }}' });

it('deletes rows of one record in one request, and links each to its item', async () => {
	const [first, second, third] = rowIdsOf(testbed.service, 11);
	const [ofSeven, ...restOfSeven] = rowIdsOf(testbed.service, 7);
	const result = await testbed.run(remove, [
		{ order: 11, line: third },
		{ order: 7, line: ofSeven },
		{ order: 11, line: first },
	]);
	expect(testbed.writes.map(({ method, path, body }) => [method, path, body])).toEqual([
		['POST', '/acme/sales/orders/1/11', { _DELSUB_2000001: [third, first] }],
		['POST', '/acme/sales/orders/1/7', { _DELSUB_2000001: [ofSeven] }],
	]);
	expect(rowIdsOf(testbed.service, 11)).toEqual([second]);
	expect(rowIdsOf(testbed.service, 7)).toEqual(restOfSeven);
	expect(result.items).toEqual([
		{ json: { deleted: true, _recordId: 11, _rowId: third }, pairedItem: { item: 0 } },
		{ json: { deleted: true, _recordId: 7, _rowId: ofSeven }, pairedItem: { item: 1 } },
		{ json: { deleted: true, _recordId: 11, _rowId: first }, pairedItem: { item: 2 } },
	]);
});

it('says that the record is not there', async () => {
	const { error } = await testbed.run(remove, [{ order: 99999, line: 1 }]);
	expect(error?.message).toContain('Record not found');
	expect(error?.context).toMatchObject({ itemIndex: 0 });
});

import { useRecordTestbed } from '../recordTestbed';
import { linesOf, onLines, rowIdsOf } from './rowTestbed';

const testbed = useRecordTestbed();
const remove = onLines('delete', { rowId: '={{ $json.line }}' });

it('deletes rows of one record in one request, and links each to its item', async () => {
	const [first, second, third] = rowIdsOf(testbed.service, 11);
	const result = await testbed.run(remove, [
		{ order: 11, line: third },
		{ order: 11, line: first },
	]);
	expect(result.status).toBe('success');
	expect(testbed.writes.map(({ method, body }) => [method, body])).toEqual([
		['POST', { _DELSUB_2000001: [third, first] }],
	]);
	expect(rowIdsOf(testbed.service, 11)).toEqual([second]);
	expect(result.items).toEqual([
		{ json: { deleted: true, _recordId: 11, _rowId: third }, pairedItem: { item: 0 } },
		{ json: { deleted: true, _recordId: 11, _rowId: first }, pairedItem: { item: 1 } },
	]);
});

it('deletes rows of several records, each from its own', async () => {
	const [ofEleven, ...restOfEleven] = rowIdsOf(testbed.service, 11);
	const [ofSeven, ...restOfSeven] = rowIdsOf(testbed.service, 7);
	const result = await testbed.run(remove, [
		{ order: 11, line: ofEleven },
		{ order: 7, line: ofSeven },
	]);
	expect(result.items.map(({ json }) => json._recordId)).toEqual([11, 7]);
	expect(rowIdsOf(testbed.service, 11)).toEqual(restOfEleven);
	expect(rowIdsOf(testbed.service, 7)).toEqual(restOfSeven);
});

it('sends the options that were set', async () => {
	const [first] = rowIdsOf(testbed.service, 11);
	const options = { doFormula: true, checkLock: true };
	await testbed.run({ ...remove, options }, [{ order: 11, line: first }]);
	expect(testbed.writes[0]?.rawUrl).toBe(
		'/acme/sales/orders/1/11?api&doFormula=true&checkLock=true',
	);
});

it('leaves the rows of a locked record when it is to check the lock', async () => {
	const before = linesOf(testbed.service, 3);
	const result = await testbed.run({ ...remove, options: { checkLock: true } }, [
		{ order: 3, line: before[0]?.[0] },
	]);
	expect(result.status).toBe('error');
	expect(result.error?.message).toContain('Record locked');
	expect(result.error?.description).toContain("'Unlock'");
	expect(linesOf(testbed.service, 3)).toEqual(before);
});

it('says that the record is not there', async () => {
	const result = await testbed.run(remove, [{ order: 99999, line: 1 }]);
	expect(result.status).toBe('error');
	expect(result.error?.message).toContain('Record not found');
	expect(result.error?.context).toMatchObject({ itemIndex: 0 });
});

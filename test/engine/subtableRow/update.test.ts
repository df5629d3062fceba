import { orders } from '../../service';
import { autoMapped, mapped } from '../record/recordValues';
import { linksOf, recordId, useRecordTestbed } from '../recordTestbed';
import { linesOf, onLines, rowAsJson, rowIdsOf, rowOfItem, rowsSent } from './rowTestbed';

const testbed = useRecordTestbed();
const { lines } = orders.subtables;
const { amount, article, quantity, unitPrice } = lines.fields;

const update = (more = {}) => onLines('update', { rowId: '={{ $json.line }}', ...more });

it('changes rows of one record in one request, and leaves the other cells', async () => {
	const [first, second, third] = linesOf(testbed.service, 11);
	const result = await testbed.run(update(rowOfItem), [
		{ order: 11, line: third?.[0], row: { Article: 'changed' } },
		{ order: 11, line: first?.[0], row: { [quantity]: 9 } },
	]);
	expect(rowsSent(testbed)).toEqual([
		{ [String(third?.[0])]: { [article]: 'changed' }, [String(first?.[0])]: { [quantity]: 9 } },
	]);
	expect(linesOf(testbed.service, 11)).toEqual([
		[first?.[0], first?.[1], '9'],
		second,
		[third?.[0], 'changed', third?.[2]],
	]);
	expect(result.items.map(({ json }) => json)).toEqual([
		expect.objectContaining({ _recordId: 11, _rowId: third?.[0], [article]: 'changed' }),
		expect.objectContaining({ _recordId: 11, _rowId: first?.[0], [quantity]: '9' }),
	]);
	expect(linksOf(result.items)).toEqual([{ item: 0 }, { item: 1 }]);
});

it('changes a row that comes twice one time after the other, the last one last', async () => {
	const [first, second] = rowIdsOf(testbed.service, 11);
	const result = await testbed.run(update(rowOfItem), [
		{ order: 11, line: first, row: { [article]: 'early', [quantity]: 1 } },
		{ order: 11, line: second, row: { [article]: 'other' } },
		{ order: 11, line: `00${first}`, row: { [article]: 'late' } },
	]);
	expect(result.items.map(({ json }) => json[article])).toEqual(['early', 'other', 'late']);
	expect(rowsSent(testbed).map(Object.keys)).toEqual([
		[String(first), String(second)],
		[String(first)],
	]);
	expect(linesOf(testbed.service, 11)[0]).toEqual([first, 'late', '1']);
});

it('goes from record to record when their items are mixed', async () => {
	const [ofEleven, secondOfEleven] = rowIdsOf(testbed.service, 11);
	const [ofSeven] = rowIdsOf(testbed.service, 7);
	const rows = [
		[11, ofEleven, 'a'],
		[7, ofSeven, 'b'],
		[11, secondOfEleven, 'c'],
	];
	const result = await testbed.run(
		update(rowOfItem),
		rows.map(([order, line, text]) => ({ json: { order, line, row: { [article]: text } } })),
	);
	expect(testbed.writes).toHaveLength(2);
	expect(result.items.map(({ json }) => [json._recordId, json._rowId, json[article]])).toEqual(
		rows,
	);
	expect(linesOf(testbed.service, 7)[0]?.[1]).toBe('b');
});

it('takes the fields of the mapper, and of the item itself', async () => {
	const [first, second] = rowIdsOf(testbed.service, 11);
	const byMapper = update(mapped({ [article]: 'mapped', Quantity: 8 }));
	await testbed.run(byMapper, [{ order: 11, line: first }]);
	const ofItem = { ...update(autoMapped()), recordId: recordId(11), rowId: String(second) };
	await testbed.run(ofItem, [{ _recordId: 11, _rowId: second, Article: 'itself' }]);
	expect(linesOf(testbed.service, 11).slice(0, 2)).toEqual([
		[first, 'mapped', '8'],
		[second, 'itself', expect.anything()],
	]);
});

it('writes what Get Many returned, in either kind of keys', async () => {
	const rowsOf = () =>
		[...testbed.service.data.record(orders, 11).rows(lines.id)].map(([id, row]) => [id, [...row]]);
	const before = rowsOf();
	for (const fieldKeys of ['name', 'id']) {
		const rows = await testbed.run(onLines('getAll', { options: { fieldKeys } }), [{ order: 11 }]);
		testbed.service.requests.clear();
		// What is computed is not written.
		const items = rows.items.map(({ json: { Amount: _, [amount]: __, ...json } }) => json);
		const rowByRow = { ...update(autoMapped()), rowId: '={{ $json._rowId }}' };
		const result = await testbed.run({ ...rowByRow, recordId: recordId(11) }, items);
		expect(result.items).toHaveLength(3);
		expect(testbed.writes).toHaveLength(1);
		expect(rowsOf()).toEqual(before);
	}
});

it('empties cells only when told to', async () => {
	const [first] = linesOf(testbed.service, 11);
	const row = rowAsJson({ [article]: '', [unitPrice]: '1.00' });
	const items = [{ order: 11, line: first?.[0] }];
	await testbed.run(update(row), items);
	expect(linesOf(testbed.service, 11)[0]).toEqual(first);
	await testbed.run(update({ ...row, options: { clearEmpty: true } }), items);
	expect(linesOf(testbed.service, 11)[0]).toEqual([first?.[0], '', first?.[2]]);
});

it('reads the row when the answer does not carry the record', async () => {
	testbed.service.switches.answerCarriesData = false;
	const [first] = rowIdsOf(testbed.service, 11);
	const row = rowAsJson({ [article]: 'x' });
	const result = await testbed.run(update(row), [{ order: 11, line: first }]);
	expect(result.items.map(({ json }) => json)).toEqual([
		expect.objectContaining({ _recordId: 11, _rowId: first, [article]: 'x' }),
	]);
});

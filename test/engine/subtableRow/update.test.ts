import { orders } from '../../service';
import { linksOf, useRecordTestbed } from '../recordTestbed';
import { linesOf, onLines, rowAsJson, rowIdsOf, rowOfItem, rowsSent } from './rowTestbed';

const testbed = useRecordTestbed();
const { lines } = orders.subtables;
const { article, quantity } = lines.fields;

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

it('reads the row when the answer does not carry the record', async () => {
	testbed.service.switches.answerCarriesData = false;
	const [first] = rowIdsOf(testbed.service, 11);
	const row = rowAsJson({ [article]: 'x' });
	const result = await testbed.run(update(row), [{ order: 11, line: first }]);
	expect(result.items.map(({ json }) => json)).toEqual([
		expect.objectContaining({ _recordId: 11, _rowId: first, [article]: 'x' }),
	]);
});

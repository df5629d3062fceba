import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { asJson } from '../record/recordValues';
import { onOrder, useRecordTestbed } from '../recordTestbed';
import { linesOf, onLines, rowOfItem } from '../subtableRow/rowTestbed';
import { refusal, retrying } from './retrying';

/** Service of orders. With Continue On Fail, n8n runs the first item again after a later item has written. */
const testbed = useRecordTestbed({ demoRecords: 20 });
const { lines } = orders.subtables;
const { article, quantity } = lines.fields;
const lineId = 101;
const written = () => linesOf(testbed.service, 5).map((line) => line.slice(1).join(' '));

/** Runs the items, whose first write is rejected once. Returns the indexes of the items without an error. */
async function run(parameters: INodeParameters, items: IDataObject[]) {
	const line = new Map([
		[article, 'Pen'],
		[quantity, '1'],
	]);
	testbed.order(5).subtables.set(lines.id, new Map([[lineId, line]]));
	testbed.inject({ ...refusal, when: ({ method }) => method !== 'GET' });
	const result = await testbed.runAllById(parameters, items, retrying);
	return { result, links: result.links.map((link) => Object(link).item) };
}

const update = (rowsMode: string) => ({
	...onOrder('update', 5),
	...asJson('={{ $json }}'),
	options: { rowsMode, ...(rowsMode === 'append' ? {} : { rowMatchFields: article }) },
});
const withRows = (...rows: IDataObject[]) => ({ [`_subtable_${lines.id}`]: rows });
const withLine = (text: string, count: number) => withRows({ [article]: text, [quantity]: count });
const withoutLine = { [`_DELSUB_${lines.id}`]: [lineId] };
const withChange = withRows({ _rowId: lineId, [quantity]: 9 });
const updateRow = onLines('update', { rowId: String(lineId), ...rowOfItem });
const rowChange = (count: number) => ({ order: 5, row: { [quantity]: count } });

it.each<[what: string, parameters: INodeParameters, items: IDataObject[], rows: string[]]>([
	[
		'changes a row that a later item created',
		update('upsert'),
		[withLine('Ink', 2), withLine('Ink', 3)],
		['Pen 1', 'Ink 3'],
	],
	[
		'replaces the rows of a later item',
		update('replace'),
		[withLine('Ink', 2), withLine('Cap', 3)],
		['Cap 3'],
	],
	[
		'deletes a row that a later item changed',
		update('append'),
		[withoutLine, withChange],
		['Pen 9'],
	],
	['changes a row that a later item deleted', update('append'), [withChange, withoutLine], []],
	[
		'changes a row by its ID that a later item changed',
		updateRow,
		[rowChange(2), rowChange(3)],
		['Pen 3'],
	],
])('an item that %s is not written in the next attempt', async (_, parameters, items, rows) => {
	const { result, links } = await run(parameters, items);
	testbed.expectErrors(result, 'A later item has other values for the same');
	expect([links, written()]).toEqual([[1], rows]);
});

it('a row is added, changed and deleted in the next attempt beside other rows', async () => {
	const added = await run(update('upsert'), [withLine('Ink', 2), withLine('Pen', 3)]);
	expect([added.links, written()]).toEqual([
		[0, 1],
		['Pen 3', 'Ink 2'],
	]);
	const deleted = await run(update('append'), [withoutLine, withLine('Cap', 4)]);
	expect([deleted.links, written()]).toEqual([[0, 1], ['Cap 4']]);
	const changed = await run(onLines('update', { rowId: '={{ $json.line }}', ...rowOfItem }), [
		{ ...rowChange(2), line: lineId },
		{ ...rowChange(7), order: 6, line: [...testbed.order(6).rows(lines.id).keys()][0] },
	]);
	expect([changed.links, written()]).toEqual([[0, 1], ['Pen 2']]);
});

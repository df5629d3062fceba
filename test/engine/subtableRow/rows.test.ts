import { orders } from '../../service';
import { autoMapped } from '../record/recordValues';
import { recordId, useRecordTestbed } from '../recordTestbed';
import { clearProcessState } from '../runner/typeLibrary';
import { linesOf, onLines, rowIdsOf, rowOfItem, rowsSent } from './rowTestbed';

const testbed = useRecordTestbed();
const { article, quantity } = orders.subtables.lines.fields;
const getAll = onLines('getAll', { returnAll: true });
const update = onLines('update', { rowId: '={{ $json.line }}', ...rowOfItem });
const remove = onLines('delete', { rowId: '={{ $json.line }}' });

it('each row becomes an item in the order of the service, linked to its record', async () => {
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
	expect(Object.keys(result.json[0] ?? {})).toEqual(keys);
});

it('Get Many returns rows up to the limit, which must be at least one', async () => {
	const limits = [2, 0, -1, 1.5, 'many'];
	const items = limits.map((limit) => ({ order: 7, limit }));
	const limited = { ...getAll, returnAll: false, limit: '={{ $json.limit }}' };
	const result = await testbed.runAll(limited, items);
	const ids = rowIdsOf(testbed.service, 7).slice(0, 2);
	expect(result.items.map(({ json }) => json._rowId)).toEqual(ids);
	testbed.expectErrors(result, { 1: "'Limit'", 2: "'Limit'", 3: "'Limit'", 4: "'Limit'" });
});

it('rows of one record are updated in one request, without changing other cells', async () => {
	const [first, second, third] = linesOf(testbed.service, 11);
	const result = await testbed.runById(update, [
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
	expect(result.json).toEqual([
		expect.objectContaining({ _recordId: 11, _rowId: third?.[0], [article]: 'changed' }),
		expect.objectContaining({ _recordId: 11, _rowId: first?.[0], [quantity]: '9' }),
	]);
	expect(result.links).toEqual([{ item: 0 }, { item: 1 }]);
});

it('a row that occurs twice is updated twice, in the order of the items', async () => {
	const [first, second] = rowIdsOf(testbed.service, 11);
	const result = await testbed.runById(update, [
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

it('a row is compared by the kinds of its fields, also after a row with empty values only', async () => {
	const [lines] = testbed.orders.subtables;
	for (const field of lines?.fields ?? []) if (field.id === article) field.type = 'richText';
	const [first = 0, second = 0] = rowIdsOf(testbed.service, 7);
	const items = [
		{ order: 7, line: first, row: { [article]: '' } },
		{ order: 7, line: second, row: { [article]: '[b]Lamp[/b]' } },
	];
	const clearing = { ...update, options: { clearEmpty: true } };
	const { json } = await testbed.run(clearing, items, testbed.as('admin'));
	expect(json.map(({ Article, _warning }) => [Article, _warning])).toEqual([
		['', undefined],
		['<b>Lamp</b>', undefined],
	]);
});

it.each(['00', '000', '001', '011', '010', '0101', '1100'])(
	'each item has its own update, whatever the order in which rows come twice: %s',
	async (order) => {
		const rowIds = rowIdsOf(testbed.service, 11);
		const positions = [...order].map(Number);
		const items = positions.map((position, index) => {
			return { order: 11, line: rowIds[position], row: { [article]: `text ${index}` } };
		});
		const result = await testbed.runById(update, items);
		expect(result.json.map((json) => json[article])).toEqual(items.map(({ row }) => row[article]));
		const sentIds = rowsSent(testbed).flatMap((rows) => Object.keys(rows).map(Number));
		expect(sentIds.sort()).toEqual(items.map(({ line }) => line).sort());
		const stored = linesOf(testbed.service, 11);
		for (const position of positions)
			expect(stored[position]?.[1]).toBe(`text ${order.lastIndexOf(String(position))}`);
	},
);

it('rows of one record are deleted in one request, and each is linked to its item', async () => {
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

it.each([true, false])('a later read decides whether a row was deleted: %s', async (isDeleted) => {
	testbed.service.switches.answerCarriesData = false;
	const [first] = rowIdsOf(testbed.service, 11);
	const body = '{"status":"SUCCESS","rv":"","svcId":11}';
	const when = ({ method }: { method: string }) => method === 'POST' && !isDeleted;
	testbed.inject({ kind: 'body', body, when });
	const result = await testbed.runAll(remove, [{ order: 11, line: first }]);
	expect(result.items.map(({ json }) => json.deleted)).toEqual(isDeleted ? [true] : []);
	testbed.expectErrors(result, isDeleted ? [] : [/^Row \d+ of .* is still there/]);
	expect(rowIdsOf(testbed.service, 11)[0] === first).toBe(!isDeleted);
});

it('a missing record is reported', async () => {
	const { error } = await testbed.run(remove, [{ order: 99999, line: 1 }]);
	expect(error?.message).toContain('Record not found');
	expect(error?.context).toMatchObject({ itemIndex: 0 });
});

describe.each([
	'Order Lines',
	`Lines (${orders.subtables.lines.id})`,
	`_subtable_${orders.subtables.lines.id}`,
])('a subtable that an expression returns as %s', (name) => {
	const bySubtable = { subtableId: '={{ $json.subtable }}' };
	const credentials = () => testbed.as('admin');
	const named = <Item extends object>(item: Item) => ({ ...item, subtable: name });

	it('selects the record whose rows are read', async () => {
		const result = await testbed.run(
			{ ...getAll, ...bySubtable },
			[named({ order: 7 })],
			credentials(),
		);
		expect(result.json.map(({ _rowId }) => _rowId)).toEqual(rowIdsOf(testbed.service, 7));
	});

	it('selects the record whose rows are added, changed and deleted', async () => {
		const add = onLines('add', { ...rowOfItem, ...bySubtable });
		const added = await testbed.runById(
			add,
			[named({ order: 11, row: { Article: 'Brand new' } })],
			credentials(),
		);
		const item = named({ order: 11, line: added.json[0]?._rowId, row: { [quantity]: 9 } });
		await testbed.runById({ ...update, ...bySubtable }, [item], credentials());
		expect(linesOf(testbed.service, 11).at(-1)).toEqual([item.line, 'Brand new', '9']);
		await testbed.run({ ...remove, ...bySubtable }, [item], credentials());
		expect(rowIdsOf(testbed.service, 11)).not.toContain(item.line);
	});
});

it('a hint names the fields of rows whose type a member may not read, as for records', async () => {
	const typed = { ...getAll, options: { typedValues: true, numberFields: 'Quantity' } };
	const { hintTexts } = await testbed.run(typed, [{ order: 5 }]);
	expect(hintTexts[0]).toContain("The types of 'Unit Price', 'Amount' are unknown");
	expect((await testbed.run(typed, [{ order: 5 }], testbed.as('admin'))).hintTexts).toEqual([]);
});

it('rows saved with a UTC Offset of another time zone are returned, and keep their times when written back', async () => {
	const due = '3000009';
	const [lines] = testbed.service.data.sheet(orders).subtables;
	lines?.fields.push({ id: due, name: 'Due', type: 'dateTime' });
	const times = ['2026/01/02 10:00:00', '2026/01/02 11:00:00'];
	const items = times.map((Due) => ({ order: 4, row: { Article: 'same', Due } }));
	const add = onLines('add', { ...rowOfItem, options: { timeZone: 3 } });
	const { json } = await testbed.run(add, items);
	const stored = () =>
		[...testbed.service.data.record(orders, 4).rows(orders.subtables.lines.id)].map(
			([_rowId, row]) => ({ _rowId, Due: row.get(due) }),
		);
	expect(stored().map(({ Due }) => Due)).toEqual(times);
	expect(json).toEqual([
		expect.objectContaining({ Due: '2026/01/02 13:00:00', _timeZone: 3 }),
		expect.objectContaining({ Due: '2026/01/02 14:00:00', _timeZone: 3 }),
	]);
	expect(json.map(({ _rowId }) => _rowId)).toEqual(stored().map(({ _rowId }) => _rowId));
	expect(json.map(({ _warning }) => _warning)).toEqual([undefined, undefined]);
	const writeBack = onLines('update', {
		recordId: recordId('={{ $json._recordId }}'),
		rowId: '={{ $json._rowId }}',
		...autoMapped(),
	});
	const { error } = await testbed.run(writeBack, json);
	expect(error?.message).toBeUndefined();
	expect(stored().map(({ Due }) => Due)).toEqual(times);
});

it.each([
	{ type: 'maskedText', given: 'secret', shown: '****' },
	{ type: 'richText', given: '[b]bold[/b]', shown: '<b>bold</b>' },
	{ type: 'richText', given: 'a & b', shown: 'a &amp; b' },
] as const)('several new rows are returned although $given is read as $shown', async (field) => {
	const [lines] = testbed.service.data.sheet(orders).subtables;
	lines?.fields.push({ id: '3000009', name: 'Extra', type: field.type });
	clearProcessState();
	const items = ['1', '2'].map((Quantity) => ({ order: 4, row: { Extra: field.given, Quantity } }));
	const { json } = await testbed.run(onLines('add', rowOfItem), items, testbed.as('admin'));
	const ids = rowIdsOf(testbed.service, 4);
	expect(json).toMatchObject(ids.map((_rowId) => ({ _rowId, Extra: field.shown })));
	expect(json.map(({ _warning }) => _warning)).toEqual([undefined, undefined]);
});

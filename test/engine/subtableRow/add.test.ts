import { customers, orders } from '../../service';
import { autoMapped, mapped } from '../record/recordValues';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { linesOf, onLines, rowAsJson, rowIdsOf, rowOfItem, rowsIn } from './rowTestbed';

const testbed = useRecordTestbed();
const { lines } = orders.subtables;
const { article, quantity } = lines.fields;

it('adds the rows of one record in one request, and links each to its item', async () => {
	const before = rowIdsOf(testbed.service, 11);
	const result = await testbed.run(onLines('add', rowOfItem), [
		{ order: 11, row: { Article: 'one', Quantity: 1 } },
		{ order: 11, row: { Article: 'two', Quantity: 2 } },
		{ order: 11, row: { [article]: 'three' } },
	]);
	expect(result.status).toBe('success');
	expect(testbed.writes).toHaveLength(1);
	expect(testbed.writes[0]?.rawUrl).toBe('/acme/sales/orders/1/11?api');
	expect(rowsIn(testbed.writes[0] ?? failed())).toEqual({
		'-1': { [article]: 'one', [quantity]: 1 },
		'-2': { [article]: 'two', [quantity]: 2 },
		'-3': { [article]: 'three' },
	});
	const added = linesOf(testbed.service, 11).slice(before.length);
	expect(added.map(([, text]) => text)).toEqual(['one', 'two', 'three']);
	expect(result.items).toEqual(
		added.map(([id, text], item) => ({
			json: expect.objectContaining({ _recordId: 11, _rowId: id, [article]: text }),
			pairedItem: { item },
		})),
	);
});

it('sends a request for each record when items of several are mixed, and keeps their order', async () => {
	const result = await testbed.run(onLines('add', rowOfItem), [
		{ order: 11, row: { [article]: 'a' } },
		{ order: 7, row: { [article]: 'b' } },
		{ order: 11, row: { [article]: 'c' } },
		{ order: 7, row: { [article]: 'd' } },
	]);
	expect(testbed.writes.map(({ path }) => path)).toEqual([
		'/acme/sales/orders/1/11',
		'/acme/sales/orders/1/7',
	]);
	expect(result.items.map(({ json }) => [json._recordId, json[article]])).toEqual([
		[11, 'a'],
		[7, 'b'],
		[11, 'c'],
		[7, 'd'],
	]);
	expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(
		[0, 1, 2, 3].map((item) => ({ item })),
	);
	for (const { json } of result.items) {
		const [, text] =
			linesOf(testbed.service, Number(json._recordId)).find(([id]) => id === json._rowId) ?? [];
		expect(text).toBe(json[article]);
	}
});

it('takes the sheet and the subtable from each item', async () => {
	const contacts = { id: '2100001', name: 'Contacts' };
	const name = '3100001';
	testbed.service.data
		.sheet(customers)
		.subtables.push({ ...contacts, fields: [{ id: name, name: 'Name', type: 'text' }] });
	const parameters = {
		...onLines('add', rowOfItem),
		sheet: { __rl: true, mode: 'path', value: '={{ $json.sheet }}' },
		subtableId: '={{ $json.subtable }}',
	};
	const result = await testbed.run(parameters, [
		{ sheet: 'sales/customers/2', subtable: contacts.id, order: 5, row: { Name: 'Ann' } },
		{ sheet: 'sales/orders/1', subtable: lines.id, order: 5, row: { Article: 'Pen' } },
		{ sheet: 'sales/customers/2', subtable: contacts.id, order: 5, row: { Name: 'Bob' } },
	]);
	expect(result.status).toBe('success');
	expect(testbed.writes.map(({ path }) => path)).toEqual([
		'/acme/sales/customers/2/5',
		'/acme/sales/orders/1/5',
	]);
	const rows = testbed.service.data.record(customers, 5).rows(contacts.id);
	expect([...rows.values()].map((row) => row.get(name))).toEqual(['Ann', 'Bob']);
	expect(linesOf(testbed.service, 5).at(-1)?.[1]).toBe('Pen');
});

it('sends more than a hundred rows in several requests, each row once', async () => {
	const items = Array.from({ length: 230 }, (_, index) => ({
		order: 11,
		row: { [article]: `Article ${index}` },
	}));
	const before = rowIdsOf(testbed.service, 11);
	const result = await testbed.run(onLines('add', rowOfItem), items);
	expect(testbed.writes.map((request) => Object.keys(rowsIn(request) ?? {}).length)).toEqual([
		100, 100, 30,
	]);
	const added = linesOf(testbed.service, 11).slice(before.length);
	expect(added.map(([, text]) => text)).toEqual(items.map(({ row }) => row[article]));
	expect(result.items.map(({ json }) => json._rowId)).toEqual(added.map(([id]) => id));
});

it('gives new rows negative ids of their own, whatever the items hold', async () => {
	const items = Array.from({ length: 12 }, (_, index) => ({
		order: 7,
		row: { _rowId: index - 6, [quantity]: index },
	}));
	const before = rowIdsOf(testbed.service, 7);
	await testbed.run(onLines('add', rowOfItem), items);
	const rows = rowsIn(testbed.writes[0] ?? failed());
	expect(Object.keys(rows ?? {}).map(Number)).toEqual(items.map((_, index) => -(index + 1)));
	expect(rowIdsOf(testbed.service, 7)).toHaveLength(before.length + 12);
	expect(rowIdsOf(testbed.service, 7).slice(0, before.length)).toEqual(before);
});

it('writes the fields of the mapper', async () => {
	const values = mapped({ [article]: '={{ $json.what }}', Quantity: '4' });
	const result = await testbed.run(onLines('add', values), [{ order: 1, what: 'Vase' }]);
	expect(linesOf(testbed.service, 1).at(-1)).toEqual([result.items[0]?.json._rowId, 'Vase', '4']);
});

it('writes the fields of the item itself, without those that begin with an underscore', async () => {
	const parameters = { ...onLines('add', autoMapped()), recordId: recordId(1) };
	const result = await testbed.run(parameters, [
		{ _recordId: 1, _rowId: 77, Article: 'Vase', [quantity]: 3 },
	]);
	expect(result.status).toBe('success');
	expect(rowsIn(testbed.writes[0] ?? failed())).toEqual({
		'-1': { [article]: 'Vase', [quantity]: 3 },
	});
});

it('writes dates in the form of the service, by the type of the field', async () => {
	const due = { id: '3000005', name: 'Due', type: 'date' } as const;
	testbed.service.data.sheet(orders).subtable(lines.id)?.fields.push(due);
	const parameters = onLines('add', rowOfItem);
	const result = await testbed.run(
		parameters,
		[{ order: 1, row: { Due: '2026-03-02', Article: '2026-03-02' } }],
		{ credentials: testbed.credentials('admin') },
	);
	expect(result.status).toBe('success');
	expect(rowsIn(testbed.writes[0] ?? failed())).toEqual({
		'-1': { [due.id]: '2026/03/02', [article]: '2026-03-02' },
	});
});

it('leaves out what has no value, and sends it when it is to be emptied', async () => {
	const row = { Article: 'Pen', Quantity: '' };
	await testbed.run(onLines('add', rowAsJson(row)), [{ order: 1 }]);
	await testbed.run(onLines('add', { ...rowAsJson(row), options: { clearEmpty: true } }), [
		{ order: 1 },
	]);
	expect(testbed.writes.map(rowsIn)).toEqual([
		{ '-1': { [article]: 'Pen' } },
		{ '-1': { [article]: 'Pen', [quantity]: '' } },
	]);
});

it('sends the options that were set, and keeps apart items whose options differ', async () => {
	const parameters = onLines('add', {
		...rowOfItem,
		options: { doFormula: true, notification: '={{ $json.tell }}' },
	});
	await testbed.run(parameters, [
		{ order: 1, tell: true, row: { [article]: 'a', [quantity]: 2 } },
		{ order: 1, tell: false, row: { [article]: 'b' } },
	]);
	expect(testbed.writes.map(({ rawUrl }) => rawUrl)).toEqual([
		'/acme/sales/orders/1/1?api&doFormula=true&notification=true',
		'/acme/sales/orders/1/1?api&doFormula=true&notification=false',
	]);
	expect(testbed.service.data.notifications).toHaveLength(1);
});

it('passes the warning of the service on to each row', async () => {
	testbed.service.switches.writeWarning = 'Stock is low';
	const result = await testbed.run(onLines('add', rowOfItem), [
		{ order: 1, row: { [article]: 'a' } },
		{ order: 1, row: { [article]: 'b' } },
	]);
	expect(result.items.map(({ json }) => json._warning)).toEqual(['Stock is low', 'Stock is low']);
});

it('finds the sheet by its pasted address', async () => {
	const address = `${testbed.service.baseUrl}/acme/sales/orders/1?PAGEID=abc`;
	const parameters = {
		...onLines('add', rowAsJson({ [article]: 'a' })),
		sheet: { ...sheet(orders), mode: 'url', value: address },
	};
	const result = await testbed.run(parameters, [{ order: 1 }]);
	expect(result.status).toBe('success');
	expect(testbed.writes[0]?.rawUrl).toBe('/acme/sales/orders/1/1?api');
});

function failed(): never {
	throw new Error('There was no such request');
}

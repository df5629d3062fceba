import { orders } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped, mapped } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;
const { lines } = orders.subtables;
const { article, quantity } = lines.fields;
const rowsKey = `_subtable_${lines.id}`;
const deletionsKey = `_DELSUB_${lines.id}`;

/** An order with three lines. */
const orderId = 11;
const update = { operation: 'update', sheet: sheet(orders), recordId: recordId(orderId) };
const ofItem = { ...update, ...autoMapped() };

/** Row id and article of each line. */
function articles(): Array<[number, string]> {
	const rows = testbed.service.data.record(orders, orderId).rows(lines.id);
	return [...rows].map(([id, row]) => [id, String(row.get(article))]);
}

let rowIds: number[] = [];

beforeEach(() => {
	rowIds = articles().map(([id]) => id);
	expect(rowIds).toHaveLength(3);
});

it('changes rows with _rowId, creates those without, and deletes those that are named', async () => {
	const [first, second, third] = rowIds;
	const rows = [
		{ _rowId: first, Article: 'changed' },
		{ Article: 'new', Quantity: 1 },
	];
	const record = asJson({ [rowsKey]: rows, [deletionsKey]: [third] });
	const result = await testbed.run({ ...update, ...record });
	expect(testbed.writes.map(({ body }) => body)).toEqual([
		{
			[rowsKey]: {
				[String(first)]: { [article]: 'changed' },
				'-1': { [article]: 'new', [quantity]: 1 },
			},
			[deletionsKey]: [third],
		},
	]);
	expect(articles()).toEqual([
		[first, 'changed'],
		[second, expect.any(String)],
		[expect.any(Number), 'new'],
	]);
	expect(result.items[0]?.json[rowsKey]).toHaveLength(3);
});

it('takes the form of the API, and row ids as texts', async () => {
	const rows = { [String(rowIds[0])]: { Article: 'a' }, '-7': { Article: 'b' } };
	await testbed.run({ ...update, ...asJson({ [rowsKey]: rows }) });
	expect(articles().map(([, text]) => text)).toEqual([
		'a',
		expect.anything(),
		expect.anything(),
		'b',
	]);
});

it('writes rows of an item that came out of a read', async () => {
	const rows = ['one', 'two'].map((text, index) => ({ _rowId: rowIds[index], [article]: text }));
	await testbed.run(ofItem, [{ _recordId: orderId, [rowsKey]: rows }]);
	expect(articles().slice(0, 2)).toEqual([
		[rowIds[0], 'one'],
		[rowIds[1], 'two'],
	]);
});

it('deletes rows on auto-map, one or several', async () => {
	const [first, second, third] = rowIds;
	await testbed.run(ofItem, [{ [deletionsKey]: [first, String(second)] }]);
	expect(articles().map(([id]) => id)).toEqual([third]);
	await testbed.run(ofItem, [{ [deletionsKey]: third }]);
	expect(articles()).toEqual([]);
});

it('changes rows by the collection of rows', async () => {
	const rowJson = '={{ JSON.stringify({ _rowId: $json.row, Article: "changed" }) }}';
	const values = mapped({ [fields.remark]: 'and rows' });
	const subtables = { rows: [{ subtableId: lines.id, rowJson }] };
	await testbed.run({ ...update, ...values, subtables }, [{ row: rowIds[0] }]);
	expect(articles()[0]).toEqual([rowIds[0], 'changed']);
	expect(testbed.service.data.record(orders, orderId).text(fields.remark)).toBe('and rows');
});

it('clears cells with Clear Empty only', async () => {
	const record = asJson({ [rowsKey]: [{ _rowId: rowIds[0], Article: '', Quantity: 0 }] });
	for (const options of [{}, { clearEmpty: true }]) {
		await testbed.run({ ...update, ...record, options });
	}
	const rowsSent = testbed.writes.map(({ body }) => Object.values(Object(body)[rowsKey]));
	expect(rowsSent).toEqual([[{ [quantity]: 0 }], [{ [article]: '', [quantity]: 0 }]]);
	expect(articles()[0]).toEqual([rowIds[0], '']);
});

it.each<[string, object, string]>([
	['a deletion of no row id', { [deletionsKey]: ['first'] }, deletionsKey],
	['a deletion of a negative id', { [deletionsKey]: [-1] }, deletionsKey],
	// This one the service refuses.
	['a row that is not there', { [rowsKey]: [{ _rowId: 999999, [article]: 'x' }] }, '999999'],
])('tells that %s is refused', async (_, record, message) => {
	const { error } = await testbed.run({ ...update, ...asJson(record) });
	expect(error?.message).toContain(message);
	expect(testbed.service.requests.count).toBe(message === deletionsKey ? 0 : 1);
});

import { orders } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped, mapped } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;
const { lines } = orders.subtables;
const rowsKey = `_subtable_${lines.id}`;
const deletionsKey = `_DELSUB_${lines.id}`;

/** An order with three lines. */
const orderId = 11;
const update = { operation: 'update', sheet: sheet(orders), recordId: recordId(orderId) };

/** Row id and article of each line. */
function articles(): Array<[number, string]> {
	const rows = testbed.service.data.record(orders, orderId).rows(lines.id);
	return [...rows].map(([id, row]) => [id, String(row.get(lines.fields.article))]);
}

let rowIds: number[] = [];

beforeEach(() => {
	rowIds = articles().map(([id]) => id);
	expect(rowIds).toHaveLength(3);
});

it('changes rows with _rowId, creates those without, and deletes those that are named', async () => {
	const [first, second, third] = rowIds;
	const result = await testbed.run({
		...update,
		...asJson({
			[rowsKey]: [
				{ _rowId: first, Article: 'changed' },
				{ Article: 'new', Quantity: 1 },
			],
			[deletionsKey]: [third],
		}),
	});
	expect(result.status).toBe('success');
	expect(testbed.writes[0]?.body).toEqual({
		[rowsKey]: {
			[String(first)]: { [lines.fields.article]: 'changed' },
			'-1': { [lines.fields.article]: 'new', [lines.fields.quantity]: 1 },
		},
		[deletionsKey]: [third],
	});
	const left = articles();
	expect(left.map(([id]) => id)).toEqual([first, second, expect.any(Number)]);
	expect([left[0]?.[1], left[2]?.[1]]).toEqual(['changed', 'new']);
	expect(result.items[0]?.json[rowsKey]).toHaveLength(3);
});

it('takes the form of the API, and row ids as texts', async () => {
	const [first] = rowIds;
	const result = await testbed.run({
		...update,
		...asJson({ [rowsKey]: { [String(first)]: { Article: 'a' }, '-7': { Article: 'b' } } }),
	});
	expect(result.status).toBe('success');
	expect(articles().map(([, article]) => article)).toEqual(expect.arrayContaining(['a', 'b']));
	expect(articles()).toHaveLength(4);
});

it('writes rows of an item that came out of a read', async () => {
	const [first, second] = rowIds;
	const result = await testbed.run({ ...update, ...autoMapped() }, [
		{
			_recordId: orderId,
			[rowsKey]: [
				{ _rowId: first, [lines.fields.article]: 'one' },
				{ _rowId: second, [lines.fields.article]: 'two' },
			],
		},
	]);
	expect(result.status).toBe('success');
	expect(articles().slice(0, 2)).toEqual([
		[first, 'one'],
		[second, 'two'],
	]);
});

it('deletes rows on auto-map, one or several', async () => {
	const [first, second, third] = rowIds;
	const result = await testbed.run({ ...update, ...autoMapped() }, [
		{ [deletionsKey]: [first, String(second)] },
	]);
	expect(result.status).toBe('success');
	expect(articles().map(([id]) => id)).toEqual([third]);
	await testbed.run({ ...update, ...autoMapped() }, [{ [deletionsKey]: third }]);
	expect(articles()).toEqual([]);
});

it('changes rows by the collection of rows', async () => {
	const [first] = rowIds;
	const result = await testbed.run(
		{
			...update,
			...mapped({ [fields.remark]: 'and rows' }),
			subtables: {
				rows: [
					{
						subtableId: lines.id,
						rowJson: '={{ JSON.stringify({ _rowId: $json.row, Article: "changed" }) }}',
					},
				],
			},
		},
		[{ row: first }],
	);
	expect(result.status).toBe('success');
	expect(articles()[0]).toEqual([first, 'changed']);
	expect(testbed.service.data.record(orders, orderId).text(fields.remark)).toBe('and rows');
});

it('clears cells with Clear Empty only', async () => {
	const [first] = rowIds;
	const row = { _rowId: first, Article: '', Quantity: 0 };
	await testbed.run({ ...update, ...asJson({ [rowsKey]: [row] }) });
	expect(testbed.writes[0]?.body).toEqual({
		[rowsKey]: { [String(first)]: { [lines.fields.quantity]: 0 } },
	});
	await testbed.run({ ...update, ...asJson({ [rowsKey]: [row] }), options: { clearEmpty: true } });
	expect(articles()[0]).toEqual([first, '']);
});

it.each([
	['a deletion of no row id', { [deletionsKey]: ['first'] }],
	['a deletion of a negative id', { [deletionsKey]: [-1] }],
])('refuses %s before anything is sent', async (_, record) => {
	const result = await testbed.run({ ...update, ...asJson(record) });
	expect(result.status).toBe('error');
	expect(result.error?.message).toContain(deletionsKey);
	expect(testbed.service.requests.count).toBe(0);
});

it('passes on that the service knows no such row', async () => {
	const result = await testbed.run({
		...update,
		...asJson({ [rowsKey]: [{ _rowId: 999999, [lines.fields.article]: 'x' }] }),
	});
	expect(result.status).toBe('error');
	expect(result.error?.message).toContain('999999');
});

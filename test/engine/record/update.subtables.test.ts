import { orders } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped } from './recordValues';

const testbed = useRecordTestbed();
const { lines } = orders.subtables;
const { article, quantity } = lines.fields;
const rowsKey = `_subtable_${lines.id}`;
const deletionsKey = `_DELSUB_${lines.id}`;

/** An order with three lines. */
const orderId = 11;
const update = { operation: 'update', sheet: sheet(orders), recordId: recordId(orderId) };
const ofItem = { ...update, ...autoMapped() };

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

it('deletes rows on auto-map, one or several', async () => {
	const [first, second, third] = rowIds;
	await testbed.run(ofItem, [{ [deletionsKey]: [first, String(second)] }]);
	expect(articles().map(([id]) => id)).toEqual([third]);
	await testbed.run(ofItem, [{ [deletionsKey]: third }]);
	expect(articles()).toEqual([]);
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

import { orders } from '../../service';
import { recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { autoMapped } from './recordValues';
import { storedValues } from './storedValues';

const testbed = useRecordTestbed({ demoRecords: 200 });
const { fields } = orders;
const { lines } = orders.subtables;
/** Options without the service's script, which would change another field. */
const quiet = { doWorkflow: false };
const onOrder = { sheet: sheet(orders), recordId: recordId(15) };
const stored = (id: number) => storedValues(testbed.order(id));

/** Returns the values in the rows of a record, without row IDs. */
function rowsOf(id: number): Array<Record<string, unknown>> {
	const rows = testbed.order(id).rows(lines.id);
	return [...rows.values()].map((row) => Object.fromEntries(row));
}

it.each(['admin', 'member'] as const)(
	'a row that was read as %s is updated only in the changed field',
	async (identity) => {
		const overrides = testbed.as(identity);
		const subtable = { resource: 'subtableRow', ...onOrder, subtableId: lines.id };
		const read = await testbed.run({ ...subtable, operation: 'getAll' }, [{}], overrides);
		const before = rowsOf(15);
		expect(before).toHaveLength(3);
		const items = read.items.map(({ json }, index) => ({ ...json, Quantity: index + 100 }));
		const update = { ...subtable, operation: 'update', rowId: '={{ $json._rowId }}' };
		const parameters = { ...update, ...autoMapped(), options: quiet };
		const result = await testbed.runById(parameters, items, overrides);
		expect(result.error).toBeUndefined();
		const quantities = before.map((_, index) => ({ [lines.fields.quantity]: String(index + 100) }));
		expect(rowsOf(15)).toEqual(before.map((row, index) => ({ ...row, ...quantities[index] })));
		const expectedHint = "Not written: 'Amount' (filled in by the service).";
		expect(result.hintTexts).toEqual(identity === 'admin' ? [expectedHint] : []);
	},
);

it('a typed number keeps the zeros of its own row, although another row has it without zeros', async () => {
	const { unitPrice, article } = lines.fields;
	const rows = () => [...testbed.order(15).rows(lines.id).values()];
	const prices = ['12.50', '12.5', '12.500'];
	rows().forEach((row, index) => row.set(unitPrice, prices[index] ?? ''));
	const subtable = { resource: 'subtableRow', ...onOrder, subtableId: lines.id };
	const typed = { ...subtable, operation: 'getAll', options: { typedValues: true } };
	const { json } = await testbed.run(typed, [{}], testbed.as('admin'));
	const update = { ...subtable, operation: 'update', rowId: '={{ $json._rowId }}' };
	const items = json.map((row) => ({ ...row, Article: 'new' }));
	const parameters = { ...update, ...autoMapped(), options: quiet };
	expect((await testbed.runById(parameters, items, testbed.as('admin'))).error).toBeUndefined();
	const after = rows().map((row) => [row.get(article), row.get(unitPrice)]);
	expect(after).toEqual(prices.map((price) => ['new', price]));
});

describe.each([
	{ form: 'arrays', simplify: true },
	{ form: 'objects by row ID', simplify: false },
])('rows that are read as $form with a _count that is not a row', ({ simplify }) => {
	beforeEach(() => Object.assign(testbed.service.switches, { rowCount: 'shown' }));

	it.each(['create', 'update'] as const)('are written back by %s', async (operation) => {
		const get = { operation: 'get', ...onOrder, simplify, options: { fieldKeys: 'id' } };
		const read = await testbed.run(get);
		const before = rowsOf(15);
		const item = { ...read.json[0], [fields.remark]: 'changed' };
		const parameters = { operation, ...onOrder, ...autoMapped(), options: quiet };
		const result = await testbed.runById(parameters, [item]);
		expect(result.error).toBeUndefined();
		expect(testbed.writes).toHaveLength(1);
		const id = Number(result.json[0]?._recordId);
		expect(rowsOf(id)).toEqual(before);
		expect(testbed.order(id).text(fields.remark)).toBe('changed');
	});
});

it('a subtable key that is not a row is omitted from simplified records and from Subtable Row: Get Many', async () => {
	testbed.service.switches.rowCount = 'shown';
	const subtable = { resource: 'subtableRow', operation: 'getAll', subtableId: lines.id };
	const get = await testbed.run({ operation: 'get', ...onOrder });
	const rows = await testbed.run({ ...subtable, ...onOrder });
	const ids = [...testbed.order(15).rows(lines.id).keys()];
	expect(Object(get.json[0])[`_subtable_${lines.id}`]).toMatchObject(
		ids.map((_rowId) => ({ _rowId })),
	);
	expect(rows.json.map(({ _rowId }) => _rowId)).toEqual(ids);
});

it('a row with an empty ID is rejected instead of becoming a new row', async () => {
	const rowJson = '={{ ({ _rowId: [null, "", undefined][$itemIndex], Article: "Vase" }) }}';
	for (const operation of ['update', 'create']) {
		const subtables = { rows: [{ subtableId: lines.id, rowJson }] };
		const parameters = { operation, ...onOrder, ...autoMapped(), options: { subtables } };
		const items = [1, 2, 3].map((index) => ({ Remark: `x${index}` }));
		await testbed.expectRefused(parameters, items, 'has an empty _rowId');
	}
});

it.each(['admin', 'member'] as const)(
	'the output of a write in another time zone can be written again: %s',
	async (identity) => {
		const overrides = testbed.as(identity);
		const update = { operation: 'update', ...onOrder, ...autoMapped() };
		const options = { ...quiet, timeZone: 8 };
		const first = await testbed.runById({ ...update, options }, [{ Remark: 'first' }], overrides);
		expect(first.json).toMatchObject([{ _timeZone: 8 }]);
		const before = stored(15);
		expect(first.json[0]?.[fields.deliveryTime]).not.toBe(before[fields.deliveryTime]);
		const second = await testbed.runById({ ...update, options: quiet }, first.json, overrides);
		expect(second.error).toBeUndefined();
		expect(stored(15)).toEqual(before);
	},
);

it.each([{ _timeZone: null }, { _timeZone: '' }, { _timeZone: ' ' }, { _timeZone: 'x' }])(
	"a record with %j was read in the account's time zone",
	async (noOffset) => {
		const [item] = (await testbed.run({ operation: 'get', ...onOrder })).json;
		const before = stored(15);
		// The time zone of the account is not UTC.
		const inUtc = JSON.stringify({ 15: { [fields.deliveryTime]: '2023/01/01 01:30:00' } });
		const when = ({ rawUrl }: { rawUrl: string }) => rawUrl.includes('tz=');
		testbed.inject({ kind: 'body', body: inUtc, when, times: Infinity });
		const parameters = { operation: 'update', ...onOrder, ...autoMapped(), options: quiet };
		const result = await testbed.runById(parameters, [{ ...item, ...noOffset, City: 'Ulm' }]);
		expect(result.error).toBeUndefined();
		expect(stored(15)).toEqual({ ...before, [fields.city]: 'Ulm' });
	},
);

it('times in another time zone are omitted if no record shows the offset between the time zones', async () => {
	const unknownSource = { _recordId: 9999, _timeZone: 8 };
	const item = { ...unknownSource, 'Delivery Time': '2026/01/02 10:00:00', City: 'Ulm' };
	const parameters = { operation: 'update', ...onOrder, ...autoMapped(), options: quiet };
	const before = stored(15);
	const result = await testbed.runById(parameters, [item]);
	expect(result.error).toBeUndefined();
	expect(stored(15)).toEqual({ ...before, [fields.city]: 'Ulm' });
	expect(result.hints[0]?.message).toContain("'Delivery Time' (times read with 'UTC Offset'");
});

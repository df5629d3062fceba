import type { INodeParameters } from 'n8n-workflow';
import { orders, type Fault } from '../../service';
import { onOrders, useRecordTestbed } from '../recordTestbed';
import { clearProcessState } from '../runner/typeLibrary';
import { asJson, autoMapped, mapped } from './recordValues';

const testbed = useRecordTestbed();
const { fields } = orders;

const upsert = { ...onOrders('upsert'), ...autoMapped([fields.reference]) };
const item = { [fields.reference]: 'TWICE', [fields.remark]: 'x' };
const other = { [fields.reference]: 'ONCE', [fields.customerNumber]: 'C-0001' };
const doing = (onMultipleMatches: string, overrides = {}) => ({
	...upsert,
	options: { onMultipleMatches, ...overrides },
});
const allMatching = { matchFields: [fields.reference], options: { onMultipleMatches: 'all' } };
const unknown = 'It is unknown whether the change was made';

/** Returns the matching records that were updated. */
const updated = () => [20, 30, 40].filter((id) => testbed.order(id).text(fields.remark) === 'x');

beforeEach(() => {
	for (const id of [30, 20, 40]) testbed.order(id).set(fields.reference, 'TWICE');
});

describe('several records that match', () => {
	it.each([upsert, doing('error')])(
		'several matching records are an error that names them',
		async (parameters) => {
			const expectedError =
				/^3 records match 'TWICE' in 'Reference': .*20.*30.*40.*On Multiple Matches/s;
			await testbed.expectRefused(parameters, [item], expectedError);
		},
	);

	it('the matching record with the lowest ID is updated on request', async () => {
		for (const id of [8, 5]) testbed.order(id).set(fields.reference, 'PAIR');
		const pair = { ...item, [fields.reference]: 'PAIR' };
		const { outcomes } = await testbed.runById(doing('updateFirst'), [item, pair]);
		expect(outcomes).toEqual(['20 updated #0', '5 updated #1']);
		expect(updated()).toEqual([20]);
		expect(testbed.writes).toHaveLength(2);
	});

	it('all matching records are updated on request, and linked to the item', async () => {
		const { outcomes } = await testbed.runById(doing('updateAll'), [other, item]);
		const updates = ['20 updated #1', '30 updated #1', '40 updated #1'];
		expect(outcomes).toEqual(['301 created #0', ...updates]);
		expect(updated()).toEqual([20, 30, 40]);
	});

	it.each<[string, INodeParameters]>([
		['get', { ...onOrders('get'), ...allMatching, getBy: 'match' }],
		['delete', { ...onOrders('delete'), ...allMatching, deleteBy: 'match' }],
		['upsert', doing('updateAll')],
	])('several records are returned in the order of their IDs: %s', async (_, parameters) => {
		for (const id of [100, 20, 9]) testbed.order(id).set(fields.reference, 'THRICE');
		const { json } = await testbed.run(parameters, [{ ...item, [fields.reference]: 'THRICE' }]);
		expect(json.map(({ _recordId }) => _recordId)).toEqual([9, 20, 100]);
	});
});

it('an item that can be written to only some of its matching records names the records that were updated', async () => {
	const { lines } = orders.subtables;
	for (const id of [20, 30, 40]) {
		const same = () => new Map([[lines.fields.article, 'Same']]);
		const rows = new Map((id === 30 ? [901, 902] : [901]).map((rowId) => [rowId, same()]));
		testbed.order(id).subtables.set(lines.id, rows);
	}
	const rows = { [`_subtable_${lines.id}`]: [{ Article: 'Same', Quantity: 1 }] };
	const overrides = { rowsMode: 'upsert', rowMatchFields: 'Article' };
	const { error } = await testbed.runById(doing('updateAll', overrides), [{ ...item, ...rows }]);
	expect(error?.message).toContain("2 rows of the record match 'Same'");
	expect(error?.description).toContain('It failed at record 30; updated before it: 20.');
	expect(updated()).toEqual([20]);
});

it('a creation with an unknown outcome causes no second record, and the next run completes it', async () => {
	// Use a key that no other test has cached.
	const newKey = { ...other, [fields.reference]: 'FRESH' };
	const when: Fault['when'] = ({ method }) => method === 'POST';
	testbed.inject({ kind: 'resetAfterWork', when });
	const first = await testbed.runAllById(upsert, [newKey, newKey]);
	testbed.expectErrors(first, [unknown]);
	expect(first.outcomes).toEqual(['301 updated #1']);
	const again = await testbed.runById(upsert, [newKey]);
	expect(again.outcomes).toEqual(['301 updated #0']);
	expect(testbed.writes).toHaveLength(3);
	expect(testbed.orders.records.size).toBe(301);
});

it.each(['admin', 'member'] as const)(
	'%s finds records by values that the service fills in',
	async (as) => {
		const item = { 'Order Number': 'SO-00012', Total: '777.00', Remark: 'found' };
		testbed.order(12).set(fields.total, item.Total);
		const filledIn = { 'Order Number': fields.orderNumber, Total: fields.total };
		for (const [name, fieldId] of Object.entries(filledIn)) {
			const key = `${name} (${fieldId})`;
			const byHand = { [key]: `={{ $json["${name}"] }}`, Remark: 'found' };
			for (const input of [
				autoMapped([key]),
				mapped(byHand, [key], [{ id: key, displayName: name, type: 'string' }]),
				{ ...asJson('={{ $json }}'), matchFields: [name] },
			]) {
				const result = await testbed.runById({ ...upsert, ...input }, [item], testbed.as(as));
				expect(result.outcomes).toEqual(['12 updated #0']);
			}
		}
	},
);

describe('a read-only match field', () => {
	beforeEach(() => {
		clearProcessState('sheetFields');
		const readOnly = [fields.orderDate, fields.express];
		for (const field of testbed.orders.fields)
			if (readOnly.includes(field.id)) field.readOnly = true;
	});
	afterAll(() => clearProcessState('sheetFields'));

	it.each([
		[fields.orderDate, '2023-01-02T00:00:00.000Z'],
		[fields.orderDate, ' 2023/01/02 '],
		[fields.express, true],
	])('gets a converted value in automatic mapping: %s, %j', async (fieldId, value) => {
		const order = testbed.order(12).set(fields.reference, 'twelve');
		order.set(fields.orderDate, '2023/01/02').set(fields.express, 'Yes');
		const matching = autoMapped([fields.reference, fieldId]);
		const item = { Reference: 'twelve', [fieldId]: value, Remark: 'found' };
		const result = await testbed.runById({ ...upsert, ...matching }, [item], testbed.as('admin'));
		expect([result.error?.message, result.outcomes]).toEqual([undefined, ['12 updated #0']]);
	});
});

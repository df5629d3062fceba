import { orders } from '../../service';
import { useRecordTestbed } from '../recordTestbed';
import { linesOf, onLines, rowIdsOf, rowOfItem, rowsIn } from './rowTestbed';

const testbed = useRecordTestbed();
const { article, quantity } = orders.subtables.lines.fields;

const add = onLines('add', { ...rowOfItem, options: { doValidation: true } });
const items = [
	{ order: 11, row: { [article]: 'a', [quantity]: 1 } },
	{ order: 11, row: { [article]: 'b', [quantity]: 'many' } },
	{ order: 11, row: { [article]: 'c', [quantity]: 3 } },
];

/** The articles that were added to order 11, which begins with three rows. */
const added = () => linesOf(testbed.service, 11).slice(3);

describe('a row that is refused', () => {
	it('does not take the others along, and none is saved twice', async () => {
		const result = await testbed.run(add, items, { onError: 'continueErrorOutput' });
		expect(added().map(([, text]) => text)).toEqual(['a', 'c']);
		expect(result.items).toEqual([
			{ json: expect.objectContaining({ [article]: 'a' }), pairedItem: { item: 0 } },
			{ json: expect.objectContaining({ [article]: 'c' }), pairedItem: { item: 2 } },
		]);
		expect(result.items.map(({ json }) => json._rowId)).toEqual(added().map(([id]) => id));
		expect(result.errorItems.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual([
			[expect.stringContaining('the quantity must be a whole number'), { item: 1 }],
		]);
		expect(testbed.writes.map((request) => Object.keys(rowsIn(request) ?? {}).length)).toEqual([
			3, 1, 1, 1,
		]);
	});

	it('stays among the others where errors are passed on as items', async () => {
		const result = await testbed.run(add, items, { onError: 'continueRegularOutput' });
		expect(result.items.map(({ json, pairedItem }) => [Boolean(json.error), pairedItem])).toEqual([
			[false, { item: 0 }],
			[true, { item: 1 }],
			[false, { item: 2 }],
		]);
		expect(added()).toHaveLength(2);
	});

	it('ends the run with its number when errors are not passed on', async () => {
		const result = await testbed.run(add, items);
		expect(result.status).toBe('error');
		expect(result.error?.context).toMatchObject({ itemIndex: 1 });
		expect(added().map(([, text]) => text)).toEqual(['a']);
	});

	it('is refused once when it is alone', async () => {
		const result = await testbed.run(add, items.slice(1, 2));
		expect(result.status).toBe('error');
		expect(testbed.writes).toHaveLength(1);
	});
});

it('changes what can be changed when one of the rows is not there', async () => {
	const [first, second] = rowIdsOf(testbed.service, 11);
	const update = onLines('update', { ...rowOfItem, rowId: '={{ $json.line }}' });
	const result = await testbed.run(
		update,
		[
			{ order: 11, line: first, row: { [article]: 'a' } },
			{ order: 11, line: 999999, row: { [article]: 'b' } },
			{ order: 11, line: second, row: { [article]: 'c' } },
		],
		{ onError: 'continueErrorOutput' },
	);
	expect(linesOf(testbed.service, 11).map(([, text]) => text)).toEqual([
		'a',
		'c',
		expect.anything(),
	]);
	expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
	expect(result.errorItems[0]?.json.error).toContain('999999');
});

describe('what concerns the whole record', () => {
	it('is told to each item after one request: a lock', async () => {
		testbed.service.data.record(orders, 11).locked = true;
		const parameters = { ...add, options: { checkLock: true } };
		const result = await testbed.run(parameters, items, { onError: 'continueErrorOutput' });
		expect(testbed.writes).toHaveLength(1);
		expect(result.errorItems.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		for (const { json } of result.errorItems) {
			expect(json.error).toMatch(/Record locked.*'Unlock'.*Code 402/s);
			expect(json).not.toHaveProperty('details');
		}
		expect(added()).toEqual([]);
	});

	it.each([
		['a record that is not there', 'member', 99999, 'Record not found', 1],
		// Code 106 is asked about once more.
		['a user who may only read', 'reader', 11, 'No access right', 2],
	] as const)(
		'is told to each item, not asked for each: %s',
		async (_, identity, order, message, requests) => {
			const rows = items.map(({ row }) => ({ order, row }));
			const result = await testbed.run(add, rows, {
				onError: 'continueErrorOutput',
				credentials: testbed.credentials(identity),
			});
			expect(testbed.writes).toHaveLength(requests);
			expect(result.errorItems).toHaveLength(3);
			expect(result.errorItems[2]?.json.error).toContain(message);
		},
	);
});

describe('when nobody knows whether the rows were saved', () => {
	it.each([
		['the connection breaks off', { kind: 'resetAfterWork' }],
		['the service answers with an error of its own', { kind: 'status', status: 500 }],
		['the answer says neither yes nor no', { kind: 'body', body: '{"status":"PENDING"}' }],
		['the POST did not finish', { kind: 'body', body: '{"status":"ERROR","code":203,"msg":"x"}' }],
	] as const)('sends nothing again: %s', async (_, fault) => {
		testbed.service.faults.inject({ ...fault, when: ({ method }) => method === 'POST' });
		const result = await testbed.run(add, [items[0] ?? {}, items[2] ?? {}], {
			onError: 'continueErrorOutput',
		});
		expect(testbed.writes).toHaveLength(1);
		expect(result.errorItems.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
		]);
		expect(added().length).toBeLessThanOrEqual(2);
	});
});

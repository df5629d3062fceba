import { orders, type SeenRequest } from '../../service';
import { asJson } from '../record/recordValues';
import { onOrder, onOrders, useRecordTestbed } from '../recordTestbed';
import { refusal, retrying, twoRuns } from './retrying';

const testbed = useRecordTestbed({ demoRecords: 20 });
const { fields } = orders;

const create = {
	...onOrders('create'),
	...asJson(
		`={{ ({ "${fields.customerNumber}": $json.customer, "${fields.remark}": $now.toISO() }) }}`,
	),
};
const items = ['C-0001', 'C-0002', 'C-0003'].map((customer) => ({ customer }));
const writes = (customer: string) => (request: SeenRequest) =>
	request.method === 'POST' && JSON.stringify(request.body).includes(customer);

/** Returns the customers of the added orders. */
const added = () =>
	[...testbed.orders.records.values()]
		.filter(({ id }) => id > 20)
		.map((record) => record.text(fields.customerNumber));

describe('written items with Retry On Fail', () => {
	it('written items are not written again when other items fail, in any of several attempts', async () => {
		testbed.inject({ ...refusal, when: writes('C-0002') });
		testbed.inject({ ...refusal, when: writes('C-0003') });
		const result = await testbed.runById(create, items, retrying);
		expect(result.status).toBe('success');
		expect(added()).toEqual(['C-0001', 'C-0002', 'C-0003']);
		expect(testbed.writes).toHaveLength(5);
		expect(result.items.map(({ json, pairedItem }) => [json._recordId, pairedItem])).toEqual([
			[21, { item: 0 }],
			[22, { item: 1 }],
			[23, { item: 2 }],
		]);
		expect(result.json[0]?.[fields.customerNumber]).toBe('C-0001');
	});

	it('written items are not written again if the run continues with a failed item', async () => {
		testbed.inject({ ...refusal, when: writes('C-0001') });
		const result = await testbed.runById(create, items, {
			...retrying,
			onError: 'continueRegularOutput',
		});
		expect(result.status).toBe('success');
		expect(added()).toEqual(['C-0002', 'C-0003', 'C-0001']);
		expect(result.items.map(({ json, pairedItem }) => [json._recordId, pairedItem])).toEqual([
			[23, { item: 0 }],
			[21, { item: 1 }],
			[22, { item: 2 }],
		]);
	});
});

it('a partly written item continues after the part that was written', async () => {
	for (const id of [4, 5, 6]) testbed.order(id).set(fields.reference, 'KEY');
	testbed.inject({
		...refusal,
		when: ({ method, path }) => method === 'POST' && path.endsWith('/5'),
	});
	const result = await testbed.runById(
		{
			...onOrders('upsert'),
			...asJson({ [fields.reference]: 'KEY', [fields.remark]: 'told' }),
			matchFields: [fields.reference],
			options: { onMultipleMatches: 'updateAll' },
		},
		[{}],
		retrying,
	);
	expect(result.status).toBe('success');
	expect(result.actions).toEqual(['updated', 'updated', 'updated']);
	const paths = testbed.writes.map(({ path }) => path.split('/').at(-1));
	expect(paths.filter((id) => id === '5')).toHaveLength(2);
	expect(paths).toHaveLength(4);
});

it('an item whose write has an unknown outcome is not written again', async () => {
	testbed.inject({ kind: 'resetAfterWork', when: writes('C-0002') });
	const result = await testbed.runById(create, items, retrying);
	expect(result.status).toBe('error');
	expect(result.error).toMatchObject({ context: { itemIndex: 1 } });
	expect(result.error?.description).toContain('It is unknown whether the change was made');
	expect(testbed.writes).toHaveLength(2);
	expect(added()).toEqual(['C-0001', 'C-0002']);
});

it('reads are repeated in each attempt', async () => {
	testbed.inject({ ...refusal, when: ({ path }) => path.endsWith('/13') });
	const result = await testbed.run(onOrder('get'), [{ id: 12 }, { id: 13 }], retrying);
	expect(result.status).toBe('success');
	expect(result.ids).toEqual([12, 13]);
});

it('the records that the last attempt compared are counted in the hint, not those of all attempts', async () => {
	const conditions = [
		{ field: fields.status, operator: 'eq', value: '={{ $json.status }}' },
		{ field: fields.city, operator: 'ne', value: 'nowhere' },
	];
	testbed.inject({ ...refusal, when: ({ rawUrl }) => rawUrl.includes('Confirmed') });
	const list = { ...onOrders('getAll'), returnAll: true, filters: { conditions } };
	const selected = [{ status: 'Open' }, { status: 'Confirmed' }];
	const { json, hintTexts } = await testbed.run(list, selected, retrying);
	const { length } = json;
	expect(hintTexts.join()).toContain(`read ${length} records and returned ${length} of them`);
});

it('another run of the node with the same items writes again, and so does another execution', async () => {
	testbed.inject({ ...refusal, when: writes('C-0002') });
	testbed.inject({ ...refusal, when: writes('C-0003') });
	const result = await twoRuns(testbed, create, items);
	expect(result.status).toBe('success');
	expect(added()).toEqual(['C-0001', 'C-0002', 'C-0003', 'C-0001', 'C-0002', 'C-0003']);
	expect(result.ids).toEqual([24, 25, 26]);
	await testbed.runById(create, items, retrying);
	expect(added()).toHaveLength(9);
});

import { orders } from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';
import { asJson } from './recordValues';

const testbed = useRecordTestbed({ demoRecords: 10 });
const { fields } = orders;
const create = { operation: 'create', sheet: sheet(orders) };
const yearFieldId = '1000190';

beforeEach(() => {
	const { fields: ofOrders } = testbed.service.data.sheet(orders);
	ofOrders.push({ id: yearFieldId, name: '2024', type: 'text' });
});

describe('a field that is called by a short number', () => {
	it.each([
		['beside names', { 'Customer Number': 'C-0001', 2024: '5' }],
		['beside IDs alone', { [fields.customerNumber]: 'C-0001', 2024: '5' }],
	])('is the same field %s', async (_, record) => {
		const result = await testbed.run({ ...create, ...asJson(record) }, [{}], {
			credentials: testbed.credentials('admin'),
		});
		expect(result.error).toBeUndefined();
		expect(testbed.writes.map(({ body }) => body)).toEqual([
			{ [fields.customerNumber]: 'C-0001', [yearFieldId]: '5' },
		]);
	});

	it('is an ID where nobody tells the names', async () => {
		testbed.service.faults.inject({
			kind: 'body',
			body: '{}',
			times: Infinity,
			when: ({ method }) => method === 'GET',
		});
		const record = { [fields.customerNumber]: 'C-0001', 2025: '5' };
		// Another user, for whom nothing was learnt before.
		await testbed.run({ ...create, ...asJson(record) });
		expect(testbed.writes.map(({ body }) => body)).toEqual([
			{ [fields.customerNumber]: 'C-0001', 2025: '5' },
		]);
	});
});

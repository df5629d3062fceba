import { orders } from '../../service';
import { onOrders, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed({ demoRecords: 30 });
const { fields } = orders;
const filters = { conditions: [{ field: fields.remark, operator: 'eq', value: 'no such text' }] };

describe('a list without records that has the key -1', () => {
	beforeEach(() => {
		testbed.service.switches.minusOneBesideRecords = true;
	});

	it.each([
		{ what: 'Get Many', parameters: { ...onOrders('getAll'), filters }, expected: [] },
		{ what: 'Count', parameters: { ...onOrders('count'), filters }, expected: [{ count: 0 }] },
		{
			what: 'If Exists',
			parameters: { ...onOrders('ifExists'), matchFields: [fields.remark], passOn: 'missing' },
			expected: [{ [fields.remark]: 'no such text' }],
		},
	])('is no error: $what', async ({ parameters, expected }) => {
		const { items, error } = await testbed.run(parameters, [{ [fields.remark]: 'no such text' }]);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toEqual(expected);
	});

	it('is no error: an upsert creates the record', async () => {
		const values = { [fields.remark]: 'no such text', [fields.customerNumber]: 'C-0007' };
		const json = { inputMode: 'json', recordJson: JSON.stringify(values) };
		const { items } = await testbed.run({
			...onOrders('upsert'),
			...json,
			matchFields: [fields.remark],
		});
		expect(items[0]?.json).toMatchObject({ _action: 'created', Remark: 'no such text' });
	});
});

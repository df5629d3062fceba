import { orders } from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();

const readWhere = async (value: string) =>
	await testbed.run({
		operation: 'getAll',
		sheet: sheet(orders),
		filters: { conditions: [{ field: orders.fields.city, operator: 'eq', value }] },
	});

describe('a condition that compares with no single value', () => {
	it.each([
		"={{ ['Ulm', 'Bonn'] }}",
		'={{ [] }}',
		"={{ { city: 'Ulm' } }}",
		'={{ new Date(8.64e15) }}',
	])('is refused, since it would ask for empty fields: %s', async (value) => {
		const result = await readWhere(value);
		expect(result.status).toBe('error');
		expect(result.error).toMatchObject({
			name: 'NodeOperationError',
			message: `A condition on the field ${orders.fields.city} compares with a list or an object`,
			context: { itemIndex: 0 },
		});
		expect(testbed.reads.filter(({ rawUrl }) => rawUrl.includes('where='))).toEqual([]);
	});
});

import { orders } from '../../service';
import { byConditions, mass } from '../massOperation/massParameters';
import { onOrders, useRecordTestbed } from '../recordTestbed';
import { conditionsSent, idsWhere } from './listedOrders';

/** Filters with true and false on a field whose records hold several words for true. */
const testbed = useRecordTestbed({ demoRecords: 40 });
const { remark } = orders.fields;

beforeEach(() => {
	const words = ['Yes', 'No', 'true', 'Yes', 'No', 'Yes'];
	for (const [id, order] of testbed.orders.records) {
		order.set(remark, words[id % words.length] ?? '');
	}
});

const find = async (operator: string, value: string) =>
	await testbed.run({
		...{ ...onOrders('getAll'), returnAll: true },
		filters: { conditions: [{ field: remark, operator, value }] },
	});

const holds = (...words: string[]) =>
	idsWhere(testbed, (order) => words.includes(order.text(remark)));

it.each([
	{ operator: 'eq', value: '={{ true }}', words: ['Yes', 'true'] },
	{ operator: 'eq', value: '={{ false }}', words: ['No'] },
	{ operator: 'ne', value: '={{ true }}', words: ['No'] },
	{ operator: 'in', value: '={{ [true] }}', words: ['Yes', 'true'] },
	// A text is sent unchanged.
	{ operator: 'eq', value: 'Yes', words: ['Yes'] },
])('$operator $value finds the records with $words', async ({ operator, value, words }) => {
	expect((await find(operator, value)).ids).toEqual(holds(...words));
});

it('a mass operation selects the records of all words, too', async () => {
	await testbed.run(mass('lock', byConditions([remark, 'eq', '={{ true }}'])));
	const locked = [...testbed.orders.records.values()].filter((order) => order.locked);
	expect(locked.map(({ id }) => id).sort()).toEqual(holds('Yes', 'true').sort());
});

it('a bound is compared with the most frequent word only', async () => {
	await find('gte', '={{ true }}');
	expect(conditionsSent(testbed).at(-1)).toBe(`${remark},gte,Yes`);
});

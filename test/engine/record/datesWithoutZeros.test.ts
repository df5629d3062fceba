import { orders } from '../../service';
import { onOrder, onOrders, sheet, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped } from './recordValues';

/** Some accounts return dates without leading zeros: `2026/6/5`. Such a date is the same day as `2026/06/05`. */
const testbed = useRecordTestbed({ demoRecords: 60 });
const { fields } = orders;

const input = ['2026-06-05', '2026/06/05', '2026/6/5'];
const isAsAdmin = [true, false];

beforeEach(() => {
	testbed.service.switches.dateZeros = 'leftOut';
	for (const record of testbed.orders.records.values()) record.set(fields.orderDate, '2026/01/31');
	testbed.order(7).set(fields.orderDate, '2026/06/05');
});

const cases = input.flatMap((date) =>
	isAsAdmin.map((isAdmin) => ({ date, as: isAdmin ? ('admin' as const) : ('member' as const) })),
);

it.each(cases)(
	'Create or Update finds the record of the date $date as $as',
	async ({ date, as }) => {
		const upsert = { operation: 'upsert', sheet: sheet(orders), ...autoMapped(['Order Date']) };
		const items = [{ 'Order Date': date, Remark: 'found' }];
		const result = await testbed.run(upsert, items, testbed.as(as));
		expect(result.outcomes).toEqual(['7 updated #0']);
	},
);

it.each(cases)(
	'If Exists and Get by match find the record of the date $date as $as',
	async ({ date, as }) => {
		const items = [{ 'Order Date': date }];
		const match = { matchFields: ['Order Date'] };
		const exists = await testbed.run({ ...onOrders('ifExists'), ...match }, items, testbed.as(as));
		expect(exists.json).toEqual(items);
		const get = { ...onOrders('get'), getBy: 'match', ...match };
		expect((await testbed.run(get, items, testbed.as(as))).ids).toEqual([7]);
	},
);

it.each(cases)('filters compare the date $date by its value as $as', async ({ date, as }) => {
	const found = async (operator: string) => {
		const filters = { conditions: [{ field: 'Order Date', operator, value: date }] };
		const list = { ...onOrders('getAll'), returnAll: true, filters };
		const { ids, error } = await testbed.run(list, [{}], testbed.as(as));
		expect(error).toBeUndefined();
		return ids;
	};
	expect([await found('eq'), await found('gte'), await found('in')]).toEqual([[7], [7], [7]]);
	const rest = await found('ne');
	expect([rest.length, rest.includes(7)]).toEqual([59, false]);
});

it.each(cases)(
	'Skip Unchanged writes nothing for the same date $date as $as',
	async ({ date, as }) => {
		const update = {
			...onOrder('update', 7),
			...asJson({ 'Order Date': date }),
			options: { skipUnchanged: true },
		};
		const result = await testbed.run(update, [{}], testbed.as(as));
		expect(result.actions).toEqual(['unchanged']);
		expect(testbed.writes).toEqual([]);
	},
);

import { customers, orders, type SheetRecord } from '../../service';
import { onOrders, useRecordTestbed } from '../recordTestbed';
import { conditionsSent, idsWhere } from './listedOrders';

const testbed = useRecordTestbed();
const { fields } = orders;

type Condition = [field: string, operator: string, value?: string];
type Test = (record: SheetRecord) => boolean;

async function found(conditions: Condition[], identity: 'member' | 'reader' = 'member') {
	const entries = conditions.map(([field, operator, value]) => ({
		...{ field, operator },
		...(value === undefined ? {} : { value }),
	}));
	const list = { ...onOrders('getAll'), returnAll: true, filters: { conditions: entries } };
	const result = await testbed.run(list, [{}], testbed.as(identity));
	expect(result.error).toBeUndefined();
	return result.ids;
}

const total = (record: SheetRecord) => Number(record.text(fields.total));
const status = (record: SheetRecord) => record.text(fields.status);
const open: Condition = [fields.status, 'eq', 'Open'];
const shipped: Condition = [fields.status, 'eq', 'Shipped'];
const ofTotal = (operator: string, value = '812.5'): Condition => [fields.total, operator, value];

/** Conditions, which are sent unchanged unless `sent` is set. */
it.each<[string, Condition[], Test, sent?: string]>([
	['Is Equal To', [open], (record) => status(record) === 'Open'],
	[
		'Matches Regex',
		[[fields.reference, 'regex', '^REF-(9|1[0-3])$']],
		(record) => /^REF-(9|1[0-3])$/.test(record.text(fields.reference)),
		// The value is encoded as a URI component: only the separating commas are not encoded.
		'512,regex,%5EREF-(9%7C1%5B0-3%5D)%24',
	],
	['Is Greater Than', [ofTotal('gt')], (record) => total(record) > 812.5],
	['Is Greater Than or Equal To', [ofTotal('gte')], (record) => total(record) >= 812.5],
	['Is Less Than', [ofTotal('lt')], (record) => total(record) < 812.5],
	['Is Less Than or Equal To', [ofTotal('lte')], (record) => total(record) <= 812.5],
	[
		'Contains, by the name of a field,',
		[['Customer Name', 'like', 'Books']],
		(record) => record.text(fields.customerName).includes('Books'),
		'1000003,like,Books',
	],
	[
		'Is Empty with a value that was entered before',
		[[fields.note, 'empty', 'left over']],
		(record) => record.text(fields.note) === '',
		'1000012,eq,',
	],
	['one of two on one field', [open, shipped], (record) => /^(Open|Shipped)$/.test(status(record))],
	[
		'all on different fields',
		[open, [fields.city, 'eq', 'Lyon']],
		(record) => status(record) === 'Open' && record.text(fields.city) === 'Lyon',
	],
	[
		'a range on one field',
		[ofTotal('gte', '100'), ofTotal('lt', '200')],
		(record) => total(record) >= 100 && total(record) < 200,
	],
])('%s returns the matching records', async (_, conditions, test, ...[sent]) => {
	expect(await found(conditions)).toEqual(idsWhere(testbed, test));
	const expected = conditions.map((condition) => sent ?? condition.join());
	expect(conditionsSent(testbed)).toEqual(expected);
});

it('Linked Record ID Is matches a link field, and the records of the sheet itself', async () => {
	const key = testbed.service.data.record(customers, 14).text(customers.fields.customerNumber);
	const expected = idsWhere(testbed, (record) => record.text(fields.customerNumber) === key);
	expect(await found([[fields.customerNumber, 'eqeq', '14']])).toEqual(expected);
	expect(await found([[fields.orderNumber, 'eqeq', '200']])).toEqual([200]);
	// Fields that are given by ID are not looked up.
	expect(testbed.reads).toHaveLength(2);
});

describe('the fields of filters', () => {
	it.each<[...Required<Condition>, Test]>([
		['If Starred', 'eq', 'true', ({ starred }) => starred],
		['If Locked', 'eq', 'Yes', ({ locked }) => locked],
		['Create User', 'like', 'max', ({ created }) => created.user.startsWith('max')],
		['Entry Manager', 'like', 'ada', ({ entryManager }) => entryManager.startsWith('ada')],
		['Create Date', 'lt', '2023/02/01', ({ created }) => created.at < Date.UTC(2023, 1, 1)],
		['Last Update Date', 'gte', '2023/02/02', ({ updated }) => updated.at >= Date.UTC(2023, 1, 2)],
	])('the system field %s can be filtered: %s %s', async (field, operator, value, test) => {
		expect(await found([[field, operator, value]])).toEqual(idsWhere(testbed, test));
	});

	it('the system field Notify User is empty for records without a notified user', async () => {
		testbed.order(6).notifyUser = 'ada.admin@acme.example';
		expect(await found([['Notify User', 'eq', 'ada.admin@acme.example']])).toEqual([6]);
		expect(conditionsSent(testbed)).toEqual(['110,eq,ada.admin%40acme.example']);
	});

	it('a field of the sheet takes precedence over a system field with the same name', async () => {
		const stamp = testbed.orders.field(fields.workflowStamp);
		if (stamp) stamp.name = 'Create User';
		testbed.order(5).set(fields.workflowStamp, 'robot');
		// Run as a user without cached fields of this sheet.
		expect(await found([['Create User', 'eq', 'robot']], 'reader')).toEqual([5]);
		expect(conditionsSent(testbed).at(-1)).toBe(`${fields.workflowStamp},eq,robot`);
	});
});

it('the filters are evaluated for each item, and the results are linked to it', async () => {
	const condition = { field: '={{ $json.field }}', operator: 'eq', value: '={{ $json.value }}' };
	const list = { ...onOrders('getAll'), filters: { conditions: [condition] } };
	const result = await testbed.run(list, [
		{ field: fields.orderNumber, value: 'SO-00011' },
		{ field: fields.orderNumber, value: 'no such order' },
		{ field: 'Order Number', value: 'SO-00012' },
	]);
	expect(result.json.map(({ _title }) => _title)).toEqual(['SO-00011', 'SO-00012']);
	expect(result.links).toEqual([{ item: 0 }, { item: 2 }]);
});

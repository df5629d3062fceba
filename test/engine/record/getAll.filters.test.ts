import type { INodeParameters } from 'n8n-workflow';

import { customers, orders, type SheetRecord } from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed({ demoRecords: 2_500 });
const { fields } = orders;

/** A condition, as a row of the filters. */
function condition(field: string, operator: string, value?: unknown): INodeParameters {
	return { field, operator, ...(value === undefined ? {} : { value: String(value) }) };
}

/** The ids of the orders that n8n finds. */
async function found(...conditions: INodeParameters[]): Promise<unknown[]> {
	const result = await testbed.run({
		operation: 'getAll',
		sheet: sheet(orders),
		returnAll: true,
		filters: { conditions },
		options: { subtables: false, listing: true },
	});
	expect(result.error).toBeUndefined();
	return result.items.map(({ json }) => json._recordId);
}

/** The ids of the orders that ought to be found; a test without any would prove nothing. */
function ordersWhere(test: (record: SheetRecord) => boolean): number[] {
	const ids = [...testbed.service.data.sheet(orders).records.values()]
		.filter(test)
		.sort((left, right) => left.created.at - right.created.at)
		.map(({ id }) => id);
	expect(ids.length).toBeGreaterThan(0);
	expect(ids.length).toBeLessThan(2500);
	return ids;
}

const total = (record: SheetRecord) => Number(record.text(fields.total));

function whereOfList(): string[] {
	const list = testbed.reads.filter(({ rawUrl }) => rawUrl.includes('limit=')).at(-1);
	return (list?.rawUrl.split('&') ?? []).filter((part) => part.startsWith('where='));
}

describe('operators', () => {
	it('Is Equal To', async () => {
		expect(await found(condition(fields.status, 'eq', 'Open'))).toEqual(
			ordersWhere((record) => record.text(fields.status) === 'Open'),
		);
		expect(whereOfList()).toEqual(['where=1000007,eq,Open']);
	});

	it('Matches Regex', async () => {
		expect(await found(condition(fields.reference, 'regex', '^REF-(9|1[0-3])$'))).toEqual(
			ordersWhere((record) => /^REF-(9|1[0-3])$/.test(record.text(fields.reference))),
		);
		// Encoded as a component: the separating commas are the only bare ones.
		expect(whereOfList()).toEqual(['where=512,regex,%5EREF-(9%7C1%5B0-3%5D)%24']);
	});

	it.each([
		['gt', (value: number) => value > 812.5],
		['gte', (value: number) => value >= 812.5],
		['lt', (value: number) => value < 812.5],
		['lte', (value: number) => value <= 812.5],
	] as const)('%s compares numbers', async (operator, compare) => {
		expect(await found(condition(fields.total, operator, 812.5))).toEqual(
			ordersWhere((record) => compare(total(record))),
		);
		expect(whereOfList()).toEqual([`where=1000009,${operator},812.5`]);
	});

	it('Contains', async () => {
		expect(await found(condition(fields.customerName, 'like', 'Books'))).toEqual(
			ordersWhere((record) => record.text(fields.customerName).includes('Books')),
		);
	});

	it('Is the Record With ID, of a link and of the sheet itself', async () => {
		const key = testbed.service.data.record(customers, 14).text(customers.fields.customerNumber);
		expect(await found(condition(fields.customerNumber, 'eqeq', 14))).toEqual(
			ordersWhere((record) => record.text(fields.customerNumber) === key),
		);
		expect(await found(condition(fields.orderNumber, 'eqeq', 2000))).toEqual([2000]);
	});

	it('Is Empty', async () => {
		const isEmpty = (record: SheetRecord) => record.text(fields.note) === '';
		expect(await found(condition(fields.note, 'empty'))).toEqual(ordersWhere(isEmpty));
		expect(whereOfList()).toEqual(['where=1000012,eq,']);
	});

	it('Is Empty does not look at a value that was typed before', async () => {
		await found(condition(fields.note, 'empty', 'left over'));
		expect(whereOfList()).toEqual(['where=1000012,eq,']);
	});
});

describe('several conditions', () => {
	it('on one field: one must match', async () => {
		const wanted = ['Open', 'Shipped'];
		expect(await found(...wanted.map((value) => condition(fields.status, 'eq', value)))).toEqual(
			ordersWhere((record) => wanted.includes(record.text(fields.status))),
		);
		expect(whereOfList()).toEqual(['where=1000007,eq,Open', 'where=1000007,eq,Shipped']);
	});

	it('on one field, of different operators and empty: one must match', async () => {
		expect(
			await found(
				condition(fields.remark, 'like', 'noon'),
				condition(fields.remark, 'empty'),
				condition(fields.remark, 'regex', '^Price'),
			),
		).toEqual(ordersWhere((record) => /^$|noon|^Price/.test(record.text(fields.remark))));
	});

	it('on different fields: all must match', async () => {
		expect(
			await found(condition(fields.status, 'eq', 'Open'), condition(fields.city, 'eq', 'Lyon')),
		).toEqual(
			ordersWhere(
				(record) => record.text(fields.status) === 'Open' && record.text(fields.city) === 'Lyon',
			),
		);
	});

	it('greater and less on one field: a range', async () => {
		expect(
			await found(condition(fields.total, 'gte', 100), condition(fields.total, 'lt', 200)),
		).toEqual(ordersWhere((record) => total(record) >= 100 && total(record) < 200));
		expect(whereOfList()).toEqual(['where=1000009,gte,100', 'where=1000009,lt,200']);
	});
});

describe('fields', () => {
	it('may be given by their names', async () => {
		expect(await found(condition('Customer Name', 'like', 'Bikes'))).toEqual(
			ordersWhere((record) => record.text(fields.customerName).includes('Bikes')),
		);
		expect(whereOfList()).toEqual(['where=1000003,like,Bikes']);
	});

	it('are not looked up when they are given by id', async () => {
		await found(condition(fields.status, 'eq', 'Open'));
		expect(testbed.reads.every(({ rawUrl }) => rawUrl.includes('limit='))).toBe(true);
	});

	it.each([
		['112', 'eq', 'Yes', (record: SheetRecord) => record.starred],
		['If Starred', 'eq', 'true', (record: SheetRecord) => record.starred],
		['If Locked', 'eq', 'Yes', (record: SheetRecord) => record.locked],
		['108', 'like', 'ada', (record: SheetRecord) => record.created.user.startsWith('ada')],
		['Create User', 'like', 'max', (record: SheetRecord) => record.created.user.startsWith('max')],
		[
			'Entry Manager',
			'like',
			'ada',
			(record: SheetRecord) => record.entryManager.startsWith('ada'),
		],
		[
			'Create Date',
			'lt',
			'2023/03/01',
			(record: SheetRecord) => record.created.at < Date.UTC(2023, 2, 1),
		],
		[
			'Last Update Date',
			'gte',
			'2023/03/01 00:00:00',
			(record: SheetRecord) => record.updated.at >= Date.UTC(2023, 2, 1),
		],
	] as const)(
		'%s, which every sheet has, can be asked for: %s %s',
		async (field, operator, value, test) => {
			expect(await found(condition(field, operator, value))).toEqual(ordersWhere(test));
		},
	);

	it('that nobody was told of are empty: Notify User', async () => {
		testbed.service.data.record(orders, 6).notifyUser = 'ada.admin@acme.example';
		expect(await found(condition('Notify User', 'eq', 'ada.admin@acme.example'))).toEqual([6]);
		expect(whereOfList()).toEqual(['where=110,eq,ada.admin%40acme.example']);
	});

	it('of the sheet go before those of every sheet', async () => {
		const sheetFields = testbed.service.data.sheet(orders).fields;
		const stamp = sheetFields.find(({ id }) => id === fields.workflowStamp);
		if (stamp) stamp.name = 'Create User';
		testbed.service.data.record(orders, 5).set(fields.workflowStamp, 'robot');
		const result = await testbed.run(
			{
				operation: 'getAll',
				sheet: sheet(orders),
				filters: { conditions: [condition('Create User', 'eq', 'robot')] },
			},
			[{}],
			// Someone who has not learnt the fields of this sheet yet.
			{ credentials: testbed.credentials('reader') },
		);
		expect(result.items.map(({ json }) => json._recordId)).toEqual([5]);
		expect(whereOfList()).toEqual([`where=${fields.workflowStamp},eq,robot`]);
	});
});

describe('filters of each item', () => {
	it('are evaluated for it, and the finds are linked to it', async () => {
		const result = await testbed.run(
			{
				operation: 'getAll',
				sheet: sheet(orders),
				filters: {
					conditions: [
						{ field: '={{ $json.field }}', operator: 'eq', value: '={{ $json.value }}' },
					],
				},
			},
			[
				{ field: fields.orderNumber, value: 'SO-00011' },
				{ field: fields.orderNumber, value: 'no such order' },
				{ field: 'Order Number', value: 'SO-00012' },
			],
		);
		expect(result.items.map(({ json, pairedItem }) => [json._title, pairedItem])).toEqual([
			['SO-00011', { item: 0 }],
			['SO-00012', { item: 2 }],
		]);
	});
});

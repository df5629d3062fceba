import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	empty,
	orders,
	tasks,
	type IdentityName,
	type SeenRequest,
	type SheetAddress,
} from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped } from './recordValues';
import { addRecord, lookUpsOf } from './upserts';

const testbed = useRecordTestbed();
const { title, amount } = empty.fields;
const ofOrders = orders.fields;
const { reference, customerNumber, remark, internalMargin } = ofOrders;

async function upsert(
	address: SheetAddress,
	columns: string[],
	items: IDataObject[],
	{ options = {}, as }: { options?: INodeParameters; as?: IdentityName } = {},
) {
	const parameters = { ...autoMapped(columns), operation: 'upsert', sheet: sheet(address) };
	return await testbed.runAllById({ ...parameters, options }, items, testbed.as(as));
}

/** Returns the record ID and the action of each item. */
const actionsOf = async (...runArguments: Parameters<typeof upsert>) =>
	(await upsert(...runArguments)).outcomes.map((outcome) => outcome.replace(/ #\d+$/, ''));

/** Returns these records to every look-up. */
function answerLookUps(answer: object) {
	for (const [body, offset] of [
		[JSON.stringify(answer), 'offset=0'],
		['{}', 'offset='],
	] as const) {
		const when = ({ rawUrl }: SeenRequest) => /where=/.test(rawUrl) && rawUrl.includes(offset);
		testbed.inject({ kind: 'body', body, when, times: Infinity });
	}
}

describe('match values are equal, with and without index lag,', () => {
	const { deliveryTime } = ofOrders;
	const [long, time] = ['12345678901234567890', '2031/05/06 07:08'];

	it.each<[string, SheetAddress, string, Array<string | number>, number[], IdentityName]>([
		['texts to the letter', empty, title, ['612', '0612', 'AB-1', 'ab-1'], [0, 1, 2, 3], 'member'],
		['texts to the last zero', empty, title, ['1.1', '1.10'], [0, 1], 'member'],
		['numbers by value', empty, amount, ['05', 5, '5.00', 6], [0, 0, 0, 1], 'admin'],
		['long numbers by value', empty, amount, [long, `${long}.0`], [0, 0], 'admin'],
		['what may be no number to the letter', empty, amount, [5, '5.00', '5'], [0, 1, 0], 'member'],
		['times by value', orders, deliveryTime, [time, `${time}:00`], [301, 301], 'member'],
	])('%s', async (_, on, field, values, ids, as) => {
		const requiredValues =
			on === orders ? { [customerNumber]: 'C-0001' } : { [title]: 'x', [amount]: 1 };
		const items = values.map((value) => ({ ...requiredValues, [field]: value }));
		for (const lag of [0, 60_000]) {
			testbed.service.reset();
			testbed.service.switches.filterLagMilliseconds = lag;
			const action = (id: number, place: number) =>
				ids.indexOf(id) < place ? 'updated' : 'created';
			const expected = ids.map((id, place) => `${id} ${action(id, place)}`);
			expect(await actionsOf(on, [field], items, { as })).toEqual(expected);
			const again = await actionsOf(on, [field], items.slice(0, 1), { as });
			expect(again).toEqual([`${ids[0]} updated`]);
		}
	});

	it('to stored values, compared by type: Yes and true, the same choices in another order, 5 and 5.00', async () => {
		const { done, assignee, title: task } = tasks.fields;
		const { tags } = ofOrders;
		for (const record of testbed.service.data.sheet(tasks).records.values()) record.set(done, 'No');
		testbed.service.data.record(tasks, 9).set(done, 'Yes');
		const item = { [done]: true, [assignee]: 'Done', [task]: 'x' };
		expect(await actionsOf(tasks, [done], [item])).toEqual(['9 updated']);
		for (const record of testbed.orders.records.values()) record.set(tags, []);
		testbed.order(21).set(tags, ['Gift', 'Bulk']);
		const both = [{ [tags]: ['Bulk', 'Gift'], [remark]: 'x' }];
		expect(await actionsOf(orders, [tags], both)).toEqual(['21 updated']);
		addRecord(testbed, amount, '5.00').set(title, 'a');
		addRecord(testbed, amount, '6').set(title, 'b');
		const keys = ['a 5', 'b 6', 'a 6'].map((key) => key.split(' '));
		const items = keys.map(([text, number]) => ({ [title]: text, [amount]: Number(number) }));
		const made = await actionsOf(empty, [title, amount], items, { as: 'admin' });
		expect(made).toEqual(['0 updated', '1 updated', '2 created']);
	});

	it('to masked and rich texts in their stored form, if the user has access to it', async () => {
		const stored = { [internalMargin]: 'only 5', [ofOrders.description]: '[b]5[/b]' };
		for (const [field, value] of Object.entries(stored)) {
			testbed.order(5).set(field, value);
			const items = [{ [field]: value, [remark]: 'x' }];
			expect(await actionsOf(orders, [field], items, { as: 'admin' })).toEqual(['5 updated']);
		}
	});
});

describe('a record without the match value', () => {
	it.each(['updateAll', 'updateFirst', 'error'])(
		'a record without the value is not updated although the look-up returns it (%s)',
		async (onMultipleMatches) => {
			const found = (id: number) => ({ _svcId: id, [reference]: `REF-${id}` });
			answerLookUps({ 7: found(7), 8: found(8), 9: found(9) });
			const item = { [reference]: 'KEY', [customerNumber]: 'C-0001', [remark]: 'x' };
			const options = { onMultipleMatches };
			expect(await actionsOf(orders, [reference], [item], { options })).toEqual(['301 created']);
			expect(testbed.writes).toHaveLength(1);
		},
	);

	it.each([
		['masked', { [internalMargin]: '****' }],
		['hidden from this user', {}],
	])('nothing is written if the match field is %s', async (_, content) => {
		answerLookUps({ 7: { _svcId: 7, ...content } });
		const result = await upsert(orders, [internalMargin], [{ [internalMargin]: '12%' }]);
		testbed.expectErrors(result, ["does not show the field 'Internal Margin'"]);
		expect(testbed.writes).toEqual([]);
	});
});

it.each([
	{ operation: 'get', getBy: 'match' },
	{ operation: 'delete', deleteBy: 'match' },
	{ operation: 'ifExists' },
	{ operation: 'upsert', ...asJson('={{ $json }}') },
])(
	'a mask is not looked up in a field of which nothing is known: $operation',
	async (parameters) => {
		await testbed.expectRefused(
			{ ...parameters, sheet: sheet(empty), matchFields: [title] },
			[{ [title]: '****', [amount]: 5 }],
			"does not show the field 'Title' to this user",
		);
		expect(lookUpsOf(testbed)).toEqual([]);
	},
);

it.each([
	{ what: 'JSON', input: { ...asJson('={{ $json }}'), matchFields: [internalMargin] } },
	{ what: 'automatic mapping', input: autoMapped([internalMargin]) },
])('a mask is not looked up in a masked field, with $what', async ({ input }) => {
	const items = [{ [internalMargin]: '****', [remark]: 'x' }];
	for (const as of ['admin', 'member'] as const) {
		await testbed.expectRefused(
			{ operation: 'upsert', sheet: sheet(orders), ...input },
			items,
			"does not show the field 'Internal Margin' to this user",
			testbed.as(as),
		);
	}
	expect(lookUpsOf(testbed)).toEqual([]);
});

it('a match value that the service rejects fails only its own item', async () => {
	const { dueDate, title: task } = tasks.fields;
	const items = Array.from({ length: 12 }, (_, index) => ({
		[dueDate]: index % 10 === 1 ? 'tomorrow' : `2031/05/${String(index + 10)}`,
		[task]: `Task ${index}`,
	}));
	testbed.service.data.record(tasks, 5).set(dueDate, '2031/05/12');
	const result = await upsert(tasks, [dueDate], items);
	testbed.expectErrors(result, { 1: 'tomorrow', 11: 'tomorrow' });
	expect(result.outcomes.slice(0, 3)).toEqual(['41 created #0', '5 updated #2', '42 created #3']);
	expect(testbed.service.data.sheet(tasks).records.size).toBe(40 + 9);
	// One look-up for all keys, and one per key.
	expect(lookUpsOf(testbed).length).toBeLessThanOrEqual(1 + 12);
});

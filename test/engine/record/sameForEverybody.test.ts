import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { amount } from '../../amount';
import { timeLimit } from '../../timeLimit';
import { customers, orders, type IdentityName, type SheetAddress } from '../../service';
import { onOrder, recordId, sheet, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped, mapped } from './recordValues';

// In each example of the random test, several users write up to twenty items.
jest.setTimeout(timeLimit(amount(30, 120)));

const testbed = useRecordTestbed({ demoRecords: 40 });
const { fields } = orders;
const quiet = { doWorkflow: false };

/** User who writes, kind of the field keys, and input mode. */
interface Way {
	identity: IdentityName;
	keys: 'ids' | 'names';
	input: 'autoMap' | 'json' | 'mapper';
}

const allWays = (['admin', 'member'] as const).flatMap((identity, user) =>
	(['names', 'ids'] as const).flatMap((keys, kind) =>
		(['autoMap', 'json', 'mapper'] as const).map((input, mode) => ({
			...{ identity, keys, input },
			isInPairs: (user + kind + mode) % 2 === 0,
		})),
	),
);
/** Half of the ways, in which each two settings occur together; in long runs all ways. */
const ways: Way[] = allWays.filter(({ isInPairs }) => amount(isInPairs, true));

/** Values by field ID, one object per item. */
type Items = readonly IDataObject[];

/** Returns the parameters and items that write the values in this way. */
function writeParameters(
	{ keys, input }: Way,
	items: Items,
	address: SheetAddress,
	matchOn: string[] = [],
) {
	const keyOf = (fieldId: string) =>
		keys === 'ids' ? fieldId : (testbed.service.data.sheet(address).field(fieldId)?.name ?? '');
	const named = items.map((values) =>
		Object.entries(values).map(([fieldId, value]) => [keyOf(fieldId), value] as const),
	);
	const matching = matchOn.map(keyOf);
	const expressions = named.flat().map(([key]) => [key, `={{ $json["${key}"] }}`]);
	const inputs: Record<Way['input'], INodeParameters> = {
		autoMap: autoMapped(matching),
		json: asJson('={{ $json }}'),
		mapper: mapped(Object.fromEntries(expressions), matching),
	};
	return {
		parameters: { sheet: sheet(address), matchFields: matching, ...inputs[input] },
		items: named.map((entries): IDataObject => Object.fromEntries(entries)),
	};
}

/** Updates an order once per item. Returns the bodies of the requests, and the indexes of the rejected items. */
async function update(way: Way, values: Items, isReset = true) {
	if (isReset) testbed.service.reset();
	const { parameters, items } = writeParameters(way, values, orders);
	const result = await testbed.runAllById(
		{ ...onOrder('update', 5), ...parameters, options: quiet },
		items,
		{ timezone: 'America/New_York', ...testbed.as(way.identity) },
	);
	const refused = result.errorItems.map(({ pairedItem }) => Object(pairedItem).item);
	const warned = result.json.flatMap(({ _warning }) => _warning ?? []);
	return { sent: testbed.bodies, refused, warned };
}

describe.each(ways)('$identity, by $keys, with $input', (way) => {
	it('an invalid date is rejected in date fields and in date-time fields', async () => {
		const wrong = ['31.01.2031', '2031-02-30', 'asap', '1700000000000', 1700000000000, true];
		const items = wrong.flatMap((value) => [
			{ [fields.orderDate]: value },
			{ [fields.deliveryTime]: value },
		]);
		expect(await update(way, items)).toMatchObject({ sent: [], refused: [...items.keys()] });
	});

	it('a text that is not a number is rejected in number fields', async () => {
		const { creditLimit } = customers.fields;
		const wrong = ['5%', '1.234,56', '１２', 'P3D', '31.01.2031', '€ 5', '1e5', 'true'];
		const right = ['1,234.5', '-7', 12.5, '007', ''];
		const values = [...wrong, ...right].map((value) => ({ [creditLimit]: value }));
		const { parameters, items } = writeParameters(way, values, customers);
		const result = await testbed.runAllById(
			{ ...onOrder('update', 5), ...parameters, options: { ...quiet, clearEmpty: true } },
			items,
			testbed.as(way.identity),
		);
		expect(testbed.bodies).toEqual(right.map((value) => ({ [creditLimit]: value })));
		testbed.expectErrors(
			result,
			Object.fromEntries(wrong.map((_, item) => [item, 'not a number'])),
		);
	});

	it('dates, booleans and choices are sent according to the kinds of their fields', async () => {
		const rows: Array<{ fieldId: string; value: boolean | string; sent: unknown }> = [
			{ fieldId: fields.orderDate, value: '2031-01-31', sent: '2031/01/31' },
			// Midnight in UTC is this day in a date field, in every time zone.
			{ fieldId: fields.orderDate, value: '2031-01-31T00:00:00.000Z', sent: '2031/01/31' },
			{ fieldId: fields.deliveryTime, value: '2031-01-31T09:30', sent: '2031/01/31 09:30:00' },
			{ fieldId: fields.remark, value: '2031-01-31', sent: '2031-01-31' },
			{ fieldId: fields.express, value: false, sent: 'No' },
			{ fieldId: fields.express, value: true, sent: 'Yes' },
			{ fieldId: fields.tags, value: 'Gift, Bulk', sent: ['Gift', 'Bulk'] },
			{ fieldId: fields.tags, value: 'Gift', sent: 'Gift' },
			{ fieldId: fields.remark, value: 'Gift, Bulk', sent: 'Gift, Bulk' },
			{ fieldId: fields.reference, value: '0612', sent: '0612' },
		];
		const { sent } = await update(
			way,
			rows.map(({ fieldId, value }) => ({ [fieldId]: value })),
		);
		expect(sent).toEqual(rows.map((row) => ({ [row.fieldId]: row.sent })));
	});

	it('texts and numbers that mean true or false are sent as the words of the checkbox', async () => {
		const on = ['true', 'TRUE', ' yes ', 'Yes', 'on', '1', 1, true];
		const off = ['false', 'No', 'off', '0', 0, false];
		const values = [...on, ...off].map((value) => ({ [fields.express]: value }));
		const { sent, warned } = await update(way, values);
		const words = [...on.map(() => 'Yes'), ...off.map(() => 'No')];
		expect(sent).toEqual(words.map((word) => ({ [fields.express]: word })));
		expect(warned).toEqual([]);
	});

	it('any other value of a checkbox is sent as given and named in _warning', async () => {
		const values = ['maybe', '2', 2].map((value) => ({ [fields.express]: value }));
		const { sent, warned } = await update(way, values);
		expect(sent).toEqual(values);
		expect(warned).toEqual(
			values.map(() => expect.stringMatching(/'Express.*' \(neither true nor false/)),
		);
	});

	it('booleans are sent in the words that the account stores', async () => {
		for (const [id, order] of testbed.orders.records) {
			order.set(fields.express, id % 3 === 0 ? 'TRUE' : 'FALSE');
		}
		const values = [true, 'no', 1, 'True'].map((value) => ({ [fields.express]: value }));
		const { sent } = await update(way, values, false);
		const words = ['TRUE', 'FALSE', 'TRUE', 'TRUE'];
		expect(sent).toEqual(words.map((word) => ({ [fields.express]: word })));
	});

	it('an upsert matches numbers by their value, and texts by their characters', async () => {
		const { creditLimit, customerNumber, name, city } = customers.fields;
		const customer = (id: number) => testbed.service.data.record(customers, id);
		customer(7).set(creditLimit, '1000000');
		customer(8).set(creditLimit, '1234.5');
		customer(9).set(creditLimit, '1000');
		customer(10).set(customerNumber, '0612');
		const upsertBy = async (fieldId: string, values: Items) => {
			const { parameters, items } = writeParameters(way, values, customers, [fieldId]);
			const upsert = { operation: 'upsert', ...parameters, options: quiet };
			return (await testbed.runById(upsert, items, testbed.as(way.identity))).outcomes;
		};
		const limits = ['1,000,000', '1,234.50', '1,000.0'];
		const updates = limits.map((limit) => ({ [creditLimit]: limit, [city]: 'Ulm' }));
		expect(await upsertBy(creditLimit, updates)).toEqual([
			'7 updated #0',
			'8 updated #1',
			'9 updated #2',
		]);
		expect([7, 8, 9].map((id) => customer(id).text(city))).toEqual(['Ulm', 'Ulm', 'Ulm']);
		const other = { [customerNumber]: '612', [name]: 'Other' };
		expect(await upsertBy(customerNumber, [other])).toEqual(['301 created #0']);
	});
});

it.each([
	['admin', 'among the newest records'],
	['member', 'among the newest records'],
	['admin', 'older'],
	['member', 'older'],
] as const)(
	'a checkbox that is stored as true stays true when %s reads it typed and writes it back: %s',
	async (identity, age) => {
		const id = 5;
		const { created } = testbed.order(40);
		for (let count = age === 'older' ? 200 : 0; count > 0; count--) {
			testbed.orders.add(created).set(fields.express, 'No');
		}
		testbed.order(id).set(fields.express, 'true');
		const get = { ...onOrder('get', id), options: { typedValues: true } };
		const { json } = await testbed.run(get, [{}], testbed.as(identity));
		// Only administrators may read types.
		expect(json[0]?.Express).toBe(identity === 'admin' ? true : 'true');
		const update = { ...onOrder('update', id), ...autoMapped(), options: quiet };
		await testbed.runById(update, json, testbed.as(identity));
		expect(testbed.bodies).toEqual([expect.objectContaining({ [fields.express]: 'true' })]);
	},
);

it.each(['admin', 'member'] as const)(
	'a text that was read from a number field is written back as %s, and not to another record',
	async (identity) => {
		const { creditLimit } = customers.fields;
		testbed.service.data.record(customers, 7).set(creditLimit, '5%');
		const get = { operation: 'get', sheet: sheet(customers), recordId: recordId(7) };
		const { json } = await testbed.run(get, [{}], testbed.as(identity));
		const items = json.flatMap((item) => [item, { ...item, _recordId: 8 }]);
		const target = { sheet: sheet(customers), recordId: recordId('={{ $json._recordId }}') };
		const update = { operation: 'update', ...target, ...autoMapped(), options: quiet };
		const result = await testbed.runAllById(update, items, testbed.as(identity));
		expect(testbed.bodies).toEqual([expect.objectContaining({ [creditLimit]: '5%' })]);
		testbed.expectErrors(result, { 1: "'5%' is not a number for 'Credit Limit'" });
	},
);

it('a value is sent or rejected in the same way for every user and every key of its field', async () => {
	const texts =
		' padded |***|a, b|<b>x</b> &amp; y|[b]x[/b]|2031-01-31|2031/01/31|31.01.2031|2031-01-31T10:00:00Z|0612|1e5|Yes|true|Gift, Bulk|Repeat, large|a\nb';
	const values = fc.constantFrom<string | number | boolean | string[]>(
		...texts.split('|'),
		...[0, 12.5, true, false],
		...[['Gift'], ['Gift', 'Bulk']],
	);
	const { remark, city, status, tags, orderDate, deliveryTime, express, description } = fields;
	const fieldIds = fc.constantFrom(
		...[remark, city, status, tags, orderDate, deliveryTime, express, description],
	);
	const item = fc.tuple(fieldIds, values).map(([fieldId, value]) => ({ [fieldId]: value }));
	await fc.assert(
		fc.asyncProperty(fc.array(item, { minLength: 10, maxLength: 20 }), async (items) => {
			const outcomes = new Set<string>();
			for (const way of ways) {
				const { sent, refused } = await update(way, items);
				outcomes.add(JSON.stringify({ sent, refused }));
			}
			expect([...outcomes]).toHaveLength(1);
		}),
		{ numRuns: amount(2, 12), seed: Number(process.env.SHEET_RECORDS_SEED ?? 1) },
	);
});

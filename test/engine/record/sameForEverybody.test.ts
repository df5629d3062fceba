import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { amount } from '../../amount';
import { customers, orders, type IdentityName, type SheetAddress } from '../../service';
import { onOrder, sheet, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped, mapped } from './recordValues';
import { storedValues } from './storedValues';

const testbed = useRecordTestbed({ demoRecords: 40 });
const { fields } = orders;
const record = () => testbed.order(5);
const quiet = { doWorkflow: false };

/** Who writes, whether fields are given by name, and how the values are given. */
interface Way {
	identity: IdentityName;
	keys: 'ids' | 'names';
	input: 'autoMap' | 'json' | 'mapper';
}

const ways = (['admin', 'member'] as const).flatMap((identity) =>
	(['names', 'ids'] as const).flatMap((keys) =>
		(['autoMap', 'json', 'mapper'] as const).map((input): Way => ({ identity, keys, input })),
	),
);

const nameIn = (address: SheetAddress, fieldId: string) =>
	testbed.service.data.sheet(address).field(fieldId)?.name ?? fieldId;

/** The parameters that give an item's values in this way, and the item. */
function given(
	{ keys, input }: Way,
	values: IDataObject,
	{ address = orders, matchOn = [] }: { address?: SheetAddress; matchOn?: string[] } = {},
): { parameters: INodeParameters; item: IDataObject } {
	const keyOf = (fieldId: string) => (keys === 'ids' ? fieldId : nameIn(address, fieldId));
	const item = Object.fromEntries(
		Object.entries(values).map(([fieldId, value]) => [keyOf(fieldId), value]),
	);
	const matching = matchOn.map(keyOf);
	const more = { sheet: sheet(address), matchFields: matching };
	if (input === 'autoMap') return { item, parameters: { ...more, ...autoMapped(matching) } };
	if (input === 'json') return { item, parameters: { ...more, ...asJson('={{ $json }}') } };
	const expressions = Object.keys(item).map((key) => [key, `={{ $json["${key}"] }}`]);
	const defined = mapped(Object.fromEntries(expressions), matching);
	return { item, parameters: { ...more, ...defined } };
}

/** Returns what order 5 holds after a write in this way; 'refused' when nothing was sent. */
async function outcome(way: Way, values: IDataObject, timezone = 'UTC') {
	testbed.service.reset();
	const { parameters, item } = given(way, values);
	const update = { ...onOrder('update', 5), ...parameters, options: quiet };
	const result = await testbed.runAllById(update, [item], {
		timezone,
		...testbed.as(way.identity),
	});
	if (testbed.writes.length > 0) return storedValues(record());
	expect(result.errorItems).toHaveLength(1);
	return 'refused';
}

describe.each(ways)('$identity, by $keys, with $input', (way) => {
	it.each(['31.01.2031', '2031-02-30', 'asap', '1700000000000', 1700000000000, true])(
		'%j is refused in fields for dates and for dates with times',
		async (value) => {
			for (const fieldId of [fields.orderDate, fields.deliveryTime]) {
				expect(await outcome(way, { [fieldId]: value })).toBe('refused');
			}
		},
	);

	it('dates, booleans and choices are stored by the kinds of their fields', async () => {
		const values: Array<[fieldId: string, value: unknown, stored: unknown]> = [
			[fields.orderDate, '2031-01-31', '2031/01/31'],
			[fields.orderDate, '2031-01-31T00:00:00.000Z', '2031/01/31'],
			[fields.deliveryTime, '2031-01-31T09:30', '2031/01/31 09:30:00'],
			[fields.remark, '2031-01-31', '2031-01-31'],
			[fields.express, false, 'No'],
			[fields.express, true, 'Yes'],
			[fields.tags, 'Gift, Bulk', ['Gift', 'Bulk']],
			[fields.tags, 'Gift', ['Gift']],
			[fields.remark, 'Gift, Bulk', 'Gift, Bulk'],
			[fields.reference, '0612', '0612'],
		];
		for (const [fieldId, value, stored] of values) {
			const after = await outcome(way, { [fieldId]: value as string }, 'America/New_York');
			expect([fieldId, Object(after)[fieldId]]).toEqual([fieldId, stored]);
		}
	});

	it('an upsert finds records by the value of a number, and by the letters of a text', async () => {
		const { creditLimit, customerNumber, name, city } = customers.fields;
		const customer = (id: number) => testbed.service.data.record(customers, id);
		for (const [id, limit] of [
			['7', '1000000'],
			['8', '1234.5'],
			['9', '1000'],
		] as const) {
			customer(Number(id)).set(creditLimit, limit);
		}
		const upsertBy = async (fieldId: string, values: IDataObject) => {
			const { parameters, item } = given(way, values, { address: customers, matchOn: [fieldId] });
			const upsert = { operation: 'upsert', ...parameters, options: quiet };
			const { outcomes } = await testbed.runById(upsert, [item], testbed.as(way.identity));
			return outcomes;
		};
		const limits = { '1,000,000': 7, '1,234.50': 8, '1,000.0': 9 };
		for (const [limit, id] of Object.entries(limits)) {
			const values = { [creditLimit]: limit, [city]: 'Ulm' };
			expect(await upsertBy(creditLimit, values)).toEqual([`${id} updated #0`]);
			expect(customer(id).text(city)).toBe('Ulm');
		}
		customer(10).set(customerNumber, '0612');
		const other = { [customerNumber]: '612', [name]: 'Other' };
		expect(await upsertBy(customerNumber, other)).toEqual(['301 created #0']);
	});
});

it('any value is stored or refused alike, whoever writes it and however its field is named', async () => {
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
	const autoMapOrJson = ways.filter(({ input }) => input !== 'mapper');
	await fc.assert(
		fc.asyncProperty(fieldIds, values, async (fieldId, value) => {
			const outcomes = new Set<string>();
			for (const way of autoMapOrJson) {
				outcomes.add(JSON.stringify(await outcome(way, { [fieldId]: value })));
			}
			expect([...outcomes]).toHaveLength(1);
		}),
		{ numRuns: amount(30, 300), seed: Number(process.env.SHEET_RECORDS_SEED ?? 1) },
	);
});

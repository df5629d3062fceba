import type { GenericValue } from 'n8n-workflow';

import { empty, orders, type SheetAddress } from '../../service';
import { sheet, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed();

/** Lists with a good condition for the first item, and one on `field` for the second. */
async function filterBy(field: GenericValue, of: SheetAddress = orders) {
	const result = await testbed.run(
		{
			operation: 'getAll',
			sheet: sheet(of),
			limit: 1,
			filters: {
				conditions: [{ field: '={{ $json.field }}', operator: 'empty' }],
			},
		},
		[{ field: '112' }, { field }],
	);
	expect(result.error).toMatchObject({ name: 'NodeOperationError', context: { itemIndex: 1 } });
	// Nothing was listed for the bad item.
	const lists = testbed.reads.filter(({ rawUrl }) => rawUrl.includes('where='));
	expect(lists.map(({ rawUrl }) => rawUrl.split('&').at(-1))).toEqual(['where=112,eq,']);
	return `${result.error?.message} ${result.error?.description ?? ''}`;
}

describe('a field in a filter', () => {
	it.each([
		['Referense', "'Reference'"],
		['city', "'City'"],
		['Customer', "'Customer Name'"],
		['Custmer Nmae', "'Customer Name'"],
		['Order_Date', "'Order Date'"],
	])('whose name is nearly right is told what may be meant: %s', async (name, near) => {
		const text = await filterBy(name);
		expect(text).toContain(`'${name}'`);
		expect(text).toContain(near);
	});

	it('whose name is far from any is told which there are', async () => {
		const text = await filterBy('Weight of the moon');
		expect(text).toContain("'Weight of the moon'");
		expect(text).toContain("'Order Number'");
	});

	it('whose name two fields have is told their ids', async () => {
		const text = await filterBy('Note');
		expect(text).toContain(orders.fields.note);
		expect(text).toContain(orders.fields.secondNote);
	});

	it.each([[''], [null], [undefined]])('that is not given is refused: %j', async (field) => {
		expect(await filterBy(field)).toMatch(/no field/);
	});

	it('cannot be named where the service tells no names', async () => {
		testbed.service.switches.schema = 'http404';
		testbed.service.switches.definition = 'code106';
		expect(await filterBy('Title', empty)).toMatch(/'Title'.*field IDs/is);
	});
});

describe('a rule of the order', () => {
	const sortBy = async (rule: object) =>
		await testbed.run(
			{ operation: 'getAll', sheet: sheet(orders), limit: 1, sort: { rule: { ...rule } } },
			[{ wanted: 'desc' }],
		);

	it.each([
		['without a field', { field: '={{ $json.missing }}' }, "A rule in 'Sort' has no field"],
		[
			'in no direction',
			{ field: '109', direction: '={{ $json.wanted }}' },
			"'Direction' is 'desc'",
		],
	])('%s is refused before anything is asked', async (_, rule, message) => {
		const { error } = await sortBy(rule);
		expect(error).toMatchObject({ context: { itemIndex: 0 } });
		expect(error?.message).toContain(message);
		expect(error?.description).not.toBe('');
		expect(testbed.service.requests.count).toBe(0);
	});
});

it('a name that was added a moment ago is found', async () => {
	const parameters = (field: string) => ({
		operation: 'getAll',
		sheet: sheet(orders),
		limit: 1,
		filters: { conditions: [{ field, operator: 'eq', value: 'REF-5' }] },
	});
	expect((await testbed.run(parameters('Reference'))).items).toHaveLength(1);
	const field = testbed.service.data.sheet(orders).field(orders.fields.reference);
	if (field) field.name = 'Renamed Reference';
	const result = await testbed.run(parameters('Renamed Reference'));
	expect(result.error).toBeUndefined();
	expect(result.items.map(({ json }) => json['Renamed Reference'])).toEqual(['REF-5']);
});

it('a sheet that is not there is told in words, with the code of the service', async () => {
	const cases: Array<[string, number]> = [
		['sales/order/1', 102],
		['sales/orders/8', 103],
	];
	for (const [value, code] of cases) {
		const result = await testbed.run(
			{ operation: 'getAll', sheet: { __rl: true, mode: 'path', value } },
			[{}],
			{ onError: 'continueErrorOutput' },
		);
		expect(result.errorItems.map(({ json }) => json)).toEqual([
			{ error: expect.stringMatching(new RegExp(`\\bcode ${code}\\b`, 'i')) },
		]);
	}
});

it('a sheet that the user may not see is told as such', async () => {
	const result = await testbed.run(
		{ operation: 'getAll', sheet: { __rl: true, mode: 'path', value: 'private/salaries/4' } },
		[{}],
		{ onError: 'continueErrorOutput' },
	);
	expect(result.errorItems.map(({ json }) => json)).toEqual([
		{ error: expect.stringMatching(/access.*\bcode 106\b/i) },
	]);
});

it.each([
	['fullText', 'Full-Text Search'],
	['sharedViewId', 'Shared View ID'],
])('%s whose expression finds nothing does not list all records', async (name, displayName) => {
	const { error, items } = await testbed.run({
		operation: 'getAll',
		sheet: sheet(orders),
		filters: { conditions: [{ field: 'City', operator: 'eq', value: 'Lyon' }] },
		options: { [name]: '={{ $json.missing }}' },
	});
	expect(error?.message).toBe(`'${displayName}' has no value`);
	expect(items).toEqual([]);
	expect(testbed.reads).toEqual([]);
});

import type { INodeParameters } from 'n8n-workflow';
import { customers, orders } from '../../service';
import { byConditions, assign, mass } from '../massOperation/massParameters';
import { numbers, onOrders, sheet, useRecordTestbed } from '../recordTestbed';

const testbed = useRecordTestbed({ demoRecords: 300 });
const { fields } = orders;

const oneOf = (value: string, field: string = fields.remark) => ({
	filters: { conditions: [{ field, operator: 'in', value }] },
});
const list = (value: string, options = {}) => ({
	...onOrders('getAll'),
	returnAll: true,
	...oneOf(value),
	options,
});
const lists = () => testbed.reads.filter(({ rawUrl }) => rawUrl.includes(`where=${fields.remark}`));

/** Sets a remark in each record. Returns an expression with the remarks of the first records, long enough for several requests. */
function longList(count = 150): string {
	for (const id of numbers(300))
		testbed.order(id).set(fields.remark, `KEY-${id}-${'x'.repeat(60)}`);
	return `={{ Array.from({ length: ${count} }, (_, index) => 'KEY-' + (index + 1) + '-' + 'x'.repeat(60)) }}`;
}

describe("'Is One Of'", () => {
	it.each([
		['a list', '={{ ["KEY-3", "KEY-5", "KEY-3"] }}'],
		['a text with one value per line', 'KEY-3\nKEY-5\n'],
		['a text with white space around its lines', ' KEY-3 \r\n\tKEY-5 '],
		['a JSON list as text', '["KEY-3", "KEY-5"]'],
	])('finds the records that have one of the values of %s in one request', async (_, value) => {
		for (const id of numbers(9)) testbed.order(id).set(fields.remark, `KEY-${id}`);
		const { records, error } = await testbed.run(list(value));
		expect(error).toBeUndefined();
		expect([...records].sort()).toEqual(['3 #0', '5 #0']);
		expect(lists().map(({ query }) => query.filter(([name]) => name === 'where'))).toEqual([
			[
				['where', `${fields.remark},eq,KEY-3`],
				['where', `${fields.remark},eq,KEY-5`],
			],
		]);
	});

	it('a list that is too long for one address is divided, and each record is returned once', async () => {
		const { records } = await testbed.run(list(longList()));
		expect([...records].sort()).toEqual(
			numbers(150)
				.map((id) => `${id} #0`)
				.sort(),
		);
		expect(lists()).toHaveLength(2);
		for (const { rawUrl } of lists()) expect(rawUrl.length).toBeLessThan(7_500);
	});

	it('the limit and the count are exact over several requests', async () => {
		const value = longList();
		const limited = { ...list(value), returnAll: false, limit: 100 };
		expect((await testbed.run(limited)).items).toHaveLength(100);
		const counted = await testbed.run({ ...onOrders('count'), ...oneOf(value) });
		expect(counted.json).toEqual([{ count: 150 }]);
	});

	it.each([
		['Sort', { sort: { rule: { field: fields.remark, direction: 'ASC' } } }],
		['Newest First', { reverse: true }],
		['JSONP Callback', { callback: 'show' }],
	])('a divided list is rejected with %s, and a short one is not', async (label, options) => {
		const words = `so the option '${label}' cannot be applied`;
		await testbed.expectRefused(list(longList(), options), [{}], words);
		expect(lists()).toEqual([]);
		expect((await testbed.run(list(longList(5), options))).error).toBeUndefined();
	});

	it.each([
		['an empty list', '={{ [] }}', 'has no value'],
		['an empty entry', '={{ ["a", ""] }}', 'has no value'],
		['an empty line', 'a\n\nb', 'has no value'],
		['a list in the list', '={{ [["a"]] }}', 'returned a list'],
	])('%s is rejected', async (_, value, words) => {
		await testbed.expectRefused(list(value), [{}], words);
	});

	it.each(['eq', 'eqeq', 'like', 'regex', 'in'])(
		'beside %s on the same field it is rejected',
		async (operator) => {
			const conditions = ['in', operator].map((name) => ({
				field: fields.remark,
				operator: name,
				value: 'a',
			}));
			const parameters = { ...list('a'), filters: { conditions } };
			const words = "The field 'Remark' has 'Is One Of' and another condition";
			await testbed.expectRefused(parameters, [{}], words);
		},
	);

	it('beside another list for the same field, which is given by its name, it is rejected', async () => {
		const conditions = [fields.remark, 'Remark'].map((field) => {
			return { field, operator: 'in', value: 'a' };
		});
		const parameters = { ...list('a'), filters: { conditions } };
		const words = "The field 'Remark' has 'Is One Of' and another condition";
		await testbed.expectRefused(parameters, [{}], words);
	});

	it('beside a raw condition on the same field it is rejected', async () => {
		const options = { where: `${fields.remark},eq,b` };
		const words = "The field 'Remark' has 'Is One Of' and another condition";
		await testbed.expectRefused(list('a', options), [{}], words);
	});

	it('selects records of a mass operation only if the list fits into one address', async () => {
		const select = (value: string) =>
			mass('update', {
				...byConditions([fields.remark, 'in', value]),
				...assign([fields.note, 'x']),
			});
		const words = "The list of 'Is One Of' is too long for one request";
		await testbed.expectRefused(select(longList()), [{}], words);
		expect((await testbed.run(select(longList(2)))).error).toBeUndefined();
		expect(testbed.writes).toHaveLength(1);
	});
});

it.each(['on', 'TRUE', 'yes', 'off'])(
	"every record is in one of the two lists that a checkbox is and is not '%s'",
	async (value) => {
		const idsOf = async (operator: string) => {
			const filters = { conditions: [{ field: 'Express', operator, value }] };
			return (await testbed.run({ ...list(''), filters })).ids;
		};
		const isOn = (id: number) => testbed.order(id).text(fields.express) === 'Yes';
		const expected = numbers(300).filter((id) => isOn(id) === (value !== 'off'));
		const found = await idsOf('eq');
		expect(found.map(Number).sort((left, right) => left - right)).toEqual(expected);
		expect(found.length + (await idsOf('ne')).length).toBe(300);
		expect(await idsOf('in')).toEqual(found);
	},
);

it('a list in a condition for one value is rejected with the operator that takes lists', async () => {
	const condition = { field: 'Remark', operator: 'eq', value: '={{ ["a", "b"] }}' };
	const result = await testbed.runAll({ ...list(''), filters: { conditions: [condition] } });
	testbed.expectErrors(result, "For several values, use 'Is One Of'");
});

describe('a condition whose value its field cannot hold', () => {
	const { creditLimit } = customers.fields;
	const rows: Array<[string, INodeParameters, string]> = [
		[
			'a date',
			{ field: 'Order Date', operator: 'gt', value: '31.12.2025' },
			"'31.12.2025' is not a valid date for 'Order Date' in 'Filters'",
		],
		[
			'a date by ID',
			{ field: fields.orderDate, operator: 'eq', value: '31.12.2025' },
			"'31.12.2025' is not a valid date for 'Order Date' in 'Filters'",
		],
		[
			'an unknown field',
			{ field: '9999', operator: 'eq', value: 'a' },
			"'9999' in 'Filters' is not a field of the sheet",
		],
	];

	it.each(rows)('%s is rejected before the list is requested', async (_, condition, words) => {
		const filters = { conditions: [condition] };
		const parameters = { ...onOrders('getAll'), filters };
		await testbed.expectRefused(parameters, [{}], words, testbed.as('admin'));
		expect(testbed.reads.filter(({ rawUrl }) => rawUrl.includes('where='))).toEqual([]);
	});

	it.each(['abc', '5%'])(
		'the number %s is rejected in Filters and Raw Conditions',
		async (value) => {
			const onCustomers = { operation: 'getAll', sheet: sheet(customers) };
			const filters = { conditions: [{ field: creditLimit, operator: 'gt', value }] };
			const where = `${creditLimit},gt,${value}`;
			for (const [parameters, place] of [
				[{ filters }, 'Filters'],
				[{ options: { where } }, 'Raw Conditions'],
			] as const) {
				const words = `'${value}' is not a number for 'Credit Limit' in '${place}'`;
				await testbed.expectRefused(
					{ ...onCustomers, ...parameters },
					[{}],
					words,
					testbed.as('admin'),
				);
			}
		},
	);
});

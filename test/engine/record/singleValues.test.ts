import type { INodeParameters } from 'n8n-workflow';
import { orders } from '../../service';
import { assign, byConditions, byIds, mass, replace } from '../massOperation/massParameters';
import { onOrder, onOrders, useRecordTestbed } from '../recordTestbed';
import { asJson, autoMapped, mapped } from './recordValues';

/** Values of expressions that are no single value: lengths of time, NaN, objects and lists. */
const testbed = useRecordTestbed({ demoRecords: 60 });
const { fields } = orders;

const aLength = '$now.diff($now.minus({ days: 30 }), "days")';
const unusable: Array<[what: string, expression: string]> = [
	['a length of time', aLength],
	['a length of time', '$now.minus({ days: 30 }).until($now)'],
	['"not a number"', 'Number("x")'],
	['"Infinity"', '1 / 0'],
	['an object', '({ a: 1 })'],
];
const andLists = [...unusable, ['a list', '["5", "6"]'] satisfies [string, string]];

async function expectUnsent(parameters: INodeParameters, message: RegExp | string) {
	const result = await testbed.run(parameters);
	expect(result.error?.message).toMatch(message);
	expect(testbed.writes).toEqual([]);
	return result.error;
}

describe.each(unusable)('%s (%s)', (_what, expression) => {
	it.each([
		['a date field', fields.orderDate],
		['a number field', fields.total],
		['a text field', fields.remark],
	])('is not written to %s, and the message says what was returned', async (_, fieldId) => {
		const json = asJson(`={{ ({ "${fieldId}": ${expression} }) }}`);
		await expectUnsent({ ...onOrder('update', 5), ...json }, /cannot be used|is not a/);
	});

	it('is no value of a condition', async () => {
		const conditions = [{ field: fields.total, operator: 'gt', value: `={{ ${expression} }}` }];
		const list = { ...onOrders('getAll'), filters: { conditions } };
		await expectUnsent(list, `'Total' in 'Filters' has no usable value: the expression returned`);
		expect(testbed.reads.filter(({ rawUrl }) => rawUrl.includes('where='))).toEqual([]);
	});

	it('is no value of a raw condition', async () => {
		const where = `=${fields.total},gt,{{ ${expression} }}`;
		const list = { ...onOrders('getAll'), options: { where } };
		await expectUnsent(list, /in 'Raw Conditions' has no (?:usable )?value/);
		expect(testbed.service.requests.count).toBe(0);
	});

	it('does not select the records of a mass operation', async () => {
		const selection = byConditions([fields.total, 'gt', `={{ ${expression} }}`]);
		await expectUnsent(mass('lock', selection), 'has no usable value');
	});
});

describe.each(andLists)('%s (%s) in a mass operation or a text parameter', (what, expression) => {
	it.each([
		[
			'an assignment',
			mass('update', { ...byIds('10'), ...assign([fields.total, `={{ ${expression} }}`]) }),
		],
		[
			'a value to search for',
			mass('searchReplace', {
				...byIds('10'),
				...replace(fields.total, `={{ ${expression} }}`, '1'),
			}),
		],
		[
			'a replacement',
			mass('searchReplace', {
				...byIds('10'),
				...replace(fields.total, '1', `={{ ${expression} }}`),
			}),
		],
	])('is refused before anything is changed: %s', async (_, parameters) => {
		await expectUnsent(parameters, /in '(?:Assignments|Replacements)'/);
	});

	it('is not searched for', async () => {
		const list = { ...onOrders('getAll'), options: { fullText: `={{ ${expression} }}` } };
		await expectUnsent(
			list,
			"'Full-Text Search' has no value to search for: the expression returned",
		);
		expect(testbed.service.requests.count).toBe(0);
	});

	it('is no text of a comment', async () => {
		const comment = { ...onOrder('add', 5), resource: 'comment', comment: `={{ ${expression} }}` };
		await expectUnsent(comment, `'Comment' needs a text, but the expression returned ${what}`);
		expect(testbed.service.requests.count).toBe(0);
	});
});

const warningOfObject =
	"Check what was saved: 'Remark' (contains '[object Object]': an expression in the text returned an object).";

it('an object within a text is sent, and _warning says so', async () => {
	const Remark = '=To: {{ $json.address }}';
	const update = { ...onOrder('update', 5), ...mapped({ [fields.remark]: Remark }) };
	const { json } = await testbed.run(update, [{ address: { city: 'Oslo' } }]);
	expect(json[0]).toMatchObject({ Remark: 'To: [object Object]', _warning: warningOfObject });
});

it.each([
	['written back', {}, undefined],
	['changed', { Remark: '[object Object], twice' }, warningOfObject],
])('the text of an object in a record that was read and %s', async (_, change, warning) => {
	testbed.order(5).set(fields.remark, '[object Object]');
	const { json } = await testbed.run(onOrder('get', 5));
	const options = { doWorkflow: false };
	const update = { ...onOrder('update', 5), ...autoMapped(), options };
	const result = await testbed.run(update, [{ ...json[0], ...change }]);
	expect(result.json[0]?._warning).toBe(warning);
});

describe('a number whose last digits n8n has lost', () => {
	const items = [{ [fields.reference]: Number('1234567890123456789'), [fields.remark]: 'x' }];

	it('is written, and _warning says so', async () => {
		const { json } = await testbed.run({ ...onOrder('update', 5), ...autoMapped() }, items);
		expect(json[0]?._warning).toBe(
			"Check what was saved: 'Reference' (more digits than a number holds; let the node before return a text).",
		);
		expect(testbed.order(5).text(fields.reference)).toBe('1234567890123456800');
	});

	it.each([
		['upsert', autoMapped([fields.reference])],
		['delete', { deleteBy: 'match', matchFields: [fields.reference] }],
	])('matches no record, because it may be that of another one: %s', async (operation, match) => {
		testbed.order(7).set(fields.reference, '1234567890123456800');
		const error =
			"The number to match on in 'Reference' has more digits than a number in n8n holds";
		await testbed.expectRefused({ ...onOrders(operation), ...match }, items, error);
	});
});

it('the advice for a length of time is to choose a unit', async () => {
	const update = {
		...onOrder('update', 5),
		...mapped({ [fields.orderDate]: `={{ ${aLength} }}` }),
	};
	const error = await expectUnsent(update, 'the expression returned a length of time');
	expect(error?.description).toContain("diff($now, 'days').days");
});

it.each(['P3D', 'PT5H'])(
	'the text %s is no date, and the advice is to choose a unit',
	async (text) => {
		const update = { ...onOrder('update', 5), ...asJson({ [fields.orderDate]: text }) };
		const error = await expectUnsent(update, `'${text}' is not a valid date for 'Order Date'`);
		expect(error?.description).toContain('.days');
	},
);

it('a date is written as a text of a comment, in the time zone of the workflow', async () => {
	const comment = '={{ DateTime.fromISO("2026-01-31T14:30:00Z") }}';
	const parameters = { ...onOrder('add', 5), resource: 'comment', comment };
	const { items } = await testbed.run(parameters, [{}], { timezone: 'America/New_York' });
	expect(items[0]?.json.comment).toBe('2026/01/31 09:30:00');
});

it('an object is no name of a field', async () => {
	const onlyFields = '={{ ["Status", { name: "City" }] }}';
	const list = { ...onOrders('getAll'), options: { onlyFields } };
	await expectUnsent(list, 'needs a text, but the expression returned an object');
	expect(testbed.service.requests.count).toBe(0);
});

it.each([
	['a number field', fields.total, '812.5'],
	['a text field', fields.remark, 'by truck'],
	['a selection', fields.status, 'Shipped'],
])('a list of one value is that value in %s', async (_, fieldId, value) => {
	const json = asJson({ [fieldId]: [value] });
	const update = { ...onOrder('update', 5), ...json };
	const { error } = await testbed.runById(update, [{}], testbed.as('admin'));
	expect(error).toBeUndefined();
	expect(testbed.bodies).toEqual([{ [fieldId]: value }]);
});

it('a boolean is not written to a number field', async () => {
	const json = asJson({ [fields.total]: true });
	await expectUnsent({ ...onOrder('update', 5), ...json }, "'true' is not a number for 'Total'");
});

it.each([
	['a number field', fields.total, '812.5', '812.5'],
	['a field of an unknown type', fields.city, 'Lyon', 'Lyon'],
	['a multiple selection', fields.tags, 'Gift', ['Gift']],
])('a list of one value is that value in a field of one value: %s', async (_, id, value, sent) => {
	const record = { [id]: `={{ ["${value}"] }}` };
	const result = await testbed.runById({ ...onOrder('update', 5), ...mapped(record) });
	expect(result.error).toBeUndefined();
	expect(testbed.bodies).toEqual([{ [id]: sent }]);
});

it('an integer of any size (BigInt) selects the records with this value, and not those without a value', async () => {
	const value = '={{ 12345678901234567890n }}';
	testbed.order(7).set(fields.remark, '12345678901234567890');
	const conditions = byConditions([fields.remark, 'eq', value]);
	const { items } = await testbed.run(mass('lock', conditions));
	expect(items[0]?.json).toMatchObject({ total: 1 });
	expect(testbed.order(7).locked).toBe(true);
});

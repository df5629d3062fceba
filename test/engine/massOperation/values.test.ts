import type { NodeParameterValueType } from 'n8n-workflow';
import { orders, type IdentityName } from '../../service';
import { useRecordTestbed } from '../recordTestbed';
import { assign, byConditions, byIds, mass, quickly, replace } from './massParameters';

const testbed = useRecordTestbed();
const { fields } = orders;

async function set(
	field: string,
	value: NodeParameterValueType,
	{ identity = 'admin' as IdentityName, options = {}, timezone = 'Asia/Taipei' } = {},
) {
	const parameters = mass('update', {
		...byIds('10'),
		...assign([field, value]),
		options: { ...quickly, ...options },
	});
	const credentials = testbed.credentials(identity);
	return await testbed.run(parameters, [{}], { credentials, timezone });
}

const action = () => testbed.writes[0]?.body;
const text = (field: string) => testbed.order(10).text(field);

describe('dates', () => {
	const moment = "={{ DateTime.fromISO('2026-03-02T22:30:00Z') }}";

	it.each([
		['Order Date', '2026-03-02', '2026/03/02'],
		['Order Date', moment, '2026/03/03'],
		['Delivery Time', moment, '2026/03/03 06:30:00'],
		['Delivery Time', '2026-03-02T08:05', '2026/03/02 08:05:00'],
		['Remark', '2026-03-02', '2026-03-02'],
	])('%s ← %s', async (field, value, expected) => {
		const result = await set(field, value);
		expect(result.error).toBeUndefined();
		const id = field === 'Remark' ? fields.remark : undefined;
		const { orderDate, deliveryTime } = fields;
		expect(text(id ?? (field === 'Order Date' ? orderDate : deliveryTime))).toBe(expected);
	});

	it.each([
		{ timeZone: 0, time: '2026/03/02 22:30:00' },
		{ timeZone: -3.5, time: '2026/03/02 19:00:00' },
	])(
		'times of changes and conditions are converted to the UTC Offset $timeZone',
		async ({ timeZone, time }) => {
			const parameters = mass('update', {
				...byConditions(['Delivery Time', 'lte', moment]),
				...assign(['Delivery Time', moment]),
				options: { ...quickly, timeZone },
			});
			await testbed.run(parameters, [{}], { ...testbed.as('admin'), timezone: 'Asia/Taipei' });
			expect(testbed.writes[0]?.query).toEqual([
				['api', ''],
				['where', `${fields.deliveryTime},lte,${time}`],
			]);
			expect(action()).toEqual({ action: [{ field: Number(fields.deliveryTime), value: time }] });
		},
	);

	it('dates of conditions and replacements have the same format', async () => {
		await testbed.run(
			mass('searchReplace', {
				...byConditions(['Order Date', 'lte', '2026-03-02']),
				...replace('Order Date', '2026-03-02', '2026-04-02'),
			}),
			[{}],
			testbed.as('admin'),
		);
		expect(testbed.writes[0]?.rawUrl).toContain(`where=${fields.orderDate},lte,2026%2F03%2F02`);
		expect(action()).toEqual({
			action: [
				{ field: Number(fields.orderDate), valueReplaced: '2026/03/02', valueNew: '2026/04/02' },
			],
		});
	});
});

it.each([
	{
		description: 'a multiple selection',
		field: fields.tags,
		value: '={{ ["Gift", "Export"] }}',
		expected: ['Gift', 'Export'],
	},
	{ description: 'nothing on purpose', field: fields.remark, value: '={{ null }}', expected: '' },
	{
		description: 'a text of all kinds',
		field: fields.remark,
		value: ' a\n"\\ 冷 🎉 %25 ',
		expected: ' a\n"\\ 冷 🎉 %25 ',
	},
])(
	'a value of another kind, $description, is sent unchanged',
	async ({ field, value, expected }) => {
		const result = await set(field, value, { identity: 'member' });
		expect(result.error).toBeUndefined();
		expect(action()).toEqual({ action: [{ field: Number(field), value: expected }] });
		expect(testbed.service.tasks.all[0]).toMatchObject({ success: 1, fail: 0 });
	},
);

it('a text is replaced in a field by its name, and removed by an empty text', async () => {
	testbed.order(10).set(fields.remark, 'keep this, drop this');
	await testbed.run(
		mass('searchReplace', { ...byIds('10'), ...replace('Remark', ', drop this', '') }),
	);
	expect(text(fields.remark)).toBe('keep this');
});

it.each(['admin', 'member'] as const)(
	'the words of a checkbox that the account uses are searched for and written: %s',
	async (identity) => {
		for (const order of testbed.orders.records.values()) order.set(fields.express, 'true');
		testbed.order(300).set(fields.express, 'Yes');
		for (const [old, text] of [
			['true', 'false'],
			['={{ true }}', '={{ false }}'],
		] as const) {
			const replaced = { ...byIds('10'), ...replace('Express', old, text) };
			await testbed.run(mass('searchReplace', replaced), [{}], testbed.as(identity));
		}
		const change = { field: Number(fields.express), valueReplaced: 'true', valueNew: 'false' };
		expect(testbed.bodies).toEqual([{ action: [change] }, { action: [change] }]);
		// A word that a few records hold can be replaced by the usual one.
		const rare = { ...byIds('10'), ...replace('Express', 'Yes', 'true') };
		await testbed.run(mass('searchReplace', rare), [{}], testbed.as(identity));
		const { field } = change;
		const sent = { field, valueReplaced: 'Yes', valueNew: 'true' };
		expect(testbed.bodies.at(-1)).toEqual({ action: [sent] });
	},
);

it.each([
	['={{ "x " + {} }}', /'Remark' \(contains '\[object Object\]'/],
	['={{ 12345678901234567000 }}', /'Remark' \(more digits than a number holds/],
])('a value that is probably an accident is named in _warning: %s', async (value, warning) => {
	const updated = await set('Remark', value);
	const replaced = { ...byIds('10'), ...replace('Remark', '1', value) };
	const found = await testbed.run(mass('searchReplace', replaced));
	for (const { json } of [updated, found]) expect(json[0]?._warning).toMatch(warning);
});

it('several texts of a field are replaced, one after the other', async () => {
	testbed.order(10).set(fields.remark, 'one two');
	const replacement = [
		{ field: 'Remark', valueReplaced: 'one', valueNew: '1' },
		{ field: fields.remark, valueReplaced: 'two', valueNew: '2' },
	];
	await testbed.run(mass('searchReplace', { ...byIds('10'), replacements: { replacement } }));
	expect(text(fields.remark)).toBe('1 2');
});

it.each([
	['Order Date', '2026-03-02', '31.12.2025', 'a valid date'],
	['Total', '7', '5%', 'a number'],
])('a date or number is not replaced with another text: %s', async (field, old, text, what) => {
	const parameters = mass('searchReplace', { ...byIds('10'), ...replace(field, old, text) });
	const { error } = await testbed.run(parameters, [{}], testbed.as('admin'));
	expect(error?.message).toBe(`'${text}' is not ${what} for '${field}' in 'Replacements'`);
	expect(testbed.writes).toEqual([]);
});

describe('a day in a field with a time', () => {
	const moment = (day: string) => `={{ DateTime.fromISO('${day}', { zone: 'Asia/Taipei' }) }}`;
	const run = async (old: string, text: string, identity: IdentityName) => {
		testbed.order(10).set(fields.deliveryTime, '2023/01/03 22:25:00');
		const part = mass('searchReplace', { ...byIds('10'), ...replace('Delivery Time', old, text) });
		const credentials = testbed.credentials(identity);
		return await testbed.run(part, [{}], { credentials, timezone: 'Asia/Taipei' });
	};

	it.each(['admin', 'member'] as const)('is replaced by a day, as %s', async (identity) => {
		for (const day of ['2023-01-03', '2023/01/03', moment('2023-01-03')]) {
			for (const newDay of ['2023-01-09', '2023/01/09', moment('2023-01-09')]) {
				expect((await run(day, newDay, identity)).error).toBeUndefined();
				expect(text(fields.deliveryTime)).toBe('2023/01/09 22:25:00');
			}
		}
		await run('2023-01-03 22:25', '2023-01-09', identity);
		expect(text(fields.deliveryTime)).toBe('2023/01/09 00:00:00');
	});

	it.each(['2023-01-09T10:00', '2023/01/09 10:00', '', 'soon'])(
		'is not replaced by %j, because the time stays',
		async (newValue) => {
			const { error } = await run('2023-01-03', newValue, 'admin');
			expect(error?.message).toContain('can only be replaced by a day');
			expect(testbed.writes).toEqual([]);
		},
	);
});

it.each([
	['/2026', '/27'],
	['2026', '2027'],
	['02', '3'],
])('a part of a date is replaced with any text: %s', async (old, text) => {
	const part = mass('searchReplace', { ...byIds('10'), ...replace('Order Date', old, text) });
	expect((await testbed.run(part, [{}], testbed.as('admin'))).error).toBeUndefined();
	expect(testbed.writes).toHaveLength(1);
});

it.each([
	{ field: 'Order Date', value: ' ' },
	{ field: 'Express', value: '\t' },
	{ field: 'Status', value: ' ' },
])('white space in $field is no value, so nothing is sent', async ({ field, value }) => {
	const result = await set(field, `={{ ${JSON.stringify(value)} }}`);
	expect(result.error?.message).toBe(
		`The assignment of '${field}' has no value, so nothing was sent`,
	);
	expect(testbed.writes).toEqual([]);
});

it('white space is neither searched for nor written in a field that is not for texts', async () => {
	const searched = mass('searchReplace', { ...byIds('10'), ...replace('Delivery Time', ' ', 'x') });
	const { error } = await testbed.run(searched, [{}], testbed.as('admin'));
	expect(error?.message).toBe(
		"The replacement of 'Delivery Time' has no value, so nothing was sent",
	);
	expect(testbed.writes).toEqual([]);
	const written = replace('Order Date', '2026-03-02', ' ');
	await testbed.run(
		mass('searchReplace', { ...byIds('10'), ...written }),
		[{}],
		testbed.as('admin'),
	);
	const change = { field: Number(fields.orderDate), valueReplaced: '2026/03/02', valueNew: '' };
	expect(action()).toEqual({ action: [change] });
	const ofText = mass('searchReplace', { ...byIds('10'), ...replace('Remark', ' ', '_') });
	testbed.order(10).set(fields.remark, 'a b');
	await testbed.run(ofText, [{}], testbed.as('admin'));
	expect(text(fields.remark)).toBe('a_b');
});

it('an empty list as a replacement is an error, so no text is removed', async () => {
	const replaced = replace('Remark', 'drop this', '={{ [] }}');
	const result = await testbed.run(mass('searchReplace', { ...byIds('10'), ...replaced }));
	expect(result.error?.message).toBe(
		"The value of 'Remark' in 'Replacements' cannot be used: the expression returned a list",
	);
	expect(testbed.writes).toEqual([]);
});

it('white space around a date or a number in a condition is not sent', async () => {
	const conditions = byConditions(
		['Order Date', 'gte', ' 2026/01/31 '],
		['Delivery Time', 'lte', '2026/01/31 10:00:00\n'],
	);
	await testbed.run(
		mass('approve', { ...conditions, options: quickly }),
		[{}],
		testbed.as('admin'),
	);
	expect(testbed.writes[0]?.query.slice(1)).toEqual([
		['where', `${fields.orderDate},gte,2026/01/31`],
		['where', `${fields.deliveryTime},lte,2026/01/31 10:00:00`],
	]);
});

describe('a mask', () => {
	const before = () => text(fields.internalMargin);

	it.each(['Internal Margin', fields.internalMargin])(
		'never replaces the hidden values of %s',
		async (field) => {
			const margin = before();
			const replaced = mass('searchReplace', { ...byIds('10'), ...replace(field, 'x', '****') });
			const results = [
				await set(field, '****'),
				await testbed.run(replaced, [{}], testbed.as('admin')),
			];
			for (const { error } of results) {
				expect(error?.message).toBe(
					`The new value of '${field}' is a mask, which would replace the hidden values, so nothing was sent`,
				);
			}
			expect(testbed.writes).toEqual([]);
			expect(text(fields.internalMargin)).toBe(margin);
		},
	);

	it('is a text in any other field', async () => {
		await set('Remark', '***');
		expect(text(fields.remark)).toBe('***');
	});
});

it.each([
	[
		'Status',
		'Opne',
		"'Status' (not among the values in use in the newest 200 records; check the spelling)",
	],
	['Express', 'maybe', "'Express' (neither true nor false, but the field is a checkbox)"],
	['Status', 'Open', undefined],
	['Remark', 'Opne', undefined],
])('%s ← %s is sent, and named in _warning if it may be a mistake', async (field, value, named) => {
	const result = await set(field, value);
	expect(action()).toMatchObject({ action: [{ value }] });
	const warning = named && `Check what was sent: ${named}.`;
	expect(result.json[0]?._warning).toBe(warning);
});

it('an object within the comment of an approval is sent, and _warning says so', async () => {
	const comment = '=To: {{ $json.address }}';
	const parameters = mass('approve', { ...byIds('10'), comment });
	const result = await testbed.run(parameters, [{ address: { city: 'Oslo' } }]);
	expect(testbed.bodies).toEqual([{ action: 'approve', comment: 'To: [object Object]' }]);
	expect(result.json[0]?._warning).toBe(
		"Check what was sent: 'Comment' (contains '[object Object]': an expression in the text returned an object).",
	);
});

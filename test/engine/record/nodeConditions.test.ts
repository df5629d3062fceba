import type { INodeParameters } from 'n8n-workflow';
import { orders, type SheetRecord } from '../../service';
import { byConditions, mass } from '../massOperation/massParameters';
import { onOrders, useRecordTestbed } from '../recordTestbed';
import { conditionsSent, idsWhere } from './listedOrders';

/** Conditions that the service does not support: Is Not Equal To (`ne`) and Is Not Empty (`notEmpty`). */
const testbed = useRecordTestbed({ demoRecords: 120 });
const { fields, subtables } = orders;

interface Condition {
	field: string;
	operator: string;
	value?: string;
}

const notOpen: Condition = { field: fields.status, operator: 'ne', value: 'Open' };
const withNote: Condition = { field: fields.note, operator: 'notEmpty' };

function list(
	conditions: Condition[],
	options: INodeParameters = {},
	overrides: INodeParameters = {},
) {
	const filters = { conditions: conditions.map((condition) => ({ ...condition })) };
	return { ...onOrders('getAll'), returnAll: true, filters, options, ...overrides };
}

async function found(...conditions: Condition[]): Promise<unknown[]> {
	const result = await testbed.run(list(conditions));
	expect(result.error).toBeUndefined();
	return result.ids;
}

const status = (record: SheetRecord) => record.text(fields.status);
const isIn = (city: string) => (record: SheetRecord) => record.text(fields.city) === city;
const cityOf = (id: number) => testbed.order(id).text(fields.city);

interface Case {
	what: string;
	conditions: Condition[];
	test: (record: SheetRecord) => boolean;
	/** Condition with which the node asks how the service compares a field of unknown type. */
	asked?: string[];
}

it.each<Case>([
	{
		what: 'Is Not Equal To returns the other records, including empty ones',
		conditions: [{ field: fields.remark, operator: 'ne', value: 'Thank you 🎉' }],
		test: (record) => record.text(fields.remark) !== 'Thank you 🎉',
	},
	{
		what: 'several Is Not Equal To on one field must all be true',
		conditions: [notOpen, { ...notOpen, value: 'Shipped' }],
		test: (record) => !/^(Open|Shipped)$/.test(status(record)),
	},
	{
		what: 'Is Not Empty returns the records with a value',
		conditions: [{ field: fields.remark, operator: 'notEmpty' }],
		test: (record) => record.text(fields.remark) !== '',
	},
	{
		what: 'Is Not Empty on a field with an ambiguous name, by its ID',
		conditions: [{ field: fields.secondNote, operator: 'notEmpty' }],
		test: (record) => record.text(fields.secondNote) !== '',
	},
	{
		what: 'Is Not Equal To, by the name of a field',
		conditions: [{ field: 'Status', operator: 'ne', value: 'Open' }],
		test: (record) => status(record) !== 'Open',
	},
	{
		what: 'a number is equal to other spellings of the same number',
		conditions: [{ field: fields.total, operator: 'ne', value: '812.50' }],
		test: (record) => Number(record.text(fields.total)) !== 812.5,
		asked: [`${fields.total},eq,812.5000000`],
	},
])('$what', async ({ conditions, test, asked = [] }) => {
	expect(await found(...conditions)).toEqual(idsWhere(testbed, test));
	expect(conditionsSent(testbed)).toEqual(asked);
});

it('Is Not Equal To excludes a record if any choice of its multiple selection has the value', async () => {
	testbed.order(7).set(fields.tags, ['Gift', 'Export']);
	const ids = await found({ field: fields.tags, operator: 'ne', value: 'Gift' });
	expect(ids).not.toContain(7);
	expect(ids.length).toBeGreaterThan(0);
});

it('Is Not Equal To on a field of rows compares all rows, but not the field of the record with the same name', async () => {
	const { id: lines, fields: line } = subtables.lines;
	const article = testbed.orders.field(fields.reference);
	if (article) article.name = 'Article';
	const hasVase = (record: SheetRecord) =>
		[...record.rows(lines).values()].some((row) => row.get(line.article) === 'Vase');
	testbed.order(9).set(fields.reference, 'Vase');
	const ids = await found({ field: line.article, operator: 'ne', value: 'Vase' });
	expect(ids).toEqual(idsWhere(testbed, (record) => !hasVase(record)));
});

it('a condition on a field of rows is not that of another field of the rows with the same name', async () => {
	const { id: lines } = subtables.lines;
	const second = { id: '3000010', name: 'Article', type: 'text' } as const;
	testbed.orders.subtable(lines)?.fields.push(second);
	const [row] = testbed.order(119).rows(lines).values();
	row?.set(second.id, 'x');
	const parameters = list([{ field: second.id, operator: 'notEmpty' }]);
	const { ids } = await testbed.run(parameters, [{}], testbed.as('admin'));
	expect(ids).toEqual([119]);
});

it('Is Not Equal To matches a masked value, because the real value is unknown', async () => {
	const field = fields.internalMargin;
	const value = testbed.order(8).text(field);
	expect(await found({ field, operator: 'ne', value })).toContain(8);
	const asAdmin = await testbed.run(
		list([{ field, operator: 'ne', value }], { ignoreMask: true }),
		[{}],
		testbed.as('admin'),
	);
	expect(asAdmin.ids).not.toContain(8);
});

it('the service evaluates the other conditions, so only their records are read', async () => {
	const inCity = { field: fields.city, operator: 'eq', value: cityOf(6) };
	const total = { field: fields.total, operator: 'gte', value: '100' };
	const ids = await found(notOpen, inCity, total);
	expect(ids).toEqual(
		idsWhere(testbed, (record) => {
			const isLarge = Number(record.text(fields.total)) >= 100;
			return status(record) !== 'Open' && isIn(cityOf(6))(record) && isLarge;
		}),
	);
	expect(conditionsSent(testbed)).toEqual([
		`${fields.city},eq,${encodeURIComponent(cityOf(6))}`,
		`${fields.total},gte,100`,
	]);
});

it('a limit is kept exactly, and a hint says how many records were read', async () => {
	const limited = { returnAll: false, limit: 40 };
	const result = await testbed.run(list([notOpen], { pageSize: 20 }, limited));
	const openIds = idsWhere(testbed, (record) => status(record) !== 'Open');
	expect(openIds.length).toBeGreaterThan(40);
	expect(result.ids).toEqual(openIds.slice(0, 40));
	const read = testbed.reads.filter(({ rawUrl }) => rawUrl.includes('limit=20')).length * 19 + 1;
	expect(result.hintTexts.join()).toContain(`read ${read} records and returned 40 of them`);
	expect(read).toBeLessThan(120);
});

it('the conditions are applied separately to each item, and the results are linked to it', async () => {
	const condition = { ...notOpen, value: '={{ $json.value }}' };
	const result = await testbed.run(list([condition], {}, { returnAll: false, limit: 2 }), [
		{ value: 'Open' },
		{ value: 'Shipped' },
	]);
	const idsOf = (value: string) => idsWhere(testbed, (record) => status(record) !== value);
	const expected = [idsOf('Open').slice(0, 2), idsOf('Shipped').slice(0, 2)];
	expect(result.records).toEqual(
		expected.flatMap((ids, index) => ids.map((id) => `${id} #${index}`)),
	);
});

it('the compared field of rows is read although the output has no rows', async () => {
	const { id: lines, fields: line } = subtables.lines;
	const hasVase = (record: SheetRecord) =>
		[...record.rows(lines).values()].some((row) => row.get(line.article) === 'Vase');
	const condition = { field: line.article, operator: 'ne', value: 'Vase' };
	const result = await testbed.run(list([condition], { onlyFields: 'City' }));
	expect(result.ids).toEqual(idsWhere(testbed, (record) => !hasVase(record)));
	expect(Object.keys(result.json[0] ?? {})).not.toContain(`_subtable_${lines}`);
});

it('the compared field is read although the output does not have it', async () => {
	const ragic = testbed.as('member', { serviceDialect: 'ragic' });
	testbed.service.switches.dialect = 'ragic';
	const result = await testbed.run(list([notOpen], { onlyFields: 'City' }), [{}], ragic);
	expect(result.ids).toEqual(idsWhere(testbed, (record) => status(record) !== 'Open'));
	expect(Object.keys(result.json[0] ?? {})).not.toContain('Status');
	const [read] = testbed.reads.filter(({ rawUrl }) => rawUrl.includes('limit='));
	const requested = read?.query.flatMap(([name, value]) =>
		name === 'fetchDomainIds' ? value : [],
	);
	expect(requested).toEqual([fields.city, fields.status]);
});

it.each<{ what: string; condition: Condition; options?: INodeParameters; message: string }>([
	{
		what: 'a system field',
		condition: { field: '112', operator: 'ne', value: 'Yes' },
		message: "cannot be applied to 'If Starred'",
	},
	{
		what: 'a system field of two values, with advice that works',
		condition: { field: 'If Locked', operator: 'ne', value: 'Yes' },
		message: "Use 'Is Equal To' with the opposite value: true or false.",
	},
	{
		what: 'a system field of the record information',
		condition: { field: 'Create User', operator: 'ne', value: 'a@b.example' },
		message: "Read the records with 'Include Record Information'",
	},
	{
		what: 'a system field that no read returns',
		condition: { field: 'Entry Manager', operator: 'ne', value: 'a@b.example' },
		message: 'No read returns this field. Use another operator, or another field.',
	},
	{
		what: 'Listing Fields Only',
		condition: withNote,
		options: { listing: true },
		message: "together with the option 'Listing Fields Only'",
	},
	{
		what: 'a field of rows without Subtables',
		condition: { field: subtables.lines.fields.article, operator: 'ne', value: 'Vase' },
		options: { subtables: false },
		message: "together with the option 'Subtables'",
	},
	{
		what: 'a time with a UTC offset',
		condition: { field: fields.deliveryTime, operator: 'ne', value: '2026/01/31 09:30' },
		options: { timeZone: 3 },
		message: "together with the option 'UTC Offset'",
	},
	{
		what: 'a time with the UTC offset 0',
		condition: { field: fields.deliveryTime, operator: 'ne', value: '2026/01/31 09:30' },
		options: { timeZone: 0 },
		message: "together with the option 'UTC Offset'",
	},
	{
		what: 'JSONP Callback',
		condition: withNote,
		options: { callback: 'show' },
		message: "together with the option 'JSONP Callback'",
	},
	{
		what: 'no value',
		condition: { field: fields.city, operator: 'ne', value: ' ' },
		message: "The condition on 'City' in 'Filters' has no value",
	},
])(
	'a condition of the node is rejected before a list is read: with $what',
	async ({ condition, options, message }) => {
		await testbed.expectRefused(list([condition], options), [{}], message);
		expect(testbed.reads.filter(({ rawUrl }) => rawUrl.includes('offset='))).toEqual([]);
	},
);

it('a field that no record contains is an error, because it would count as empty', async () => {
	await testbed.expectRefused(
		list([{ field: '7654321', operator: 'ne', value: 'x' }], { fieldKeys: 'id' }),
		[{}],
		"The records do not contain the field '7654321'",
	);
});

it('after the renaming of a compared field, one list fails, and the next one has the new name', async () => {
	const parameters = list([{ field: fields.city, operator: 'ne', value: 'x' }], {
		fieldKeys: 'name',
	});
	await testbed.run(parameters);
	for (const field of testbed.service.data.sheet(orders).fields) {
		if (field.id === fields.city) field.name = 'Town';
	}
	await testbed.expectRefused(parameters, [{}], "The records do not contain the field 'City'");
	expect((await testbed.run(parameters)).json[0]).toHaveProperty('Town');
});

it('a raw condition with an operator of the node is rejected, and the error names the alternative', async () => {
	await testbed.expectRefused(
		list([], { where: `${fields.status},ne,Open` }),
		[{}],
		'has an operator that the service does not know',
	);
	expect(testbed.service.requests.count).toBe(0);
});

it.each(['ne', 'notEmpty'])(
	'%s cannot select the records of a mass operation, and the error says what to do instead',
	async (operator) => {
		const selection = byConditions([fields.status, operator, 'Open']);
		const result = await testbed.run(mass('lock', selection));
		expect(result.error?.message).toContain('cannot select the records of a mass operation');
		expect(result.error?.description).toContain('Get Many');
		expect(result.error?.description).toContain('Input Items');
		expect(testbed.service.requests.count).toBe(0);
	},
);

it.each(['If Locked', 'If Starred'])(
	"%s: 'Is Equal To' with the opposite value finds the records that 'Is Not Equal To' would find",
	async (field) => {
		const count = async (value: boolean) => {
			const filters = { conditions: [{ field, operator: 'eq', value }] };
			return Number((await testbed.run({ ...onOrders('count'), filters })).json[0]?.count);
		};
		const [on, off] = [await count(true), await count(false)];
		expect(on).toBeGreaterThan(0);
		expect(on + off).toBe(testbed.orders.records.size);
	},
);

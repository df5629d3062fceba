import { InputError } from '../../../../nodes/api/values/inputError';
import { beginAnew, recordsWith, useSources } from './sources/fieldSources';

beginAnew();

const total = { fieldId: '1000001', fieldName: 'Total', type: 'number' };
const year = { fieldId: '1000002', fieldName: '2024', type: 'text' };
const amount = { fieldId: '1000011', fieldName: 'Amount', type: 'money' };
const items = { subtableId: '2000001', name: 'Items', fields: [amount] };
const listed = (...fields: object[]) => ({
	schema: { body: { fields: [total, year, ...fields], subtables: [items] } },
});

it('a field ID is used as it is, without a request', async () => {
	const { newFields, asked } = useSources(listed());
	const field = await (await newFields()).field(' 1000001 ');
	expect(field).toEqual({ fieldId: '1000001', name: '1000001' });
	expect(asked()).toEqual([]);
});

it.each([
	{ title: 'an ID whose type matters', key: '1000001', typeMatters: true, type: 'number' },
	{ title: 'a name', key: 'Total', typeMatters: false, type: 'number' },
	{ title: 'a name that is a short number', key: '2024', typeMatters: false, type: 'text' },
])('a field has its listed type if it was given by $title', async ({ key, typeMatters, type }) => {
	const sheetFields = await useSources(listed()).newFields();
	expect(await sheetFields.field(key, typeMatters)).toMatchObject({ type });
});

it.each([{ key: '105' }, { key: ' 105 ' }, { key: 'Create Date' }, { key: 'Create Date (105)' }])(
	"'$key' is the system field Create Date",
	async ({ key }) => {
		const sheetFields = await useSources(listed()).newFields();
		expect(await sheetFields.field(key)).toMatchObject({ fieldId: '105', type: 'dateTime' });
	},
);

it('a field of the sheet takes precedence over the system field with its name', async () => {
	const sheetFields = await useSources(
		listed({ fieldId: '1000003', fieldName: 'Create Date' }),
	).newFields();
	expect((await sheetFields.field('Create Date')).fieldId).toBe('1000003');
});

it('a field of a subtable does not hide the system field with its name', async () => {
	const fields = [{ fieldId: '1000012', fieldName: 'Create Date' }];
	const sheetFields = await useSources({
		schema: { body: { fields: [total], subtables: [{ ...items, fields }] } },
	}).newFields();
	expect((await sheetFields.field('Create Date')).fieldId).toBe('105');
	expect((await sheetFields.field('Create Date', false, '2000001')).fieldId).toBe('1000012');
});

it.each([
	{ key: 'Totl', subtableId: undefined, message: "'Totl' is not a field of the sheet" },
	{ key: 'Amount', subtableId: undefined, message: "'Amount' is not a field of the sheet" },
	{ key: 'Total', subtableId: '2000001', message: "'Total' is not a field of subtable 2000001" },
	{ key: 'Create Date', subtableId: '2000001', message: 'is not a field of subtable 2000001' },
])('a name that is unknown in its place is an error: $message', async (row) => {
	const sheetFields = await useSources(listed()).newFields();
	const looking = sheetFields.field(row.key, false, row.subtableId);
	await expect(looking).rejects.toThrow(InputError);
	await expect(looking).rejects.toThrow(row.message);
});

it('a field is known by its ID only if no source lists fields, and the error for a name says so', async () => {
	const sheetFields = await useSources().newFields();
	expect(await sheetFields.field('1000001', true)).toMatchObject({ fieldId: '1000001' });
	await expect(sheetFields.field('Total')).rejects.toMatchObject({
		message: expect.stringMatching(/'Total' cannot be found by its name.*does not show the names/),
		description: expect.stringContaining('Use field IDs'),
	});
});

it('a field given by its ID comes with its name and the kind of its values', async () => {
	const sheetFields = await useSources(listed()).newFields();
	const { field, kind } = await sheetFields.fieldWithKind('1000001');
	expect([field.name, kind.name]).toEqual(['Total', 'number']);
});

it.each([
	{ title: 'the name of a field', key: '1000001', name: 'Total' },
	{ title: 'the name, whatever white space surrounds the ID', key: ' 1000001 ', name: 'Total' },
	{ title: 'the name of a system field', key: '105', name: 'Create Date' },
	{ title: 'the key itself if the ID is not listed', key: '9999999', name: '9999999' },
	{
		title: 'a placeholder with the ID if it has no name',
		key: '1000004',
		name: 'Untitled (1000004)',
	},
])('a message shows $title', async ({ key, name }) => {
	const sheetFields = await useSources(listed({ fieldId: '1000004', fieldName: '' })).newFields();
	expect(await sheetFields.nameFor(key)).toBe(name);
});

it.each([
	['schema', listed(), 'throws'],
	['definition', { definition: { body: { fields: { fid1000001: { name: 'Total' } } } } }, 'throws'],
	[
		'records',
		{ recordsById: recordsWith('1000001', ['5']), recordsByName: recordsWith('Total', ['5']) },
		'is the ID',
	],
	['no source', {}, 'is the ID'],
])('a short ID in a condition that %s does not list %s', async (_, sources, outcome) => {
	const field = (await useSources(sources).newFields()).comparedField('12');
	const found = await field.then(({ fieldId }) => fieldId, String);
	expect(found).toMatch(outcome === 'throws' ? /^InputError: '12' is not a field/ : /^12$/);
});

it('a message shows IDs while the service is down', async () => {
	const sheetFields = await useSources({ schema: { status: 503 } }).newFields();
	expect(await sheetFields.nameFor('1000001')).toBe('1000001');
});

it('a sheet has no fields if no source lists any', async () => {
	const sheetFields = await useSources().newFields();
	expect((await sheetFields.load()).fields).toEqual([]);
	expect((await sheetFields.load({ readNames: true })).fields).toEqual([]);
	expect(await sheetFields.names()).toEqual({});
});

const twice = [
	{ fieldId: '1000005', fieldName: 'Note' },
	{ fieldId: '1000006', fieldName: 'Note' },
	{ fieldId: '1000007', fieldName: '2024001' },
	{ fieldId: '1000008', fieldName: '2024001' },
];

it.each([{ key: 'Total' }, { key: '1000001' }, { key: 'Amount' }, { key: 'Create Date' }])(
	"'$key' passes as the name of a field of the sheet or its subtables",
	async ({ key }) => {
		const sheetFields = await useSources(listed(...twice)).newFields();
		await expect(sheetFields.requireField(key)).resolves.toBeUndefined();
	},
);

it.each([
	{ title: 'is unknown', key: 'Totl', message: /is not a field of the sheet/ },
	{ title: 'two fields share', key: 'Note', message: /2 fields \(1000005, 1000006\)/ },
	{ title: 'is a long number that two fields share', key: '2024001', message: /is the name of 2/ },
])('a required field must not have a name that $title', async ({ key, message }) => {
	const sheetFields = await useSources(listed(...twice)).newFields();
	await expect(sheetFields.requireField(key)).rejects.toThrow(message);
});

it('any name passes if no source lists fields', async () => {
	const sheetFields = await useSources().newFields();
	await expect(sheetFields.requireField('Total')).resolves.toBeUndefined();
});

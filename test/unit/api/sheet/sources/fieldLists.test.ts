import fc from 'fast-check';
import {
	fieldsOfDefinition,
	fieldsOfSchema,
} from '../../../../../nodes/api/sheet/sources/fieldLists';
import type { Field } from '../../../../../nodes/api/sheet/fields';
import { parseOrderedJson } from '../../../../../nodes/api/json/orderedJson';
import { runs } from '../../../../amount';

const schema = (value: unknown) => fieldsOfSchema(parseOrderedJson(JSON.stringify(value)));
const definition = (value: unknown) => fieldsOfDefinition(parseOrderedJson(JSON.stringify(value)));

/** The first field of a schema that describes one. */
const schemaField = (described: object): Field | undefined =>
	schema({ fields: [{ fieldId: 7, ...described }] })?.fields[0];

describe('the schema', () => {
	it('the schema lists the fields and subtables of a sheet in its order', () => {
		const list = schema({
			sheet: { sheetName: 'Orders', keyFieldId: 1000002 },
			fields: [
				{ fieldId: '1000002', fieldName: 'Order Number', type: 'text', required: true },
				{ fieldId: '1000001', fieldName: 'Total', type: 'number', computed: true, hidden: true },
			],
			subtables: [
				{ subtableId: '2000001', name: 'Items', fields: [{ fieldId: '1000001', name: 'Price' }] },
				{ subtableId: '2000002' },
			],
		});
		const no = { required: false, readOnly: false };
		expect(list).toEqual({
			keyFieldId: '1000002',
			fields: [
				{ fieldId: '1000002', name: 'Order Number', type: 'text', ...no, required: true },
				{
					...{ ...no, fieldId: '1000001', name: 'Total', type: 'number' },
					...{ readOnly: true, computed: true, hidden: true },
				},
				{ fieldId: '1000001', name: 'Price', ...no, subtableId: '2000001' },
			],
			subtables: [{ subtableId: '2000001', name: 'Items' }, { subtableId: '2000002' }],
		});
	});

	it.each([
		{ member: 'readOnly', described: { readOnly: 'Y' }, expected: { readOnly: true } },
		{ member: 'computed', described: { computed: 1 }, expected: { readOnly: true } },
		{
			member: 'no member that says so',
			described: { readOnly: false, computed: 0 },
			expected: { readOnly: false },
		},
		{ member: 'hidden', described: { hidden: true }, expected: { hidden: true } },
		{ member: 'a false hidden', described: { hidden: 'false' }, expected: { hidden: false } },
		{ member: 'no hidden', described: {}, expected: { hidden: undefined } },
		{ member: 'fieldName', described: { fieldName: 'A' }, expected: { name: 'A' } },
		{ member: 'name', described: { name: 'A' }, expected: { name: 'A' } },
		{ member: 'no name', described: {}, expected: { name: '' } },
		{ member: 'id', described: { fieldId: null, id: 8 }, expected: { fieldId: '8' } },
	])('a field in the schema with $member is understood as $expected', (example) => {
		expect(schemaField(example.described)).toMatchObject(example.expected);
	});

	it.each([
		{ key: 'subtableId', nameKey: 'name' },
		{ key: 'id', nameKey: 'subtableName' },
		{ key: 'key', nameKey: 'fieldName' },
		{ key: 'keyFieldId', nameKey: 'name' },
	])('the schema may call the ID of a subtable $key, and its name $nameKey', (keys) => {
		const subtable = { [keys.key]: 5, [keys.nameKey]: 'Items' };
		const nameless = { [keys.nameKey]: 'Without an ID', fields: [{ fieldId: 9 }] };
		const list = schema({ fields: [{ fieldId: 7 }], subtables: [nameless, subtable] });
		expect(list?.subtables).toEqual([{ subtableId: '5', name: 'Items' }]);
		expect(list?.fields.map(({ fieldId }) => fieldId)).toEqual(['7']);
	});

	it.each([
		{ sheet: { keyFieldId: '1000001' }, keyFieldId: '1000001' },
		{ sheet: { keyFieldId: '' }, keyFieldId: undefined },
		{ sheet: {}, keyFieldId: undefined },
		{ sheet: 'Orders', keyFieldId: undefined },
	])('the key field of the schema with the sheet $sheet is $keyFieldId', (example) => {
		const list = schema({ sheet: example.sheet, fields: [{ fieldId: 7 }] });
		expect(list?.keyFieldId).toBe(example.keyFieldId);
	});

	it.each([
		{ answer: null },
		{ answer: 'x' },
		{ answer: [{ fieldId: 7 }] },
		{ answer: {} },
		{ answer: { fields: [] } },
		{ answer: { fields: [{ fieldName: 'Without an ID' }] } },
		{ answer: { fields: 'x', subtables: [{ subtableId: 5, fields: [{ fieldId: 7 }] }] } },
	])('the answer $answer is not a schema', ({ answer }) => {
		expect(schema(answer)).toBeUndefined();
	});

	it('the schema lists choices as texts or as objects', () => {
		const choicesOf = (options: unknown, key = 'options') =>
			schema({ fields: [{ fieldId: 7, [key]: options }] })?.fields[0]?.choices;
		expect(choicesOf(['Open', 'a, b', 5])).toEqual(['Open', 'a, b', '5']);
		const objects = [{ value: 'Open' }, { name: 'Shipped' }, {}];
		expect(choicesOf(objects, 'choices')).toEqual(['Open', 'Shipped']);
		for (const none of [[], 'Open', null, [{}]]) expect(choicesOf(none)).toBeUndefined();
	});

	it('the schema may say true in several words', () => {
		const isRequired = (required: unknown) =>
			schema({ fields: [{ fieldId: 7, required }] })?.fields[0]?.required;
		expect([true, 1, 'true', '1', 'Y'].every(isRequired)).toBe(true);
		expect([false, 0, 'false', '', null, undefined, 'N'].some(isRequired)).toBe(false);
	});
});

describe('the definition', () => {
	it('the definition lists the fields and subtables of a sheet in its order', () => {
		const list = definition({
			fields: {
				fid1000002: { name: 'Order Number', attr_must: true, attr_ro: '0' },
				stid2000001: { name: 'Items', fid1000001: { name: 'Price', attr_ro: 1 } },
				fid1000001: { attr_must: '0' },
				stid2000002: {},
			},
		});
		const no = { required: false, readOnly: false };
		expect(list).toEqual({
			fields: [
				{ fieldId: '1000002', name: 'Order Number', required: true, readOnly: false },
				{ fieldId: '1000001', name: '', ...no },
				{ ...no, fieldId: '1000001', name: 'Price', readOnly: true, subtableId: '2000001' },
			],
			subtables: [{ subtableId: '2000001', name: 'Items' }, { subtableId: '2000002' }],
		});
	});

	it.each(['xfid8', 'fid8x', 'fid', 'xstid8', 'stid8x', 'stid', 'other'])(
		'the key %s of a definition is neither a field nor a subtable',
		(key) => {
			const list = definition({ fields: { fid7: {}, [key]: { name: 'A', fid9: { name: 'B' } } } });
			expect(list?.fields.map(({ fieldId }) => fieldId)).toEqual(['7']);
			expect(list?.subtables).toEqual([]);
		},
	);

	it.each([
		{ answer: null },
		{ answer: 'x' },
		{ answer: [] },
		{ answer: { fields: ['fid7'] } },
		{ answer: { fields: {} } },
		{ answer: { fields: { fid7: 'A', stid8: 'B' } } },
	])('the answer $answer is not a definition', ({ answer }) => {
		expect(definition(answer)).toBeUndefined();
	});

	it('members of a definition that are no objects are skipped', () => {
		const list = definition({ fields: { fid7: {}, fid8: 'A', stid9: null, stid10: { fid1: 1 } } });
		expect(list?.fields.map(({ fieldId }) => fieldId)).toEqual(['7']);
		expect(list?.subtables).toEqual([{ subtableId: '10' }]);
	});
});

it('no answer yields no fields', () => {
	expect([fieldsOfSchema(), fieldsOfDefinition()]).toEqual([undefined, undefined]);
});

it('the schema and the definition of one sheet yield the same fields and subtables', () => {
	const ids = fc.nat(9_999_999);
	const field = fc.record({ id: ids, name: fc.string(), must: fc.boolean(), ro: fc.boolean() });
	const fields = fc.uniqueArray(field, { minLength: 1, maxLength: 5, selector: ({ id }) => id });
	const subtable = fc.record({ id: ids, name: fc.string(), fields });
	const subtables = fc.uniqueArray(subtable, { maxLength: 3, selector: ({ id }) => id });
	const described = (
		list: ReadonlyArray<{ id: number; name: string; must: boolean; ro: boolean }>,
	) => ({
		listed: list.map(({ id, name, must, ro }) => {
			return { fieldId: id, fieldName: name, required: must, readOnly: ro };
		}),
		defined: Object.fromEntries(
			list.map(({ id, name, must, ro }) => [`fid${id}`, { name, attr_must: must, attr_ro: ro }]),
		),
	});
	fc.assert(
		fc.property(fields, subtables, (ofSheet, tables) => {
			const sheet = described(ofSheet);
			const listed = tables.map((table) => {
				return { subtableId: table.id, name: table.name, fields: described(table.fields).listed };
			});
			const defined = tables.map((table) => {
				return [`stid${table.id}`, { name: table.name, ...described(table.fields).defined }];
			});
			const list = schema({ fields: sheet.listed, subtables: listed });
			expect(list?.subtables).toHaveLength(tables.length);
			expect(definition({ fields: { ...sheet.defined, ...Object.fromEntries(defined) } })).toEqual(
				list,
			);
		}),
		{ numRuns: runs(100) },
	);
});

it('any JSON is read without an error, and yields fields with ids of digits or nothing', () => {
	const keys = fc.constantFrom(
		...['fields', 'subtables', 'fieldId', 'id', 'name', 'fid7', 'stid8', '1', 'options'],
	);
	const { json } = fc.letrec((tie) => ({
		json: fc.oneof(
			{ maxDepth: 5 },
			fc.constantFrom<unknown>(null, true, 7, '8', 'x'),
			fc.array(tie('json'), { maxLength: 3 }),
			fc.dictionary(keys, tie('json'), { maxKeys: 4 }),
		),
	}));
	fc.assert(
		fc.property(json, (value) => {
			for (const read of [fieldsOfSchema, fieldsOfDefinition]) {
				const list = read(parseOrderedJson(JSON.stringify({ fields: value, subtables: value })));
				expect(list === undefined || list.fields.length > 0).toBe(true);
				for (const { fieldId } of list?.fields ?? []) expect(fieldId).toMatch(/^\d+$/);
			}
		}),
		{ numRuns: runs(300, 3000) },
	);
});

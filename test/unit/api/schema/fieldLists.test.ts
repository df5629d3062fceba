import fc from 'fast-check';
import { fieldsOfDefinition, fieldsOfSchema } from '../../../../nodes/api/schema/fieldLists';
import { parseOrderedJson } from '../../../../nodes/api/json/orderedJson';
import { amount } from '../../../amount';

const schema = (value: unknown) => fieldsOfSchema(parseOrderedJson(JSON.stringify(value)));
const free = { required: false, readOnly: false };
const definition = (text: string) => fieldsOfDefinition(parseOrderedJson(text));

describe('the schema', () => {
	it('tells fields with their types, and those of subtables', () => {
		const article = { fieldId: 1000021, fieldName: 'Article', type: 'text' };
		const list = schema({
			sheet: { sheetPath: '/sales', sheetIndex: 1, sheetName: 'Orders', keyFieldId: 1000001 },
			fields: [
				{ fieldId: 1000002, fieldName: 'City', type: 'text', required: true, readOnly: false },
				{ fieldId: '1000001', fieldName: 'Number', type: 'autoNumber', readOnly: true },
				{ fieldId: 1000003, fieldName: 'Total', type: 'number', computed: true, hidden: true },
				...[{ fieldId: 7, fieldName: 'Total' }, { fieldId: 8, fieldName: '' }, { fieldId: 9 }],
			],
			subtables: [{ subtableId: 2000001, name: 'Lines', fields: [article] }],
		});
		expect(list).toEqual({
			fields: [
				{ ...free, fieldId: '1000002', name: 'City', type: 'text', required: true },
				{ ...free, fieldId: '1000001', name: 'Number', type: 'autoNumber', readOnly: true },
				{
					...free,
					fieldId: '1000003',
					name: 'Total',
					type: 'number',
					readOnly: true,
					hidden: true,
				},
				{ ...free, fieldId: '7', name: 'Total' },
				{ ...free, fieldId: '8', name: '' },
				{ ...free, fieldId: '9', name: '' },
				{ ...free, fieldId: '1000021', name: 'Article', type: 'text', subtableId: '2000001' },
			],
			subtables: [{ subtableId: '2000001', name: 'Lines' }],
			keyFieldId: '1000001',
		});
	});

	it('tells choices, as texts or as objects', () => {
		const choicesOf = (options: unknown, key = 'options') =>
			schema({ fields: [{ fieldId: 7, [key]: options }] })?.fields[0]?.choices;
		expect(choicesOf(['Open', 'a, b', 5])).toEqual(['Open', 'a, b', '5']);
		const objects = [{ value: 'Open' }, { name: 'Shipped' }, {}];
		expect(choicesOf(objects, 'choices')).toEqual(['Open', 'Shipped']);
		for (const none of [[], 'Open', null, [{}]]) expect(choicesOf(none)).toBeUndefined();
	});

	it('says yes in several words', () => {
		const isRequired = (required: unknown) =>
			schema({ fields: [{ fieldId: 7, required }] })?.fields[0]?.required;
		expect([true, 1, 'true', '1', 'Y'].every(isRequired)).toBe(true);
		expect([false, 0, 'false', '', null, undefined, 'N'].some(isRequired)).toBe(false);
	});
});

it('the definition tells fields in the order of the text, and those of subtables', () => {
	const list = definition(
		`{"fields":{
			"fid1000009":{"name":"City","attr_must":"1","attr_ro":"0"},
			"stid2000001":{"fid1000022":{"name":"Quantity"},"fid1000021":{"name":"Article","attr_ro":true}},
			"fid1000001":{"name":"Number","attr_ro":1},
			"fid9":{"name":"City"},"fid8":{"name":""},"fid7":{},
			"other":{"name":"no field"},"fid":{},"fidX":{},"fid5":"no object"}}`,
	);
	expect(list).toEqual({
		fields: [
			{ ...free, fieldId: '1000009', name: 'City', required: true },
			{ ...free, fieldId: '1000001', name: 'Number', readOnly: true },
			{ ...free, fieldId: '9', name: 'City' },
			{ ...free, fieldId: '8', name: '' },
			{ ...free, fieldId: '7', name: '' },
			{ ...free, fieldId: '1000022', name: 'Quantity', subtableId: '2000001' },
			{ ...free, fieldId: '1000021', name: 'Article', readOnly: true, subtableId: '2000001' },
		],
		subtables: [{ subtableId: '2000001', name: undefined }],
	});
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
		{ numRuns: amount(300, 3000) },
	);
});

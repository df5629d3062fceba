import fc from 'fast-check';
import { FieldIndex } from '../../../../../nodes/api/sheet/fieldIndex';
import type { Field } from '../../../../../nodes/api/sheet/fields';
import type { JsonValue } from '../../../../../nodes/api/json/orderedJson';
import { simplifiedRecord } from '../../../../../nodes/api/read/record';
import { ValueTypes, type TypingRules } from '../../../../../nodes/api/sheet/kinds/typedValues';
import { kindOf } from '../../../../../nodes/api/sheet/kinds/valueKinds';
import { differingChanges } from '../../../../../nodes/api/write/diff';
import { noChanges } from '../../../../../nodes/api/write/recordContent';
import { jsonObject, recordOf } from '../../jsonObject';
import { runs } from '../../../../amount';

/** Returns the value types for records with names, or with IDs, as keys. */
const typesOf = (known: readonly Field[], rules: Partial<TypingRules>, untyped?: Set<string>) =>
	new ValueTypes(
		new FieldIndex({ fields: known }),
		{ byId: false, numbers: [], lists: [], ...rules },
		untyped,
	);

const fields: Field[] = [
	{ fieldId: '1000001', name: 'Total', type: 'number' },
	{ fieldId: '1000002', name: 'Express', type: 'checkbox' },
	{ fieldId: '1000003', name: 'Tags', type: 'multipleSelection' },
	{ fieldId: '1000004', name: 'Code', type: 'text' },
	{ fieldId: '1000005', name: 'Note', type: 'text' },
	{ fieldId: '1000006', name: 'Note', type: 'text' },
	{ fieldId: '1000007', name: '1000007', type: 'text' },
	{ fieldId: '1000011', name: 'Amount', type: 'number', subtableId: '2000001' },
	{ fieldId: '1000012', name: 'Code', type: 'number', subtableId: '2000001' },
];

function typed(content: object, known: readonly Field[] = fields) {
	const types = typesOf(known, {});
	return { json: simplifiedRecord(recordOf(JSON.stringify(content)), { types }), types };
}

it('a numbered field is not typed if it may have several types', () => {
	const other = { fieldId: '1000008', name: 'Note', type: 'number' };
	const { json } = typed({ Note: '5', Note3: '6' }, [...fields, other]);
	expect(json).toMatchObject({ Note: '5', Note3: '6' });
});

it('two fields with the same name are typed if both have the same type', () => {
	const dates = { fieldId: '1000009', name: 'Date', type: 'date' };
	const untyped = new Set<string>();
	const types = typesOf(
		[
			...fields,
			{ fieldId: '1000008', name: 'Total', type: 'money' },
			...[dates, { ...dates, type: 'text' }],
		],
		{},
		untyped,
	);
	expect([types.member('Total', '5'), types.member('Date', '5')]).toEqual([5, '5']);
	expect([...untyped]).toEqual([]);
});

it.each([
	{ types: ['number', undefined], typed: '5' },
	{ types: [undefined, 'number'], typed: '5' },
	{ types: [undefined, undefined], typed: '5' },
	{ types: ['number', 'text', 'number'], typed: '5' },
	{ types: ['number', 'money', 'currency'], typed: 5 },
])('fields of one name with the types $types have the value $typed', ({ types, typed: value }) => {
	const known = types.map((type, index) => ({ fieldId: `${index + 1}`, name: 'Size', type }));
	expect(typed({ Size: '5' }, known).json.Size).toBe(value);
});

it('a value in a row has the type of its field in the subtable', () => {
	const { json } = typed({
		...{ Code: '5', Amount: '6' },
		_subtable_2000001: { 7: { Code: '5', Amount: '6', Total: '8' }, 8: { Code: 'A' } },
	});
	expect(json).toMatchObject({
		...{ Code: '5', Amount: '6' },
		_subtable_2000001: [
			{ _rowId: 7, Code: 5, Amount: 6, Total: '8' },
			{ _rowId: 8, Code: 'A' },
		],
	});
});

it.each(['Total', 'Tags', 'Code', 'Not listed'])(
	'%s has the type that the user says, a number if it is said to be both',
	(key) => {
		const valueWith = (rules: Partial<TypingRules>) => typesOf(fields, rules).member(key, '5');
		expect(valueWith({ lists: [key] })).toEqual(['5']);
		expect(valueWith({ numbers: [key] })).toBe(5);
		expect(valueWith({ numbers: [key], lists: [key] })).toBe(5);
	},
);

it('values that are no rows of a subtable are not changed', () => {
	const { types } = typed({});
	const comments = jsonObject('{"7":{"Total":"5"}}');
	expect(types.member('_subtable_61', comments)).toBe(comments);
	expect(types.member('_subtable_2000001', 'none')).toBe('none');
	const rows = jsonObject('{"_count":2,"7":{"Amount":"6"}}');
	const typedRows = jsonObject('{"_count":2,"7":{"Amount":6}}');
	expect(types.member('_subtable_2000001', rows)).toEqual(typedRows);
	expect(types.row('2000001', 'none')).toBe('none');
});

it('a record that was read by IDs has the same typed values', () => {
	const values: JsonValue[] = ['5', 'Yes', ['a'], '5', 'a'];
	const known = fields.filter(({ subtableId }) => subtableId === undefined).slice(0, values.length);
	const byName = typesOf(known, { numbers: ['Code'], lists: ['Note'] });
	const byId = typesOf(known, { byId: true, numbers: ['1000004'], lists: ['1000005'] });
	const expected = [5, true, ['a'], 5, ['a']];
	for (const [index, { fieldId, name }] of known.entries()) {
		const value = values[index] ?? null;
		expect(byId.member(fieldId, value)).toEqual(expected[index]);
		expect(byName.member(name, value)).toEqual(expected[index]);
	}
});

it.each([
	{ key: '1000009', byId: true, sent: '1000009' },
	{ key: ' 1000009 ', byId: true, sent: '1000009' },
	{ key: 'Total (1000009)', byId: true, sent: '1000009' },
	{ key: 'Total', byId: false, sent: 'Total' },
	{ key: '2024 (1000009)', byId: false, sent: '2024 (1000009)' },
])(
	'a field that no list has is typed as it is declared by the key "$key"',
	({ key, byId, sent }) => {
		const untyped = new Set<string>();
		expect(typesOf([], { byId, numbers: [key] }, untyped).member(sent, '5')).toBe(5);
		expect(typesOf([], { byId, lists: [key] }, untyped).member(sent, '5')).toEqual(['5']);
		expect([...untyped]).toEqual([]);
	},
);

it('a field of unknown type is reported if its type would matter', () => {
	const untyped = new Set<string>();
	const known = [{ fieldId: '1000001', name: 'A' }];
	const types = typesOf(known, { numbers: ['C'], lists: ['D'] }, untyped);
	const members: Array<[string, JsonValue, JsonValue]> = [
		['A', '5', '5'],
		['B', 'Yes', 'Yes'],
		['C', '5', 5],
		['D', 'a', ['a']],
		['E', 'text', 'text'],
		['F', ['a'], ['a']],
		['_x', '5', '5'],
	];
	for (const [key, value, typed] of members) expect(types.member(key, value)).toEqual(typed);
	expect([...untyped]).toEqual(['A', 'B', 'F']);
});

it('a typed value counts as unchanged when it is written back', () => {
	const typical = '|0|12.50|-0.0|0612|1e5|12345678901234567890|Yes|no|a'.split('|');
	const texts = fc.oneof(fc.constantFrom(...typical), fc.string(), fc.double().map(String));
	const values = fc.oneof(texts, fc.array(texts.filter(Boolean), { maxLength: 3 }));
	const types = fc.constantFrom('number', 'checkbox', 'multipleSelection', 'text');
	fc.assert(
		fc.property(values, types, (stored, type) => {
			fc.pre(!/^\*+$/.test(String(stored)));
			const { types: valueTypes } = typed({}, [{ fieldId: '1', name: 'Field', type }]);
			const back = valueTypes.member('Field', stored);
			// An empty value is written only on request, as an empty text.
			const isEmpty = back === null || (Array.isArray(back) && back.length === 0);
			const input = isEmpty ? '' : Array.isArray(back) ? back.map(String) : back;
			if (typeof input === 'object' && !Array.isArray(input))
				throw new Error('no field holds an object');
			const changes = { ...noChanges(), fields: new Map([['1', input]]) };
			const record = new Map<string, JsonValue>([['1', stored]]);
			const kinds = new Map([['1', kindOf({ type })]]);
			expect(differingChanges(record, changes, kinds)).toEqual(noChanges());
		}),
		{ numRuns: runs(300) },
	);
});

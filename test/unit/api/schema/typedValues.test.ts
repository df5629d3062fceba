import fc from 'fast-check';
import type { Field } from '../../../../nodes/api/schema/fields';
import type { JsonValue } from '../../../../nodes/api/json/orderedJson';
import { simplifiedRecord } from '../../../../nodes/api/read/record';
import { ValueTypes } from '../../../../nodes/api/schema/typedValues';
import { kindOf } from '../../../../nodes/api/schema/valueKinds';
import { differingChanges } from '../../../../nodes/api/write/diff';
import { noChanges } from '../../../../nodes/api/write/recordContent';
import { recordOf } from '../jsonObject';
import { runs } from '../../../amount';

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
	const types = new ValueTypes(known, { byId: false, numbers: [], lists: [] });
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
	const types = new ValueTypes(
		[
			...fields,
			{ fieldId: '1000008', name: 'Total', type: 'money' },
			...[dates, { ...dates, type: 'text' }],
		],
		{ byId: false, numbers: [], lists: [] },
		untyped,
	);
	expect([types.member('Total', '5'), types.member('Date', '5')]).toEqual([5, '5']);
	expect([...untyped]).toEqual([]);
});

it('a field of unknown type is reported if its type would matter', () => {
	const untyped = new Set<string>();
	const known = [{ fieldId: '1000001', name: 'A' }];
	const types = new ValueTypes(known, { byId: false, numbers: ['C'], lists: ['D'] }, untyped);
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

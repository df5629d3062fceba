import fc from 'fast-check';
import { FieldIndex } from '../../../../nodes/api/sheet/fieldIndex';
import {
	fieldKey,
	idInKey,
	isFieldId,
	keyWithId,
	listOf,
	mayBeUnnamedField,
	nameOf,
	systemFields,
	type Field,
} from '../../../../nodes/api/sheet/fields';
import { kindOf } from '../../../../nodes/api/sheet/kinds/valueKinds';
import { runs } from '../../../amount';

/** Returns whether a key stands for the field, if it is the only one of the sheet. */
const isKeyOf = (key: string, field: Field) =>
	new FieldIndex({ fields: [field] }).listed(key, 'record').length > 0;

const fieldIds = fc.nat(9_999_999).map(String);

it.each([
	{ key: '7', isId: true },
	{ key: '1000001', isId: true },
	{ key: '1000001 ', isId: false },
	{ key: '105a', isId: false },
	{ key: 'Q4', isId: false },
	{ key: '', isId: false },
])('whether the key "$key" looks like a field ID: $isId', ({ key, isId }) => {
	expect(isFieldId(key)).toBe(isId);
});

it.each([
	{ input: ' City ', key: ' City ' },
	{ input: 1000001, key: '1000001' },
	{ input: ' \t', key: '' },
	{ input: '', key: '' },
	{ input: undefined, key: '' },
	{ input: ['City'], key: '' },
])('the entered field $input becomes the key "$key"', ({ input, key }) => {
	expect(fieldKey(input)).toBe(key);
});

it.each([
	{ readName: '', mayBeUnnamed: true },
	{ readName: '12', mayBeUnnamed: true },
	{ readName: 'Untitled', mayBeUnnamed: true },
	{ readName: 'Untitled2', mayBeUnnamed: true },
	{ readName: 'Untitled12', mayBeUnnamed: true },
	{ readName: '未', mayBeUnnamed: true },
	{ readName: '未命名', mayBeUnnamed: true },
	{ readName: 'Без имени 2', mayBeUnnamed: true },
	{ readName: 'City', mayBeUnnamed: false },
	{ readName: 'Untitled draft', mayBeUnnamed: false },
	{ readName: 'My Untitled', mayBeUnnamed: false },
	{ readName: '未命名 A', mayBeUnnamed: false },
	{ readName: '(%)', mayBeUnnamed: false },
])('whether a read may call a field without a name "$readName": $mayBeUnnamed', (example) => {
	expect(mayBeUnnamedField(example.readName)).toBe(example.mayBeUnnamed);
});

it.each<{ reason: string; field: Omit<Field, 'fieldId'>; name: string }>([
	{ reason: 'its name', field: { name: 'City' }, name: 'City' },
	{ reason: 'its key in reads', field: { name: 'Note', readName: 'Note2' }, name: 'Note2' },
	{
		reason: 'its ID without a name',
		field: { name: '', readName: '未命名2' },
		name: 'Untitled (1000001)',
	},
	{ reason: 'its ID if only that is known', field: { name: '1000001' }, name: '1000001' },
	{
		reason: 'its number with its ID',
		field: { name: '2024' },
		name: '2024 (1000001)',
	},
	{
		reason: 'its ID after the name of a standard key',
		field: { name: '_recordId' },
		name: '_recordId (1000001)',
	},
])('a field is shown by $reason: "$name"', ({ field, name }) => {
	expect(nameOf({ fieldId: '1000001', ...field })).toBe(name);
});

it.each([
	{ name: 'City', key: 'City (1000001)' },
	{ name: '12" Pipe \\ "new"', key: "12' Pipe ' 'new' (1000001)" },
	{ name: '', key: 'Untitled (1000001)' },
	{ name: '2024', key: '2024 (1000001)' },
	{ name: '1000001', key: '1000001' },
	{ name: 'Rate (2024)', key: 'Rate (2024) (1000001)' },
])('the mapper shows the field with the name "$name" as "$key"', ({ name, key }) => {
	const field = { fieldId: '1000001', name };
	expect(keyWithId(field, [field, { fieldId: '1000002', name: 'Other' }])).toBe(key);
});

it('the mapper shows a field by its ID if its key is the name of another field', () => {
	const rate = { fieldId: '1000001', name: 'Rate' };
	const other = { fieldId: '1000002', name: 'Rate (1000001)' };
	expect(keyWithId(rate, [rate, other])).toBe('1000001');
	expect(keyWithId(other, [rate, other])).toBe('Rate (1000001) (1000002)');
});

it('a key of the mapper identifies its field, and has no character that would break a path of n8n', () => {
	const names = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'a1( )"\\\'') }));
	const fields = fc.uniqueArray(fc.record({ fieldId: fieldIds, name: names }), {
		minLength: 1,
		selector: ({ fieldId }) => fieldId,
	});
	fc.assert(
		fc.property(fields, (list) => {
			for (const field of list) {
				const key = keyWithId(field, list);
				expect(key).not.toMatch(/["\\]/);
				expect(isKeyOf(key, field)).toBe(true);
			}
		}),
		{ numRuns: runs(200) },
	);
});

it.each([
	{ key: '1000001', id: '1000001' },
	{ key: ' 1000001 ', id: '1000001' },
	{ key: 'Rate (2024)', id: '2024' },
	{ key: 'Rate (2024) ', id: '2024' },
	{ key: 'Rate (1) (2)', id: '2' },
	{ key: 'Rate(2024)', id: undefined },
	{ key: 'Rate (2024) net', id: undefined },
	{ key: 'Rate (2024)net', id: undefined },
	{ key: '2024Q1', id: undefined },
	{ key: 'Q1 2024', id: undefined },
	{ key: 'A1', id: undefined },
	{ key: 'City', id: undefined },
	{ key: '', id: undefined },
])('the field ID in the key "$key" is $id', ({ key, id }) => {
	expect(idInKey(key)).toBe(id);
});

it('the field ID after any name is found', () => {
	fc.assert(
		fc.property(fc.string(), fieldIds, (name, fieldId) => {
			expect(idInKey(`${name} (${fieldId})`)).toBe(fieldId);
		}),
	);
});

it.each([
	{ key: '1000001', isKey: true },
	{ key: 'Note', isKey: true },
	{ key: 'Note2', isKey: true },
	{ key: 'Note (1000001)', isKey: true },
	{ key: 'Former name (1000001)', isKey: true },
	{ key: 'Note (1000002)', isKey: false },
	{ key: 'note', isKey: false },
	{ key: '1000002', isKey: false },
])('whether "$key" identifies the field Note, which reads call Note2: $isKey', ({ key, isKey }) => {
	expect(isKeyOf(key, { fieldId: '1000001', name: 'Note', readName: 'Note2' })).toBe(isKey);
});

it('a message lists ten names, and the number of further names', () => {
	const names = Array.from({ length: 12 }, (_, index) => `F${index + 1}`);
	expect(listOf(names)).toBe('F1, F2, F3, F4, F5, F6, F7, F8, F9, F10 and 2 more');
	expect(listOf(names.slice(0, 10))).toBe('F1, F2, F3, F4, F5, F6, F7, F8, F9, F10');
});

describe('system fields', () => {
	const fields = [
		{ fieldId: '105', name: 'Create Date', kind: 'dateTime' },
		{ fieldId: '106', name: 'Entry Manager', kind: 'unknown' },
		{ fieldId: '108', name: 'Create User', kind: 'unknown' },
		{ fieldId: '109', name: 'Last Update Date', kind: 'dateTime' },
		{ fieldId: '110', name: 'Notify User', kind: 'unknown' },
		{ fieldId: '111', name: 'If Locked', kind: 'unknown' },
		{ fieldId: '112', name: 'If Starred', kind: 'unknown' },
	];

	it.each(fields)('the system field $name has the ID $fieldId', ({ fieldId, name, kind }) => {
		const [field, ...rest] = systemFields.filter((known) => known.name === name);
		expect(rest).toEqual([]);
		expect(field?.fieldId).toBe(fieldId);
		expect(field && kindOf(field).name).toBe(kind);
	});

	it('there are no other system fields', () => {
		expect(systemFields).toHaveLength(fields.length);
	});
});

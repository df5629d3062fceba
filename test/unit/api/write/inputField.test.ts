import { inputField, type KeyRules } from '../../../../nodes/api/write/inputField';
import { FieldIndex } from '../../../../nodes/api/sheet/fieldIndex';
import { InputError } from '../../../../nodes/api/values/inputError';
import type { Field } from '../../../../nodes/api/sheet/fields';

const fields: Field[] = [
	{ fieldId: '1000001', name: 'Name' },
	{ fieldId: '1000002', name: 'City', readName: 'City2' },
	{ fieldId: '1000003', name: '_title' },
	{ fieldId: '1000004', name: 'Rate (2024)' },
	{ fieldId: '1000005', name: 'Amount', subtableId: '20' },
];

interface Setup extends Partial<Omit<KeyRules, 'autoMap' | 'index'>> {
	fields?: Field[];
	/** Names of ignored fields. Set for an item that is mapped automatically. */
	ignored?: string[];
	isRead?: boolean;
	subtableId?: string;
}

/** Returns the ID of the key's field, `unknown` or `left out`, or the message of the error. */
function fieldOf(key: string, input: Setup = {}) {
	const { ignored, isRead = false, subtableId, fields: listed = fields, ...rules } = input;
	const index = new FieldIndex({ fields: listed });
	const autoMap = ignored && { ignoreFields: new Set(ignored), isRead };
	try {
		const field = inputField({ key, subtableId }, { index, ...rules, autoMap });
		return field === undefined ? 'left out' : field === 'unknown' ? field : field.fieldId;
	} catch (error) {
		return (error as Error).message.replace(/\..*/s, '');
	}
}

it.each([
	{ key: 'Name', field: '1000001' },
	{ key: '1000001', field: '1000001' },
	{ key: '_title', field: '1000003' },
	{ key: '_star', field: "'_star' is not a field of the sheet" },
	{ key: '_other', field: "'_other' is not a field of the sheet" },
	{ key: 'Other', field: "'Other' is not a field of the sheet" },
])('the key $key of an input is $field', ({ key, field }) => {
	expect(fieldOf(key)).toBe(field);
});

it.each<{ key: string; input?: Setup; field: string }>([
	{ key: 'Name', field: '1000001' },
	{ key: 'Other', field: "'Other' is not a field of the sheet" },
	{ key: '_other', field: 'unknown' },
	{ key: '_star', field: 'left out' },
	{ key: '_create_date', field: 'left out' },
	{ key: '_subtable_61', field: 'left out' },
	{ key: '_title', field: '1000003' },
	{ key: '_title', input: { isRead: true }, field: 'left out' },
	{ key: 'City2', field: '1000002' },
	{ key: 'City2', input: { isRead: true }, field: '1000002' },
	{ key: '1000009', field: '1000009' },
	{ key: '7', field: '7' },
	{ key: 'Amount', input: { subtableId: '20' }, field: '1000005' },
	{ key: '_other', input: { subtableId: '20' }, field: 'unknown' },
	{
		key: '_other',
		input: { subtableId: '30' },
		field: "'_other' is not a field of subtable 30",
	},
	{ key: '_other', input: { subtableId: '30', fields: [] }, field: 'unknown' },
	{ key: 'Name', input: { ignored: ['Name'] }, field: 'left out' },
	{ key: 'Name', input: { ignored: ['1000001'] }, field: 'left out' },
	{ key: '1000001', input: { ignored: ['Name'] }, field: 'left out' },
	{ key: 'Name', input: { ignored: ['Any (1000001)'] }, field: 'left out' },
	{ key: 'City', input: { ignored: ['City2'] }, field: 'left out' },
	{ key: 'Name', input: { ignored: ['Rate (2024)'] }, field: '1000001' },
	{ key: 'Name', input: { ignored: ['name'] }, field: '1000001' },
	{ key: 'extra', input: { ignored: ['extra'] }, field: 'left out' },
])('the key $key of an item with the rules $input is $field', ({ key, input, field }) => {
	expect(fieldOf(key, { ignored: [], ...input })).toBe(field);
});

it.each<{ key: string; input?: Setup; field: string }>([
	{ key: 'Name', field: '1000001' },
	{ key: 'Other', field: 'unknown' },
	{ key: '2024', field: 'unknown' },
	{ key: ' 1000009 ', field: '1000009' },
	{ key: '2024', input: { fields: [] }, field: '2024' },
	{ key: 'Other (1000009)', field: 'unknown' },
	{ key: 'Other (1000001)', field: '1000001' },
	{ key: 'Rate (2024)', field: '1000004' },
	{ key: '_star', field: 'left out' },
	{ key: 'Other', input: { subtableId: '20' }, field: 'unknown' },
	{ key: 'Other', input: { subtableId: '30' }, field: "'Other' is not a field of subtable 30" },
])('the key $key is $field if unknown names are left out', ({ key, input, field }) => {
	expect(fieldOf(key, { ignoreUnknown: true, ...input })).toBe(field);
});

it('an ignored name leaves out all fields of that name, also if the item has their IDs', () => {
	const named: Field[] = [
		{ fieldId: '1000003', name: 'Note' },
		{ fieldId: '1000013', name: 'Note' },
		{ fieldId: '1000021', name: 'Note', subtableId: '20' },
		{ fieldId: '1000022', name: 'Note', subtableId: '20' },
	];
	const rules = { fields: named, ignored: ['Note'] };
	const ofRecord = ['1000003', '1000013'].map((key) => fieldOf(key, rules));
	const ofRow = ['1000021', '1000022'].map((key) => fieldOf(key, { ...rules, subtableId: '20' }));
	expect([...ofRecord, ...ofRow]).toEqual(['left out', 'left out', 'left out', 'left out']);
});

it.each([
	['Note', '1000003'],
	['Note2', '1000013'],
])(
	'the ignored key %s of a read leaves out only its field among fields of one name',
	(ignored, left) => {
		const named: Field[] = [
			{ fieldId: '1000003', name: 'Note', readName: 'Note' },
			{ fieldId: '1000013', name: 'Note', readName: 'Note2' },
		];
		const keys = { Note: '1000003', Note2: '1000013', 1000003: '1000003', 1000013: '1000013' };
		for (const [key, fieldId] of Object.entries(keys)) {
			const expected = fieldId === left ? 'left out' : fieldId;
			expect([key, fieldOf(key, { fields: named, ignored: [ignored], isRead: true })]).toEqual([
				key,
				expected,
			]);
		}
	},
);

it.each<{ title: string; key?: string; input: Setup; remedy: string | undefined }>([
	{ title: 'an item of an error output', input: { ignored: [] }, remedy: 'ignoreError' },
	{ title: 'another name of an item', key: 'row', input: { ignored: [] }, remedy: 'leaveOutKey' },
	{ title: 'a typed input', input: {}, remedy: undefined },
	{ title: 'a row', input: { ignored: [], subtableId: '20' }, remedy: 'leaveOutKey' },
	{
		title: 'an item without a list of fields',
		input: { ignored: [], fields: [] },
		remedy: 'leaveOutKey',
	},
])('the key of $title has the advice $remedy', ({ key = 'error', input, remedy }) => {
	const { ignored, fields: listed = fields, subtableId } = input;
	const index = new FieldIndex({ fields: listed });
	const autoMap = ignored && { ignoreFields: new Set(ignored), isRead: false };
	const resolving = () => inputField({ key, subtableId }, { index, autoMap });
	expect(resolving).toThrow(InputError);
	expect(resolving).toThrow(expect.objectContaining({ remedy }));
});

it('a field may be called error', () => {
	expect(fieldOf('error', { ignored: [], fields: [{ fieldId: '1000001', name: 'error' }] })).toBe(
		'1000001',
	);
});

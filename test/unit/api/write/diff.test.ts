import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../../nodes/api/json/orderedJson';
import {
	isEmpty,
	noChanges,
	type FieldValue,
	type FilePlace,
	type RecordChanges,
} from '../../../../nodes/api/write/recordContent';
import { changedKeys, differingChanges } from '../../../../nodes/api/write/diff';
import { kindNamed, kindOf } from '../../../../nodes/api/sheet/kinds/valueKinds';

const field = '1000001';

/** Returns whether a field that contains `stored` need not be written. */
function isSame(stored: JsonValue | undefined, input: FieldValue, type?: string) {
	const record: JsonObject = new Map(stored === undefined ? [] : [[field, stored]]);
	const changes = { ...noChanges(), fields: new Map([[field, input]]) };
	return isEmpty(differingChanges(record, changes, new Map([[field, kindOf({ type })]])));
}

it.each<[string, JsonValue, FieldValue, string | undefined]>([
	['empty', '', '', undefined],
	['empty, as a selection', '', [], undefined],
	['as a selection in another order', ['b', 'a'], ['a', 'b'], undefined],
	['as the only choice, shown without a list', 'a', ['a'], 'multipleSelection'],
	['as a number in other digits', '12.50', '12.5', 'number'],
	['as a number with separators', '1,234.50', 1234.5, 'number'],
	['as a moment without its seconds', '2026/01/31 10:00', '2026/01/31 10:00:00', 'dateTime'],
	['as a switch', 'Yes', true, 'checkbox'],
])('a value is unchanged %s', (_, stored, input, type) => {
	expect(isSame(stored, input, type)).toBe(true);
});

describe('a value that must be written', () => {
	it.each<[string, JsonValue | undefined, FieldValue, string | undefined]>([
		['into a text of digits of a field whose type nobody knows', '0612', '612', undefined],
		['into a field that is not shown', undefined, '', undefined],
		['over a mask', '****', '****', undefined],
		['with separators that may mean something else', '1234', '1,234', 'number'],
		['into a number that holds a text', 'abc', 'ABC', 'number'],
		['with a choice more', ['a'], ['a', 'b'], undefined],
		['with a choice twice', ['a', 'b'], ['a', 'a'], undefined],
		['as the text of choices', ['a', 'b'], 'a,b', 'multipleSelection'],
	])('a value differs %s', (_, stored, input, type) => {
		expect(isSame(stored, input, type)).toBe(false);
	});

	it('a value differs unless the texts are equal or the type has several spellings', () => {
		const texts = fc.oneof(
			fc.string(),
			fc.constantFrom('1', '01', '1.0', 'Yes', 'true', '2026/01/31', '2026/01/31 00:00:00'),
		);
		const types = fc.constantFrom(undefined, 'text', 'link', 'singleSelection', 'email', 'user');
		fc.assert(
			fc.property(texts, texts, types, (stored, input, type) => {
				expect(isSame(stored, input, type)).toBe(stored === input && !/^\*+$/.test(stored));
			}),
		);
	});
});

it('rows to delete differ if they exist, and not if they are already gone', () => {
	const record: JsonObject = new Map([['_subtable_2000001', new Map([['17', new Map()]])]]);
	const deletion = (...rowIds: string[]) => ({
		...noChanges(),
		deletedRows: new Map([['2000001', rowIds]]),
	});
	expect(differingChanges(record, deletion('16', '17'), undefined)).toEqual(deletion('17'));
	expect(differingChanges(record, deletion('16'), undefined)).toEqual(noChanges());
	// A read leaves out a subtable without rows.
	expect(differingChanges(new Map(), deletion('17'), undefined)).toEqual(noChanges());
});

it('the differing values of rows are found by the kinds of their fields', () => {
	const stored = new Map([
		[
			'5',
			new Map([
				['7', '1.0'],
				['8', 'a'],
			]),
		],
		['6', new Map([['7', '2']])],
	]);
	const record: JsonObject = new Map([['_subtable_1', stored]]);
	const rows = (entries: Array<[string, Array<[string, FieldValue]>]>) => ({
		...noChanges(),
		subtables: new Map([
			['1', new Map(entries.map(([rowId, values]) => [rowId, new Map(values)]))],
		]),
	});
	const changes = rows([
		[
			'5',
			[
				['7', '1'],
				['8', 'b'],
			],
		],
		['6', [['7', 2]]],
		['-1', [['7', '3']]],
	]);
	const kinds = new Map([['7', kindNamed('number')]]);
	expect(differingChanges(record, changes, kinds)).toEqual(
		rows([
			['5', [['8', 'b']]],
			['-1', [['7', '3']]],
		]),
	);
	expect(differingChanges(record, changes, undefined).subtables.get('1')?.get('5')?.size).toBe(2);
});

it('the changed fields are those that the user may see', () => {
	const record: JsonObject = new Map([
		['7', 'a'],
		['8', '****'],
	]);
	const values = ['7', '8', '9'].map((fieldId): [string, FieldValue] => [fieldId, 'b']);
	const difference = { ...noChanges(), fields: new Map(values) };
	expect(changedKeys(record, difference, [])).toEqual(['7']);
});

it.each<{ title: string; difference: RecordChanges; files?: FilePlace[]; keys: string[] }>([
	{
		title: 'rows that are written and deleted',
		difference: {
			...noChanges(),
			subtables: new Map([['5', new Map([['17', new Map([['6', 'b']])]])]]),
			deletedRows: new Map([
				['5', ['18']],
				['9', ['19']],
			]),
		},
		keys: ['_subtable_5', '_subtable_9'],
	},
	{
		title: 'files of the record, also of a field that it does not show',
		difference: noChanges(),
		files: [{ fieldId: '7' }, { fieldId: '9' }],
		keys: ['7', '9'],
	},
	{
		title: 'a file of a row',
		difference: noChanges(),
		files: [{ fieldId: '6', rowId: '17', subtableId: '5' }],
		keys: ['_subtable_5'],
	},
	{
		title: 'a file of a row whose subtable is unknown',
		difference: noChanges(),
		files: [{ fieldId: '6', rowId: '17' }],
		keys: [],
	},
])('the changed keys name $title', ({ difference, files = [], keys }) => {
	expect(changedKeys(new Map([['7', 'a']]), difference, files)).toEqual(keys);
});

it('a row of a subtable that the record does not show differs', () => {
	const subtables = new Map([['5', new Map([['17', new Map([['6', 'b']])]])]]);
	const changes = { ...noChanges(), subtables };
	expect(differingChanges(new Map(), changes, undefined)).toEqual(changes);
});

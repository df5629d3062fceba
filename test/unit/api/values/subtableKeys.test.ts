import { InputError } from '../../../../nodes/api/values/inputError';
import {
	commentsKey,
	deletionKey,
	deletionOf,
	isRowKey,
	isSubtableKey,
	requireSubtableId,
	rowFieldName,
	subtableIdIn,
	subtableKey,
	subtableOf,
} from '../../../../nodes/api/values/subtableKeys';

it('keys and names contain the IDs of subtable, field and row', () => {
	expect(subtableKey('2000001')).toBe('_subtable_2000001');
	expect(deletionKey('2000001')).toBe('_DELSUB_2000001');
	expect(rowFieldName('1000007', '-2')).toBe('1000007_-2');
	expect(commentsKey).toBe('_subtable_61');
});

it.each([
	{ key: '_subtable_2000001', isOfRows: true, subtable: '2000001' },
	{ key: '_subtable_61', isOfRows: true, subtable: undefined },
	{ key: '_subtable_', isOfRows: true, subtable: undefined },
	{ key: '_subtable_2000001a', isOfRows: true, subtable: undefined },
	{ key: 'a_subtable_2000001', isOfRows: false, subtable: undefined },
	{ key: 'Amount', isOfRows: false, subtable: undefined },
])('$key contains rows: $isOfRows, of the subtable $subtable', ({ key, isOfRows, subtable }) => {
	expect(isSubtableKey(key)).toBe(isOfRows);
	expect(subtableOf(key)).toBe(subtable);
});

it.each([
	{ key: '7', isRow: true },
	{ key: '-1', isRow: true },
	{ key: '_count', isRow: false },
])('the key $key in an object of rows is that of a row: $isRow', ({ key, isRow }) => {
	expect(isRowKey(key)).toBe(isRow);
});

it.each([
	{ key: '_DELSUB_2000001', subtable: '2000001' },
	{ key: 'DELSUB_2000001', subtable: '2000001' },
	{ key: '__DELSUB_2000001', subtable: undefined },
	{ key: '_DELSUB_', subtable: undefined },
	{ key: '_DELSUB_2000001 ', subtable: undefined },
])('$key deletes rows of the subtable $subtable', ({ key, subtable }) => {
	expect(deletionOf(key)).toBe(subtable);
});

it.each(['_subtable_', '_subtable_Items', '_subtable_2000001a', '_DELSUB_', '_DELSUB_1a'])(
	'%s is rejected, because it contains no subtable ID',
	(key) => {
		expect(() => requireSubtableId(key)).toThrow(
			new InputError(
				`'${key}' does not hold the ID of a subtable`,
				'Pick the subtable from the list, or give its ID, e.g. 2000001.',
			),
		);
	},
);

it('the advice on a key without a subtable ID names the list and an example', () => {
	const description = 'Pick the subtable from the list, or give its ID, e.g. 2000001.';
	expect(() => requireSubtableId('_subtable_')).toThrow(expect.objectContaining({ description }));
});

it.each(['_subtable_2000001', '_DELSUB_7', 'Amount', 'my_subtable_', 'subtable_x'])(
	'%s is accepted as a key',
	(key) => {
		expect(() => requireSubtableId(key)).not.toThrow();
	},
);

it.each([
	{ text: ' 2000001 ', subtable: '2000001' },
	{ text: '_subtable_2000001', subtable: '2000001' },
	{ text: 'subtable_2000001', subtable: undefined },
	{ text: '2000001a', subtable: undefined },
	{ text: '', subtable: undefined },
])('"$text" names the subtable $subtable', ({ text, subtable }) => {
	expect(subtableIdIn(text)).toBe(subtable);
});

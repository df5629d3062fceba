import {
	sourceRowsOf,
	storedValueFor,
	unshiftedTime,
	type SourceRecord,
} from '../../../../nodes/api/write/sourceRecord';
import { plain } from '../../../../nodes/api/read/record';
import { jsonObject } from '../jsonObject';

const pair = (stored: object, asRead: object = stored): SourceRecord => ({
	stored: jsonObject(JSON.stringify(stored)),
	asRead: jsonObject(JSON.stringify(asRead)),
});

const source = pair(
	{ 1: 'a', _subtable_20: { 7: { 2: 'x' }, 8: { 2: 'y' } } },
	{ 1: 'A', _subtable_20: { 7: { 2: 'X' } } },
);

it.each([
	{ title: 'a row', subtable: '20', row: '7', stored: [{ 2: 'x' }], visible: [{ 2: 'X' }] },
	{
		title: 'a row shown once',
		subtable: '20',
		row: '8',
		stored: [{ 2: 'y' }],
		visible: [{ 2: 'y' }],
	},
])('values come from $title', ({ subtable, row, stored, visible }) => {
	const rows = sourceRowsOf(source, subtable, row);
	expect(rows.map((part) => plain(part.stored))).toEqual(stored);
	expect(rows.map((part) => plain(part.asRead))).toEqual(visible);
});

it.each([
	{ title: 'without a row', subtable: undefined, row: undefined },
	{ title: 'of a row that is not there', subtable: '20', row: '9' },
	{ title: 'of another subtable', subtable: '30', row: '7' },
])('values $title come from the record and all its rows', ({ subtable, row }) => {
	const rows = sourceRowsOf(source, subtable, row);
	expect(rows.map(({ stored }) => [...stored.values()][0])).toEqual(['a', 'x', 'y']);
	expect(rows.map(({ asRead }) => [...asRead.values()][0])).toEqual(['A', 'X', 'y']);
});

it('there are no values without a source', () => {
	expect(sourceRowsOf(undefined)).toEqual([]);
});

it.each<{ title: string; stored: unknown[]; value: unknown; found: unknown }>([
	{ title: 'the same', stored: ['x'], value: 'x', found: 'x' },
	{ title: 'in another format', stored: ['1,234.50'], value: 1234.5, found: '1,234.50' },
	{ title: 'exactly, rather than in another format', stored: ['1.0', '1'], value: '1', found: '1' },
	{ title: 'a number', stored: [7], value: '7', found: 7 },
	{ title: 'several choices', stored: [['a', 1]], value: ['a', 1], found: ['a', '1'] },
	{ title: 'another value', stored: ['y'], value: 'x', found: undefined },
	{ title: 'nothing', stored: [null], value: '', found: undefined },
	{ title: 'an object', stored: [{ a: 1 }], value: 'x', found: undefined },
])('the stored value of a read value is found: $title', ({ stored, value, found }) => {
	const rows = stored.map((content) => pair({ 1: content }));
	expect(storedValueFor(rows, '1', value)).toEqual(found);
	expect(storedValueFor(rows, '2', 'x')).toBeUndefined();
});

describe('a time that was read in the time zone +08:00', () => {
	const rows = [
		pair({ 1: '2031/01/31 02:00:30', 2: 'x' }, { 1: '2031/01/31 10:00', 2: 'y' }),
		pair({ 1: '2031/02/01 02:00:00' }, { 1: '2031/02/01 10:00:00' }),
	];

	it.each([
		{ title: 'as it is shown', value: '2031/01/31 10:00', stored: '2031/01/31 02:00:30' },
		{
			title: 'in ISO 8601',
			value: '2031-01-31T10:00:00+08:00',
			stored: '2031/01/31 02:00:30',
		},
		{ title: 'in another row', value: '2031/02/01 10:00:00', stored: '2031/02/01 02:00:00' },
		{ title: 'anew', value: '2031/03/01 10:00:00', stored: '2031/03/01 02:00:30' },
		{ title: 'that is no time', value: 'soon', stored: undefined },
	])('is stored in the time zone of the account: $title', ({ value, stored }) => {
		expect(unshiftedTime('1', value, 8, rows)).toBe(stored);
	});

	it('is unknown without a time to compare with', () => {
		expect(unshiftedTime('2', '2031/03/01 10:00:00', 8, rows)).toBeUndefined();
		expect(unshiftedTime('1', '2031/03/01 10:00:00', 8, [])).toBeUndefined();
	});
});

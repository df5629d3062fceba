import { parseOrderedJson } from '../../../../../nodes/api/json/orderedJson';
import { recordsOf } from '../../../../../nodes/api/read/record';
import {
	inferredKinds,
	isDateTimeValue,
	observedValues,
} from '../../../../../nodes/api/sheet/sources/inference';
import type { ValueKind } from '../../../../../nodes/api/sheet/kinds/valueKind';
import { InputError } from '../../../../../nodes/api/values/inputError';
import { thrown } from '../../thrown';

const clock = { offsetHours: 0 };

function recordsWith(values: readonly unknown[]) {
	const numbered = values.map((value, index) => [index + 1, { 1000001: value }]);
	return recordsOf(parseOrderedJson(JSON.stringify(Object.fromEntries(numbered))));
}

/** The kind that is inferred for a field with these values, one in each record. */
function kindFor(...values: unknown[]): ValueKind | undefined {
	return inferredKinds(recordsWith(values)).get('1000001');
}

const day = '2026/01/31';
const moment = '2026/01/31 10:00:00';

describe('the kind of a field is that of the majority of its values', () => {
	const rows: Array<{ what: string; values: unknown[]; kind: string | undefined }> = [
		{ what: 'days', values: [day, '', '2025/12/01'], kind: 'date' },
		{ what: 'times', values: [moment, null], kind: 'dateTime' },
		{ what: 'as many days as times', values: [day, moment], kind: 'dateTime' },
		{ what: 'more days than times', values: [day, day, moment], kind: 'date' },
		{ what: 'days and a text', values: [day, 'asap', day], kind: 'date' },
		{ what: 'times and a text', values: [moment, 'asap', moment], kind: 'dateTime' },
		{ what: 'as many texts as days', values: [day, 'soon'], kind: 'text' },
		{ what: 'a day that does not exist', values: ['2026/02/30'], kind: 'text' },
		{ what: 'a list', values: [day, ['Gift', 'Bulk'], 'Gift'], kind: 'multipleSelection' },
		{ what: 'a list of files', values: [['', 'kq2Ab@a.pdf']], kind: 'text' },
		{ what: 'numbers', values: ['1', '20', '1,000'], kind: 'number' },
		{ what: 'JSON numbers', values: [1, 20.25], kind: 'number' },
		{ what: 'numbers and a text', values: ['1', 'n/a', '2'], kind: 'number' },
		{ what: 'as many texts as numbers', values: ['1', 'n/a'], kind: 'text' },
		{ what: 'money', values: ['1.50', '20.25', '3.00'], kind: 'number' },
		{ what: 'codes with zeros in front', values: ['0612', '0613', '614'], kind: 'text' },
		{ what: 'version numbers', values: ['1.1', '1.2', '2.0'], kind: 'text' },
		{ what: 'one number in two spellings', values: ['1.1', '1.10', '2'], kind: 'text' },
		{ what: 'one number twice', values: ['5', '5', '6'], kind: 'number' },
		{ what: 'some with one decimal place', values: ['1.1', '2'], kind: 'number' },
		{ what: 'wrong groups', values: ['1,00', '1,0000', '12,34'], kind: 'text' },
		{ what: 'checkboxes', values: ['Yes', 'No', 'No'], kind: 'checkbox' },
		{ what: 'checkboxes and a text', values: ['Yes', 'maybe', 'No'], kind: 'checkbox' },
		{ what: 'as many texts as checkboxes', values: ['Yes', 'maybe'], kind: 'text' },
		{ what: 'other words for true', values: ['true', 'yes'], kind: 'text' },
		{ what: 'true and false', values: ['true', 'false', 'true'], kind: 'checkbox' },
		{ what: 'JSON booleans', values: [true, false, true], kind: 'checkbox' },
		{ what: 'on and off', values: ['ON', 'OFF'], kind: 'checkbox' },
		{ what: '1 and 0', values: ['1', '0', '1'], kind: 'number' },
		{ what: 'HTML', values: ['<b>x</b>', 'a &amp; b', 'plain'], kind: 'richText' },
		{ what: 'HTML now and then', values: ['<b>x</b>', 'plain'], kind: 'text' },
		{ what: 'nothing', values: ['', null, [], [''], {}], kind: undefined },
	];

	it.each(rows)(
		'the majority of values decides the kind of a field, $what: $kind',
		({ values, kind }) => {
			expect(kindFor(...values)?.name).toBe(kind);
		},
	);

	it('the kind of a field is inferred from records and from their rows', () => {
		const records = {
			1: { 7: day, _subtable_2: { 5: { 8: '12' }, 6: { 8: '13' } } },
			2: { _subtable_2: { 9: { 8: 'x' } } },
		};
		const kinds = inferredKinds(recordsOf(parseOrderedJson(JSON.stringify(records))));
		expect([kinds.get('7')?.name, kinds.get('8')?.name]).toEqual(['date', 'number']);
	});
});

describe('an inferred kind', () => {
	const parsed = (kind: ValueKind | undefined, value: unknown) =>
		kind?.parse(value, { label: 'Due', timeZone: clock });

	it('a field with only numbers rejects other texts, and a single other value makes it accept them', () => {
		const numbers = ['12', '1,234.5', '7'];
		expect(() => parsed(kindFor(...numbers), '5%')).toThrow("'5%' is not a number for 'Due'");
		expect(parsed(kindFor(...numbers), '1,234.5')).toBe('1,234.5');
		const lenient = kindFor(...numbers, 'A-1');
		expect([lenient?.name, parsed(lenient, '5%')]).toEqual(['number', '5%']);
	});

	it.each([{ values: ['12'] }, { values: ['12', '', '13'] }])(
		'one or two numbers may be the first values of a text field, so other texts are accepted: $values',
		({ values }) => {
			const kind = kindFor(...values);
			expect([kind?.name, parsed(kind, 'A-1')]).toEqual(['number', 'A-1']);
		},
	);

	it('a field with only dates rejects other texts from its first value on, and the error says why', () => {
		const parse = () => parsed(kindFor('2026/01/31'), 'asap');
		expect(thrown(InputError, parse).description).toContain('The newest records hold only dates');
		expect(parsed(kindFor('2026/01/31', 'soon', '2026/02/01'), 'asap')).toBe('asap');
	});

	it('a field with words of checkboxes is filtered by all words of the same meaning', () => {
		const kind = kindFor('Yes', 'true', 'Yes', 'No');
		expect(kind?.filterSpellings('Yes')).toEqual([
			...['Yes', 'yes', 'YES', 'True', 'true', 'TRUE', 'On', 'on', 'ON'],
		]);
		expect(kind?.filterSpellings('no')).toEqual([
			...['no', 'No', 'NO', 'False', 'false', 'FALSE', 'Off', 'off', 'OFF'],
		]);
		expect(kind?.filterSpellings('maybe')).toEqual(['maybe']);
	});

	it('a field with only dates rejects other texts, and a single other value makes it accept them', () => {
		for (const value of [day, moment]) {
			expect(() => parsed(kindFor(value), 'asap')).toThrow("'asap' is not a valid date for 'Due'");
			const lenient = kindFor(value, 'asap', value);
			expect(parsed(lenient, 'soon')).toBe('soon');
			expect(parsed(lenient, '2031-01-31')).toBe(
				value === day ? '2031/01/31' : '2031/01/31 00:00:00',
			);
		}
	});

	it('a field with only numbers compares them by value, but not codes with leading zeros', () => {
		const kind = kindFor('1000000', '1234.5', '1000');
		for (const [stored, input] of [
			['1000000', '1,000,000'],
			['1234.5', '1,234.50'],
			['1000', '1,000.0'],
			['1000', 1000],
		] as const) {
			expect(kind?.equals(stored, input)).toBe(true);
			expect(kind?.isKept(stored, String(input))).toBe(true);
		}
		for (const [stored, input] of [
			['612', '0612'],
			['0612', '612'],
			['00', '0'],
			['612', '613'],
			['abc', 'abd'],
		] as const) {
			expect(kind?.equals(stored, input)).toBe(false);
			expect(kind?.isKept(stored, input)).toBe(false);
		}
		expect(kind?.filterSpellings('1,000')).toEqual(['1,000', '1000']);
	});

	it.each([
		{ values: ['10', '20'], stored: '10', setup: '10.0' },
		{ values: ['Yes', 'No'], stored: 'Yes', setup: 'true' },
	])(
		'an inferred kind never treats another text as unchanged: $stored and $setup',
		({ values, ...row }) => {
			const kind = kindFor(...values);
			expect(kind?.equals(row.stored, row.setup)).toBe(true);
			expect(kind?.isUnchanged(row.stored, row.setup)).toBe(false);
			expect(kind?.isUnchanged(row.stored, row.stored)).toBe(true);
		},
	);

	it('a field with only checkbox values sends Yes and No', () => {
		const kind = kindFor('Yes', 'No');
		expect([true, false, 'maybe'].map((value) => parsed(kind, value))).toEqual([
			'Yes',
			'No',
			'maybe',
		]);
	});
});

it.each([
	{ value: moment, isTime: true },
	{ value: day, isTime: false },
	{ value: 'asap', isTime: false },
	{ value: '', isTime: false },
])('$value is a date with a time: $isTime', ({ value, isTime }) => {
	expect(isDateTimeValue(value)).toBe(isTime);
});

describe('the values of a field in records', () => {
	const field = { fieldId: '1000001', name: 'Status' };
	const observe = (...values: unknown[]) => {
		const { choices, kind } = observedValues(recordsWith(values), [field]).get('1000001') ?? {};
		return { choices, kind: kind?.name };
	};
	const times = (count: number, ...values: unknown[]) =>
		Array.from({ length: count }, () => values).flat();

	it('the choices of a field are its distinct values in natural order, without masks', () => {
		const { choices } = observe('b 10', 'b 9', ['a', 'b 9', ''], '', '***', 5, null, {});
		expect(choices).toEqual(['5', 'a', 'b 9', 'b 10']);
		expect(observe('', '***').choices).toBeUndefined();
	});

	const eight = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
	const rows: Array<{ what: string; values: unknown[]; kind: string | undefined }> = [
		{ what: 'two texts, each five times', values: times(5, 'a', 'b'), kind: 'selection' },
		{ what: 'two texts, nine in all', values: times(5, 'a', 'b').slice(1), kind: undefined },
		{ what: 'one text ten times', values: times(10, 'a'), kind: 'selection' },
		{ what: 'one text nine times', values: times(9, 'a'), kind: undefined },
		{ what: 'eight texts', values: times(5, ...eight), kind: 'selection' },
		{ what: 'nine texts', values: times(5, ...eight, 'i'), kind: undefined },
		{ what: 'three words', values: times(10, 'a b c'), kind: 'selection' },
		{ what: 'four words', values: times(10, 'a b c d'), kind: undefined },
		{ what: 'half empty', values: [...times(10, 'a'), ...times(10, '')], kind: undefined },
		{
			what: 'less than half empty',
			values: [...times(10, 'a'), ...times(9, '')],
			kind: 'selection',
		},
		{ what: 'a list among them', values: [...times(10, 'a'), ['a']], kind: undefined },
		{ what: 'files', values: ['kq2Ab@a.pdf', ['', 'kq2Ac@b.pdf']], kind: 'file' },
		{ what: 'a file and a text', values: ['kq2Ab@a.pdf', 'x'], kind: undefined },
	];

	it.each(rows)('the values of a field suggest a kind: $what, $kind', ({ values, kind }) => {
		expect(observe(...values).kind).toBe(kind);
	});
});

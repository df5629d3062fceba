import {
	fieldsTooLongForRegex,
	matchConditions,
	matchesConditions,
	maxRegexCharacters,
	maxRegexSteps,
	type LocalCondition,
} from '../../../../nodes/api/webhooks/localFilter';
import { kindNamed } from '../../../../nodes/api/sheet/kinds/valueKinds';
import { jsonObject } from '../jsonObject';

const where = (operator: string, value: string, overrides: Partial<LocalCondition> = {}) => ({
	...{ fieldId: '1', operator, value },
	...overrides,
});
const matches = (content: object, ...conditions: LocalCondition[]) =>
	matchesConditions(jsonObject(JSON.stringify(content)), conditions);

it('a record matches if there are no conditions', () => {
	expect(matches({ 1: 'a' })).toBe(true);
});

describe('a value of a text field', () => {
	it.each([
		{ stored: 'Open', operator: 'eq', value: 'Open', isMet: true },
		{ stored: 'Open', operator: 'eq', value: 'open', isMet: false },
		{ stored: 'Open', operator: 'eq', value: 'Opened', isMet: false },
		{ stored: 'Open', operator: 'like', value: 'pen', isMet: true },
		{ stored: 'Open', operator: 'like', value: 'PEN', isMet: false },
		{ stored: 'Open', operator: 'regex', value: '^O.e', isMet: true },
		{ stored: 'Open', operator: 'regex', value: '^p', isMet: false },
		{ stored: 'Open', operator: 'ne', value: 'Open', isMet: false },
		{ stored: 'Open', operator: 'ne', value: 'Closed', isMet: true },
		{ stored: '', operator: 'eq', value: '', isMet: true },
		{ stored: '', operator: 'eq', value: 'a', isMet: false },
		{ stored: 'a', operator: 'eq', value: '', isMet: false },
		{ stored: '', operator: 'ne', value: '', isMet: false },
		{ stored: 'a', operator: 'ne', value: '', isMet: true },
		{ stored: '', operator: 'ne', value: 'a', isMet: true },
		{ stored: '', operator: 'gt', value: 'a', isMet: false },
		{ stored: '', operator: 'like', value: 'a', isMet: false },
		{ stored: 7, operator: 'eq', value: '7', isMet: true },
		{ stored: null, operator: 'eq', value: '', isMet: true },
		{ stored: true, operator: 'eq', value: 'true', isMet: true },
	])('"$stored" matches $operator "$value": $isMet', ({ stored, operator, value, isMet }) => {
		expect(matches({ 1: stored }, where(operator, value, { type: 'FREE_TEXT' }))).toBe(isMet);
	});

	it('that is missing counts as empty', () => {
		expect(matches({}, where('eq', ''))).toBe(true);
		expect(matches({}, where('eq', 'a'))).toBe(false);
	});
});

it('bounds compare as texts only if the type is known', () => {
	const kind = kindNamed('text');
	expect(matches({ 1: '1000' }, where('gt', '5', { kind }))).toBe(true);
	expect(matches({ 1: '1000' }, where('gt', '5', { kind, type: 'FREE_TEXT' }))).toBe(false);
	expect(matches({ 1: '1000' }, where('gt', '5', { type: 'FREE_TEXT' }))).toBe(false);
	expect(matches({ 1: 'b' }, where('gt', 'a', { kind }))).toBe(true);
});

describe('stars', () => {
	const conditions = [
		['eq', 'a'],
		['gt', 'a'],
		['regex', '^a'],
		['ne', '***'],
	] as const;

	it.each<[type: string | undefined, stored: string, isMask: boolean]>([
		[undefined, '***', true],
		[undefined, 'x***', false],
		['MASKED_TEXT', '***', true],
		['MASKED_TEXT', 'x***', true],
		['FREE_TEXT', '***', false],
		['SELECT', '***', false],
	])('in a field of type %s: %s is a mask, which matches: %s', (type, stored, isMask) => {
		const met = conditions.map(([operator, value]) =>
			matches({ 1: stored }, where(operator, value, { type })),
		);
		const isOther = stored !== '***';
		expect(met).toEqual(isMask ? [true, true, true, true] : [false, isOther, false, isOther]);
		expect(matches({ 1: stored }, where('eq', '', { type }))).toBe(false);
	});
});

it.each([
	{ operator: 'eq', value: 'Yes', isMet: [true, false] },
	{ operator: 'eq', value: '', isMet: [false, false] },
	{ operator: 'ne', value: '', isMet: [true, true] },
	{ operator: 'ne', value: 'Yes', isMet: [false, true] },
])('true and false without quotes match $operator "$value": $isMet', (row) => {
	const condition = where(row.operator, row.value, { kind: kindNamed('checkbox') });
	expect([true, false].map((stored) => matches({ 1: stored }, condition))).toEqual(row.isMet);
});

describe('a number', () => {
	it.each([
		{ operator: 'gte', value: '10', isMet: true },
		{ operator: 'gte', value: '9', isMet: true },
		{ operator: 'gte', value: '11', isMet: false },
		{ operator: 'gt', value: '10', isMet: false },
		{ operator: 'gt', value: '9', isMet: true },
		{ operator: 'lte', value: '10', isMet: true },
		{ operator: 'lte', value: '9', isMet: false },
		{ operator: 'lt', value: '10', isMet: false },
		{ operator: 'lt', value: '11', isMet: true },
		{ operator: 'eq', value: '10.00', isMet: true },
		{ operator: 'ne', value: '10.00', isMet: false },
	])('10 matches $operator $value: $isMet', ({ operator, value, isMet }) => {
		expect(matches({ 1: '10' }, where(operator, value, { type: 'NUMERIC' }))).toBe(isMet);
	});
});

describe('several conditions', () => {
	it.each([
		{ title: 'one of two values', conditions: [where('eq', 'a'), where('eq', 'b')], isMet: true },
		{ title: 'neither', conditions: [where('eq', 'b'), where('eq', 'c')], isMet: false },
		{
			title: 'of two fields, one of which does not match',
			conditions: [where('eq', 'a'), where('eq', 'x', { fieldId: '2' })],
			isMet: false,
		},
		{
			title: 'of two fields that match',
			conditions: [where('eq', 'a'), where('eq', 'y', { fieldId: '2' })],
			isMet: true,
		},
		{
			title: 'a value that is left out although it is one of those to find',
			conditions: [where('eq', 'a'), where('ne', 'a')],
			isMet: false,
		},
		{
			title: 'two values that are left out',
			conditions: [where('ne', 'b'), where('ne', 'a')],
			isMet: false,
		},
	])('on one field are alternatives: $title: $isMet', ({ conditions, isMet }) => {
		expect(matches({ 1: 'a', 2: 'y' }, ...conditions)).toBe(isMet);
	});

	const number = { type: 'NUMERIC' };

	it.each([
		{ title: 'within', low: '5', high: '15', isMet: true },
		{ title: 'below', low: '11', high: '15', isMet: false },
		{ title: 'above', low: '5', high: '9', isMet: false },
	])('are bounds that the same value must meet: $title', ({ low, high, isMet }) => {
		const bounds = [where('gte', low, number), where('lte', high, number)];
		expect(matches({ 1: '10' }, ...bounds)).toBe(isMet);
	});

	it.each([
		{ operator: 'gt', value: '5' },
		{ operator: 'gte', value: '5' },
		{ operator: 'lt', value: '15' },
		{ operator: 'lte', value: '15' },
	])('a bound ($operator) is not an alternative to another condition', ({ operator, value }) => {
		const bound = where(operator, value, number);
		expect(matches({ 1: '10' }, bound, where('eq', '3', number))).toBe(false);
		expect(matches({ 1: '10' }, bound, where('eq', '10', number))).toBe(true);
	});

	it('are bounds that one value of several rows must meet, not a different value for each bound', () => {
		const bounds = [where('gt', '5', number), where('lt', '15', number)];
		const rows = (...values: string[]) => ({
			_subtable_20: Object.fromEntries(values.map((value, index) => [index, { 1: value }])),
		});
		expect(matches(rows('1', '20'), ...bounds)).toBe(false);
		expect(matches(rows('1', '10'), ...bounds)).toBe(true);
	});
});

describe('a field with several values', () => {
	it.each([
		{ title: 'a selection', content: { 1: ['a', 'b'] } },
		{ title: 'files, the first of which is empty', content: { 1: ['', 'b'] } },
		{ title: 'rows', content: { _subtable_20: { 7: { 1: 'a' }, 8: { 1: 'b' } } } },
	])('matches with one of them: $title', ({ content }) => {
		expect(matches(content, where('eq', 'b'))).toBe(true);
		expect(matches(content, where('ne', 'b'))).toBe(false);
		expect(matches(content, where('eq', 'c'))).toBe(false);
		expect(matches(content, where('eq', ''))).toBe(false);
	});
});

describe('a field in a record with names as keys', () => {
	const content = { Name: 'a', _subtable_20: { 7: { Name: 'b' }, 8: 'x' } };

	it.each([
		{ title: 'of the record', place: { key: 'Name' }, value: 'a', isMet: true },
		{ title: 'of the record, not of rows', place: { key: 'Name' }, value: 'b', isMet: false },
		{ title: 'of rows', place: { key: 'Name', subtableId: '20' }, value: 'b', isMet: true },
		{ title: 'of rows only', place: { key: 'Name', subtableId: '20' }, value: 'a', isMet: false },
		{ title: 'of no rows', place: { key: 'Name', subtableId: '30' }, value: '', isMet: true },
	])('is looked up only in the record or only in its rows: $title', ({ place, value, isMet }) => {
		expect(matches(content, where('eq', value, { place }))).toBe(isMet);
	});
});

describe('a text that is too long for a regular expression', () => {
	const long = 'a'.repeat(maxRegexCharacters + 1);
	const fields = (text: string, ...conditions: LocalCondition[]) =>
		fieldsTooLongForRegex(jsonObject(JSON.stringify({ 1: text })), conditions);

	it('counts as matching', () => {
		expect(matches({ 1: long }, where('regex', '^b'))).toBe(true);
		expect(matches({ 1: long.slice(1) }, where('regex', '^b'))).toBe(false);
	});

	it('is reported once, by its name or ID', () => {
		const named = where('regex', 'a', { name: 'Remark' });
		expect(fields(long, where('regex', 'a'))).toEqual(['1']);
		expect(fields(long, named, named)).toEqual(['Remark']);
		expect(fields(long.slice(1), named)).toEqual([]);
		expect(fields(long, where('like', 'a'))).toEqual([]);
	});
});

describe('a regular expression that takes many steps', () => {
	const slow = where('regex', '((a{1,10}){1,10})+=', { name: 'Remark' });
	const matchOf = (text: string, maxSteps?: number) =>
		matchConditions(jsonObject(JSON.stringify({ 1: text })), [slow], maxSteps);

	it('counts as matching, with the name of its field, after the maximum of steps', () => {
		const result = { isMatch: true, slowFields: ['Remark'], steps: maxRegexSteps };
		expect(matchOf('a'.repeat(9_999))).toEqual(result);
	});

	it('is applied within the maximum of steps, and reports how many it took', () => {
		const { steps, ...result } = matchOf('aaa');
		expect(result).toEqual({ isMatch: false, slowFields: [] });
		expect(matchOf('aaa', steps)).toEqual({ ...result, steps });
		expect(matchOf('aaa', steps - 1)).toMatchObject({ isMatch: true, slowFields: ['Remark'] });
	});
});

import fc from 'fast-check';
import type { JsonValue } from '../../../../../nodes/api/json/orderedJson';
import {
	mayBeEqual,
	mayBeUnchanged,
	kindIn,
	kindNamed,
	kindOf,
} from '../../../../../nodes/api/sheet/kinds/valueKinds';
import type { KindName, ParseContext } from '../../../../../nodes/api/sheet/kinds/valueKind';
import {
	exactNumber,
	isSameNumber,
	type FieldValue,
} from '../../../../../nodes/api/sheet/kinds/valueChecks';
import { InputError } from '../../../../../nodes/api/values/inputError';
import { normalForm } from '../../../../../nodes/api/values/normalForm';
import { runs } from '../../../../amount';

const clock = { zone: 'America/New_York' };
const context: ParseContext = { label: 'City', timeZone: clock };
const names: KindName[] = [
	...(['autoNumber', 'checkbox', 'date', 'dateTime', 'file', 'masked'] as const),
	...(['multipleSelection', 'number', 'richText', 'selection', 'text', 'unknown'] as const),
];

describe('the kind of a field is told by the name of its type', () => {
	const rows: Array<{ kind: KindName; types: Array<string | undefined> }> = [
		{ kind: 'unknown', types: [undefined, ''] },
		{
			kind: 'text',
			types: ['text', 'link', 'email', 'update', 'multiLineText', 'Multi-line text'],
		},
		{ kind: 'text', types: ['textMulti', '日付', '123', 'phone number', 'unchecked', 'candidate'] },
		{ kind: 'date', types: ['date', 'Date', 'DATE', 'date (day)'] },
		{ kind: 'dateTime', types: ['dateTime', 'DATE_TIME', 'datetime', 'timestamp', 'Time-Stamp'] },
		{ kind: 'number', types: ['number', 'Numeric', 'money', 'currency', 'integer', 'decimal'] },
		{ kind: 'checkbox', types: ['checkbox', 'Check Box', 'boolean'] },
		{ kind: 'multipleSelection', types: ['multipleSelection', 'multi_select', 'multi-select'] },
		{ kind: 'selection', types: ['singleSelection', 'select', 'choice', 'Drop-down'] },
		{ kind: 'autoNumber', types: ['autoNumber', 'AUTO_INCREMENT'] },
		{ kind: 'masked', types: ['maskedText', 'Masked Text'] },
		{ kind: 'richText', types: ['richText', 'HTML', 'bbcode'] },
		{ kind: 'file', types: ['file', 'Image', 'picture', 'photo', 'attachment', 'upload'] },
		{ kind: 'file', types: ['signature', 'multipleFiles'] },
	];

	it.each(rows)('$kind: $types', ({ kind, types }) => {
		for (const type of types) expect([type, kindOf({ type }).name]).toEqual([type, kind]);
	});

	it('and by a loaded kind before that', () => {
		const kinds = new Map([['1', kindNamed('number')]]);
		expect(kindIn(kinds, { fieldId: '1', type: 'text' }).name).toBe('number');
		expect(kindIn(kinds, { fieldId: '2', type: 'text' }).name).toBe('text');
		expect(kindIn(undefined, { fieldId: '1' }).name).toBe('unknown');
	});

	it('and each name has one kind', () => {
		for (const name of names) expect(kindNamed(name).name).toBe(name);
	});
});

describe('a value is sent', () => {
	const utcMidnight = '2031-01-31T00:00:00.000Z';
	const luxon = '2031-01-31T10:00:00.000Z';
	const rows: Array<{
		kinds: KindName[];
		values: unknown;
		sent: FieldValue;
		choices?: readonly string[];
	}> = [
		{ kinds: names, values: '', sent: '' },
		{ kinds: names, values: null, sent: '' },
		{ kinds: names, values: undefined, sent: '' },
		{ kinds: names, values: [], sent: '' },
		{ kinds: names, values: [''], sent: [] },
		{
			kinds: [
				...(['date', 'dateTime', 'number', 'checkbox', 'selection'] as const),
				'multipleSelection',
			],
			values: ' \t',
			sent: '',
		},
		{ kinds: ['text', 'unknown', 'richText', 'masked'], values: ' \t', sent: ' \t' },
		{
			kinds: ['date', 'number', 'checkbox', 'selection', 'multipleSelection'],
			values: [' '],
			sent: [],
		},
		{ kinds: ['multipleSelection'], values: [' ', 'Gift'], sent: ['Gift'] },
		{ kinds: ['date', 'number', 'checkbox', 'selection'], values: ['', '\t'], sent: [] },
		{ kinds: ['date'], values: '2031-01-31', sent: '2031/01/31' },
		{ kinds: ['date'], values: ' 2031-01-31 ', sent: '2031/01/31' },
		{ kinds: ['date'], values: '2031-01-31T23:30:00-05:00', sent: '2031/01/31' },
		{ kinds: ['date'], values: utcMidnight, sent: '2031/01/31' },
		{ kinds: ['date'], values: new Date(utcMidnight), sent: '2031/01/31' },
		{ kinds: ['date'], values: '2031-01-31T00:00:01Z', sent: '2031/01/30' },
		{ kinds: ['date', 'dateTime'], values: '2031/01/31', sent: '2031/01/31' },
		{ kinds: ['date', 'dateTime'], values: '2031/01/31 10:00', sent: '2031/01/31 10:00:00' },
		{ kinds: ['date', 'dateTime'], values: ' 2031/1/31 9:05\n', sent: '2031/01/31 09:05:00' },
		{ kinds: ['dateTime'], values: '2031-01-31', sent: '2031/01/31 00:00:00' },
		{ kinds: ['dateTime'], values: utcMidnight, sent: '2031/01/30 19:00:00' },
		{ kinds: ['text', 'selection'], values: '2031-01-31', sent: '2031-01-31' },
		{ kinds: ['text'], values: luxon, sent: luxon },
		{ kinds: ['text', 'unknown'], values: new Date(luxon), sent: '2031/01/31 05:00:00' },
		{ kinds: ['unknown'], values: luxon, sent: '2031/01/31 05:00:00' },
		{ kinds: ['unknown'], values: '2031-01-31', sent: '2031-01-31' },
		{ kinds: ['unknown'], values: '2031-01-31T10:00:00Z', sent: '2031-01-31T10:00:00Z' },
		{ kinds: ['checkbox'], values: true, sent: 'Yes' },
		{ kinds: ['checkbox'], values: false, sent: 'No' },
		{ kinds: ['checkbox'], values: 'true', sent: 'Yes' },
		{ kinds: ['checkbox'], values: ' OFF ', sent: 'No' },
		{ kinds: ['checkbox'], values: 1, sent: 'Yes' },
		{ kinds: ['checkbox'], values: '0', sent: 'off', choices: ['on', 'off', 'Yes'] },
		{ kinds: ['checkbox'], values: 'maybe', sent: 'maybe' },
		{ kinds: ['text', 'unknown'], values: false, sent: false },
		{ kinds: ['number', 'text', 'unknown'], values: 12.5, sent: 12.5 },
		{ kinds: ['number', 'text', 'unknown'], values: 0, sent: 0 },
		{ kinds: ['number', 'text'], values: 12345678901234567890n, sent: '12345678901234567890' },
		{ kinds: ['number', 'text', 'selection'], values: '1,000', sent: '1,000' },
		{ kinds: ['multipleSelection'], values: 'Gift, Bulk', sent: ['Gift', 'Bulk'] },
		{ kinds: ['multipleSelection'], values: 'Gift, ,Bulk,', sent: ['Gift', 'Bulk'] },
		{ kinds: ['multipleSelection'], values: ' , ', sent: [] },
		{ kinds: ['multipleSelection'], values: '["a, b", "", 3]', sent: ['a, b', '3'] },
		{ kinds: ['multipleSelection'], values: 'Gift', sent: 'Gift' },
		{ kinds: ['multipleSelection'], values: 'a, b', sent: 'a, b', choices: ['a, b'] },
		{ kinds: ['multipleSelection'], values: 'c,a, b', sent: ['c', 'a, b'], choices: ['a, b'] },
		{ kinds: ['multipleSelection', 'text'], values: ['a', '', 5, true], sent: ['a', '5', 'true'] },
		{ kinds: ['selection', 'text', 'unknown'], values: 'Gift, Bulk', sent: 'Gift, Bulk' },
	];

	it.each(rows)('to $kinds: $values as $sent', ({ kinds, values, sent, choices }) => {
		for (const name of kinds) {
			const parsed = kindNamed(name).parse(values, { ...context, choices });
			expect([name, parsed]).toEqual([name, sent]);
		}
	});

	it.each([
		{ what: 'an object', values: { a: 1 } },
		{ what: 'a selection of objects', values: [{ a: 1 }] },
		{ what: 'a selection of selections', values: [['a', 'b']] },
		{ what: 'no number', values: NaN },
		{ what: 'a number without end', values: Infinity },
		{ what: 'a date that the service cannot hold', values: new Date(8.64e15) },
	])('unless it cannot be written: $what', ({ values }) => {
		for (const name of names.filter((name) => name !== 'date' && name !== 'dateTime')) {
			const parse = () => kindNamed(name).parse(values, context);
			expect(parse).toThrow(InputError);
			expect(parse).toThrow("The value of 'City' cannot be used");
		}
	});

	it.each([
		{ what: 'a length of time', values: { toMillis: () => 5 } },
		{ what: '"not a number"', values: NaN },
		{ what: '"Infinity"', values: -Infinity },
		{ what: 'an object', values: { a: 1 } },
		{ what: 'a list', values: ['2031/01/31', ['2031/02/01']] },
	])('the error names what the expression returned: $what', ({ what, values }) => {
		for (const name of names) {
			const parse = () => kindNamed(name).parse(values, context);
			expect(parse).toThrow(`The value of 'City' cannot be used: the expression returned ${what}`);
		}
	});

	it.each(['date', 'dateTime', 'number', 'checkbox'] as const)(
		'a list of one value is that value in a %s field, and a list of several is refused',
		(name) => {
			const value = name.startsWith('date') ? '2031/01/31' : '1';
			const parse = (values: unknown) => kindNamed(name).parse(values, context);
			expect(parse([value, ''])).toEqual(parse(value));
			expect(parse([''])).toEqual([]);
			expect(() => parse([value, value])).toThrow(
				"The value of 'City' is a list of 2 values, but the field holds one",
			);
		},
	);

	it.each(['text', 'selection', 'richText', 'masked'] as const)(
		'a list of one value is that value in a %s field, and a list of several stays a list',
		(name) => {
			const parse = (value: unknown) => kindNamed(name).parse(value, context);
			expect(parse(['a', ''])).toBe('a');
			expect(parse(['a', 'b'])).toEqual(['a', 'b']);
		},
	);

	it.each(['multipleSelection', 'file'] as const)(
		'a list of one value stays a list in a %s field, which may hold several',
		(name) => expect(kindNamed(name).parse(['a'], context)).toEqual(['a']),
	);

	it('a list of one value is that value in a field of an unknown type, unless a comma in it would make it several choices', () => {
		const unknown = kindNamed('unknown');
		expect(unknown.parse(['a'], context)).toBe('a');
		expect(unknown.parse(['a, b'], context)).toEqual(['a, b']);
	});

	it.each(['9999-12-31T23:59:59Z', '0001-01-01T12:00:00Z', ['9999-12-31T23:59:59.000Z']])(
		'unless it is a text of a date that has no year of four digits in the time zone: %j',
		(values) => {
			const [text = ''] = [values].flat();
			const timeZone = { zone: text.startsWith('9') ? 'Asia/Taipei' : 'America/New_York' };
			for (const name of ['date', 'dateTime'] as const) {
				const kind = kindNamed(name);
				const parse = () => kind.parse(values, { ...context, timeZone });
				expect(parse).toThrow(
					"The value of 'City' cannot be used: the expression returned a date that the service cannot store",
				);
				expect(kind.filterText(text, timeZone)).toBeUndefined();
			}
			expect(kindNamed('text').parse(text, { ...context, timeZone })).toBe(text);
		},
	);

	it.each([true, false, [true]])('unless it is a boolean in a field of numbers: %j', (input) => {
		const parse = () => kindNamed('number').parse(input, context);
		expect(parse).toThrow(`'${String(input)}' is not a number for 'City'`);
	});

	it.each([
		...['31.01.2031', '2031-02-30', '2031/13/01', 'asap', '1700000000000'],
		...[1700000000000, 0, true, false, '2031-01-31 or later'],
		...[['2031-01-31', 'asap'], [20310131]],
	])('unless it is no date in a field of dates: %j', (input) => {
		for (const name of ['date', 'dateTime'] as const) {
			const parse = () => kindNamed(name).parse(input, context);
			expect(parse).toThrow(InputError);
			const wrong = [input].flat().at(-1);
			expect(parse).toThrow(`'${wrong}' is not a valid date for 'City'`);
		}
	});

	it.each(['5%', '1.234,56', '１２', 'P3D', '1e5', '2031-01-31', 'true', ['5%'], new Date(0)])(
		'unless it is a text that is not a number in a field of numbers: %j',
		(input) => {
			const parse = () => kindNamed('number').parse(input, context);
			expect(parse).toThrow(InputError);
			expect(parse).toThrow(/^'[^']+' is not a number for 'City'$/);
		},
	);

	it('as its text, number or boolean where the kind does not say otherwise', () => {
		const scalars = fc.oneof(
			fc.string({ unit: 'binary', minLength: 1 }),
			fc.double({ noNaN: true, noDefaultInfinity: true }),
			fc.boolean(),
		);
		const kinds = fc.constantFrom('text', 'unknown', 'selection', 'richText', 'masked');
		fc.assert(
			fc.property(scalars, kinds, (input, name) => {
				// White space is no choice.
				fc.pre(name !== 'selection' || String(input).trim() !== '');
				const kind = kindOf({ type: name === 'unknown' ? '' : name });
				const sent = kind.parse(input, context);
				// A number with an exponent becomes a text.
				expect(typeof input === 'number' ? Number(sent) : sent).toBe(input);
			}),
		);
	});
});

describe('a value that a read may have returned in another form', () => {
	const rows: Array<{ kind: KindName; values: unknown; needs: boolean }> = [
		{ kind: 'date', values: '2031-01-31', needs: false },
		{ kind: 'date', values: 'asap', needs: true },
		{ kind: 'dateTime', values: '2031/01/31 10:00', needs: false },
		{ kind: 'dateTime', values: ['2031/01/31', 'asap'], needs: true },
		{ kind: 'text', values: '2031-01-31', needs: true },
		{ kind: 'text', values: ['a', '2031-01-31'], needs: true },
		{ kind: 'text', values: '2031/01/31', needs: false },
		{ kind: 'text', values: 'a, b', needs: false },
		{ kind: 'unknown', values: '2031-01-31T10:00:00', needs: true },
		{ kind: 'multipleSelection', values: 'a, b', needs: true },
		{ kind: 'multipleSelection', values: 'a', needs: false },
		{ kind: 'multipleSelection', values: ['a', 'b'], needs: false },
		{ kind: 'number', values: 12.5, needs: true },
		{ kind: 'number', values: '12.50', needs: false },
		{ kind: 'number', values: ' 12.50', needs: true },
		{ kind: 'number', values: ' ', needs: false },
		{ kind: 'date', values: ['2031/01/31 '], needs: true },
		{ kind: 'text', values: ' a ', needs: false },
		{ kind: 'text', values: 12.5, needs: false },
		{ kind: 'checkbox', values: 'Yes', needs: false },
		{ kind: 'checkbox', values: 'true', needs: true },
		{ kind: 'checkbox', values: true, needs: true },
	];

	it.each(rows)('is understood by the stored one: $kind, $values: $needs', (row) => {
		expect(kindNamed(row.kind).needsStoredValue(row.values, context)).toBe(row.needs);
	});
});

it.each([
	['2031-01-31', '2031/01/31'],
	['2031-01-31T10:00', '2031/01/31 10:00:00'],
	[new Date('2031-01-31T05:00:00Z'), '2031/01/31'],
])('a filter searches %j as a part of a time: %s', (value, text) => {
	const clock = { offsetHours: -5 };
	expect(kindNamed('dateTime').filterText(value, clock, { isPart: true })).toBe(text);
});

describe('a filter compares with', () => {
	const luxon = '2031-01-31T10:00:00.000Z';
	const rows: Array<{ kind: KindName; values: unknown; text: string | undefined }> = [
		{ kind: 'date', values: '2031-01-31', text: '2031/01/31' },
		{ kind: 'dateTime', values: luxon, text: '2031/01/31 05:00:00' },
		{ kind: 'date', values: 'tomorrow', text: 'tomorrow' },
		{ kind: 'text', values: '2031-01-31', text: '2031-01-31' },
		{ kind: 'text', values: new Date(luxon), text: '2031/01/31 05:00:00' },
		{ kind: 'text', values: ' a ', text: ' a ' },
		{ kind: 'unknown', values: '2031-01-31', text: '2031/01/31' },
		{ kind: 'unknown', values: '2031-01-31T00:00:00.000-05:00', text: '2031/01/31' },
		{ kind: 'unknown', values: luxon, text: '2031/01/31 05:00:00' },
		{ kind: 'unknown', values: new Date(8.64e15), text: undefined },
		{ kind: 'checkbox', values: true, text: 'Yes' },
		{ kind: 'checkbox', values: false, text: 'No' },
		{ kind: 'checkbox', values: 'true', text: 'true' },
		{ kind: 'unknown', values: true, text: 'true' },
		{ kind: 'number', values: 12.5, text: '12.5' },
		{ kind: 'number', values: ' 1,234.50 ', text: '1,234.50' },
		{ kind: 'text', values: '1,234', text: '1,234' },
		{ kind: 'text', values: ['a'], text: undefined },
		{ kind: 'text', values: { a: 1 }, text: undefined },
		{ kind: 'text', values: null, text: '' },
	];

	it.each(rows)('$text for $values in a field of the kind $kind', ({ kind, values, text }) => {
		expect(kindNamed(kind).filterText(values, clock)).toBe(text);
	});

	it('a number with separators of thousands in two spellings', () => {
		expect(kindNamed('number').filterSpellings('1,234.50')).toEqual(['1,234.50', '1234.5']);
		expect(kindNamed('number').filterSpellings('1,2')).toEqual(['1,2']);
		expect(kindNamed('number').filterSpellings('05')).toEqual(['05']);
		expect(kindNamed('text').filterSpellings('1,234')).toEqual(['1,234']);
	});
});

describe('a stored value', () => {
	const equal: Array<{
		kind: KindName;
		stored: JsonValue | undefined;
		values: FieldValue;
		equals: boolean;
		isUnchanged?: boolean;
	}> = [
		{ kind: 'number', stored: '1000000', values: '1,000,000', equals: true, isUnchanged: false },
		{ kind: 'number', stored: '1234.5', values: '1,234.50', equals: true, isUnchanged: false },
		{ kind: 'number', stored: '1000', values: '1,000.0', equals: true, isUnchanged: false },
		{ kind: 'number', stored: '1,234.50', values: 1234.5, equals: true },
		{ kind: 'number', stored: '1,234', values: '1,234', equals: true },
		{ kind: 'number', stored: '12.50', values: '12.5', equals: true },
		{ kind: 'number', stored: '0612', values: '612', equals: true },
		{ kind: 'number', stored: 5, values: '5.00', equals: true },
		{ kind: 'number', stored: '12.5', values: '12.51', equals: false },
		{ kind: 'number', stored: 'abc', values: 'ABC', equals: false },
		{ kind: 'number', stored: '', values: '0', equals: false },
		{ kind: 'text', stored: '0612', values: '612', equals: false },
		{ kind: 'text', stored: '612', values: 612, equals: true },
		{ kind: 'text', stored: 'AB-1', values: 'ab-1', equals: false },
		{ kind: 'text', stored: 'a', values: 'a ', equals: false },
		{ kind: 'unknown', stored: '5', values: '5.0', equals: false },
		{ kind: 'unknown', stored: 'Yes', values: true, equals: false },
		{ kind: 'unknown', stored: '2031/01/31', values: '2031/01/31 00:00:00', equals: false },
		{ kind: 'date', stored: '2031/01/31', values: '2031/01/31 00:00:00', equals: true },
		{ kind: 'date', stored: '2031/01/31', values: '2031/02/01', equals: false },
		{ kind: 'dateTime', stored: '2031/01/31 10:00', values: '2031/01/31 10:00:00', equals: true },
		{ kind: 'dateTime', stored: 'asap', values: 'ASAP', equals: false },
		{ kind: 'checkbox', stored: 'Yes', values: true, equals: true },
		{ kind: 'checkbox', stored: 'no', values: 'false', equals: true },
		{ kind: 'checkbox', stored: 'Yes', values: false, equals: false },
		{ kind: 'multipleSelection', stored: ['b', 'a'], values: ['a', 'b'], equals: true },
		{ kind: 'multipleSelection', stored: ['a'], values: ['a', 'b'], equals: false },
		{ kind: 'multipleSelection', stored: ['a', 'b'], values: ['a'], equals: false },
		{ kind: 'multipleSelection', stored: ['a', 'b'], values: ['a', 'a'], equals: false },
		{ kind: 'multipleSelection', stored: ['a', 'b'], values: 'a,b', equals: false },
		{ kind: 'multipleSelection', stored: ['a'], values: 'a', equals: true },
		{ kind: 'multipleSelection', stored: 'a', values: ['a'], equals: true },
		{ kind: 'multipleSelection', stored: 'a', values: ['b'], equals: false },
		{ kind: 'multipleSelection', stored: 'a', values: ['a', 'b'], equals: false },
		{ kind: 'text', stored: 'a', values: ['a'], equals: false },
		{ kind: 'text', stored: '', values: [], equals: true },
		{ kind: 'text', stored: 'a', values: [], equals: false },
		{ kind: 'multipleSelection', stored: [], values: '', equals: true },
		{ kind: 'multipleSelection', stored: [], values: [], equals: true },
		{ kind: 'multipleSelection', stored: [5, null], values: ['', '5'], equals: true },
		{ kind: 'text', stored: true, values: 'true', equals: true },
		{ kind: 'text', stored: undefined, values: '', equals: false },
		{ kind: 'text', stored: null, values: '', equals: false },
		{ kind: 'text', stored: new Map(), values: '', equals: false },
	];

	it.each(equal)('of the kind $kind: $stored equals $values: $equals', (row) => {
		const kind = kindNamed(row.kind);
		expect(kind.equals(row.stored, row.values)).toBe(row.equals);
		expect(kind.isUnchanged(row.stored, row.values)).toBe(row.isUnchanged ?? row.equals);
	});

	it.each([
		{ stored: '5', values: '5.0', isSame: true },
		{ stored: 'Yes', values: true, isSame: true },
		{ stored: '2031/01/31', values: '2031-01-31', isSame: true },
		{ stored: 'a', values: ['a'], isSame: true },
		{ stored: ['a', 'b'], values: ['b', 'a'], isSame: true },
		{ stored: 'a', values: 'A', isSame: false },
		{ stored: '5', values: '6', isSame: false },
		{ stored: undefined, values: '', isSame: false },
	])('$stored is the same as $values in some kind: $isSame', ({ stored, values, isSame }) => {
		expect(mayBeUnchanged(stored, values)).toBe(isSame);
	});

	it('thousands separators make a number equal, but not certainly unchanged', () => {
		expect(mayBeEqual('1234', '1,234')).toBe(true);
		expect(mayBeUnchanged('1234', '1,234')).toBe(false);
		expect(mayBeEqual('1234', '1,235')).toBe(false);
	});
});

describe('a saved text', () => {
	const rows: Array<{ kind: KindName; saved: string; sent: string; isKept: boolean }> = [
		{ kind: 'text', saved: 'a', sent: 'a', isKept: true },
		{ kind: 'text', saved: 'a', sent: ' a', isKept: false },
		{ kind: 'text', saved: '5', sent: '5.0', isKept: false },
		{ kind: 'unknown', saved: '1234.5', sent: '1,234.5', isKept: false },
		{ kind: 'number', saved: '1,234.50', sent: '1234.5', isKept: true },
		{ kind: 'number', saved: '0.3', sent: '0.30000000000000004', isKept: true },
		{ kind: 'number', saved: '-0.3', sent: '-0.30000000000000004', isKept: true },
		{ kind: 'number', saved: '12.3', sent: '12.34', isKept: false },
		{ kind: 'number', saved: '4111111111111110', sent: '4111111111111111', isKept: false },
		{ kind: 'number', saved: '491701234568', sent: '491701234567', isKept: false },
		{ kind: 'number', saved: 'abc', sent: 'abd', isKept: false },
		{ kind: 'date', saved: '2031/01/31', sent: '2031/01/31 10:00:41', isKept: true },
		{ kind: 'dateTime', saved: '2031/01/31 10:00', sent: '2031/01/31 10:00:41', isKept: true },
		{ kind: 'dateTime', saved: '2031/01/31', sent: '2031/01/31 00:00:00', isKept: true },
		{ kind: 'dateTime', saved: '2031/01/31', sent: '2031/01/31 10:00:41', isKept: false },
		{ kind: 'dateTime', saved: '2031/1/31 1:05', sent: '2031/01/31 01:05:41', isKept: true },
		{ kind: 'dateTime', saved: '2031/01/31 18:00', sent: '2031/01/31 10:00', isKept: false },
		{ kind: 'dateTime', saved: 'as', sent: 'asap', isKept: false },
		{ kind: 'checkbox', saved: 'Yes', sent: 'true', isKept: true },
		{ kind: 'checkbox', saved: 'No', sent: 'true', isKept: false },
		{ kind: 'richText', saved: '<b>x</b>', sent: '[b]x[/b]', isKept: true },
		{ kind: 'richText', saved: '', sent: '[b]x[/b]', isKept: false },
	];

	it.each(rows)('of the kind $kind, $saved, stands for $sent: $isKept', (row) => {
		expect(kindNamed(row.kind).isKept(row.saved, row.sent)).toBe(row.isKept);
	});
});

describe('two texts', () => {
	const rows: Array<{ kind: KindName; left: string; right: string; order: -1 | 0 | 1 }> = [
		{ kind: 'number', left: '9', right: '10', order: -1 },
		{ kind: 'number', left: '10', right: '9', order: 1 },
		{ kind: 'number', left: '1,000', right: '1000.0', order: 0 },
		{ kind: 'number', left: '12345678901234567891', right: '12345678901234567891.0', order: 0 },
		{ kind: 'number', left: 'b', right: 'a', order: 1 },
		{ kind: 'number', left: 'a', right: '5', order: 1 },
		{ kind: 'text', left: '9', right: '10', order: 1 },
		{ kind: 'text', left: '10', right: '9', order: -1 },
		{ kind: 'text', left: 'a', right: 'a', order: 0 },
		{ kind: 'text', left: '2031/01/31', right: '2031/01/31 00:00', order: -1 },
		{ kind: 'date', left: '2031/01/31', right: '2031/01/31 00:00', order: 0 },
		{ kind: 'dateTime', left: '2031/01/31 09:59', right: '2031/01/31 10:00:00', order: -1 },
		{ kind: 'checkbox', left: 'Yes', right: 'true', order: 0 },
		{ kind: 'checkbox', left: 'Yes', right: 'No', order: 1 },
		{ kind: 'checkbox', left: 'maybe', right: 'perhaps', order: 1 },
		{ kind: 'unknown', left: '9', right: '10', order: -1 },
		{ kind: 'unknown', left: 'yes', right: 'TRUE', order: 0 },
		{ kind: 'unknown', left: 'No', right: 'true', order: 1 },
		{ kind: 'unknown', left: 'a', right: 'false', order: 1 },
		{ kind: 'unknown', left: 'Yes', right: 'yes', order: -1 },
		{ kind: 'unknown', left: '2031/01/31', right: '2031/01/31 00:00', order: 0 },
		{ kind: 'unknown', left: 'a', right: 'b', order: -1 },
	];

	it.each(rows)('of the kind $kind: $left against $right is $order', (row) => {
		expect(Math.sign(kindNamed(row.kind).compare(row.left, row.right))).toBe(row.order);
	});
});

describe('a value with its JSON type', () => {
	const rows: Array<{ kind: KindName; stored: JsonValue; typed: JsonValue | undefined }> = [
		{ kind: 'number', stored: '12.50', typed: 12.5 },
		{ kind: 'number', stored: null, typed: null },
		{ kind: 'number', stored: '', typed: null },
		{ kind: 'number', stored: '****', typed: '****' },
		{ kind: 'number', stored: '5 pieces', typed: undefined },
		{ kind: 'number', stored: 5, typed: 5 },
		{ kind: 'checkbox', stored: 'Yes', typed: true },
		{ kind: 'checkbox', stored: 'TRUE', typed: true },
		{ kind: 'checkbox', stored: 'No', typed: false },
		{ kind: 'checkbox', stored: '', typed: null },
		{ kind: 'checkbox', stored: 'perhaps', typed: undefined },
		{ kind: 'multipleSelection', stored: ['a', 'b'], typed: ['a', 'b'] },
		{ kind: 'multipleSelection', stored: 'a, b', typed: ['a, b'] },
		{ kind: 'multipleSelection', stored: null, typed: [] },
		{ kind: 'multipleSelection', stored: '', typed: [] },
		{ kind: 'multipleSelection', stored: 5, typed: [5] },
		{ kind: 'text', stored: '12.50', typed: '12.50' },
		{ kind: 'text', stored: '', typed: '' },
		{ kind: 'date', stored: '', typed: '' },
	];

	it.each(rows)('of the kind $kind: $stored is $typed', ({ kind, stored, typed }) => {
		expect(kindNamed(kind).typed(stored)).toEqual(typed);
	});
});

const typical =
	'|0| 0|5|5 |5.0|05|1,000|1000|1000.0|-0|Yes|no|true|2031/01/31|2031/01/31 00:00| 2031/01/31|a|A';
const texts = fc.oneof(
	fc.constantFrom(...typical.split('|')),
	fc.stringMatching(/^-?[\d,]{1,6}(\.\d{1,3})?$/),
	fc.string(),
);
const kinds = fc.constantFrom(...names).map(kindNamed);

describe('for every kind', () => {
	it('equal values have one normal form, and others have different ones', () => {
		fc.assert(
			fc.property(kinds, texts, texts, (kind, left, right) => {
				expect(kind.equals(left, right)).toBe(kind.normalize(left) === kind.normalize(right));
				expect(kind.normalize(kind.normalize(left))).toBe(kind.normalize(left));
			}),
			{ numRuns: runs(1_000) },
		);
	});

	it('a value equals itself, both ways, and along a chain', () => {
		fc.assert(
			fc.property(kinds, texts, texts, texts, (kind, first, second, third) => {
				expect(kind.equals(first, first)).toBe(true);
				expect(kind.equals(first, second)).toBe(kind.equals(second, first));
				if (kind.equals(first, second) && kind.equals(second, third)) {
					expect(kind.equals(first, third)).toBe(true);
				}
			}),
			{ numRuns: runs(1_000) },
		);
	});

	it('an unchanged value is equal, an equal value compares as equal and has one form for locks', () => {
		fc.assert(
			fc.property(kinds, texts, texts, (kind, left, right) => {
				if (kind.isUnchanged(left, right)) expect(kind.equals(left, right)).toBe(true);
				if (!kind.equals(left, right)) return;
				expect(kind.compare(left, right)).toBe(0);
				expect(normalForm(left)).toBe(normalForm(right));
			}),
			{ numRuns: runs(1_000) },
		);
	});

	it('a value with its JSON type is sent back as the value that is stored', () => {
		// White space alone is no choice.
		const choices = texts.filter((text) => text.trim() !== '');
		const stored = fc.oneof(texts, fc.array(choices, { maxLength: 3 }));
		fc.assert(
			fc.property(kinds, stored, (kind, value) => {
				const typed = kind.typed(value) ?? value;
				// A text with a comma may be several choices, and a text need not be a date.
				const isNumber = typeof typed === 'number';
				fc.pre(isNumber || !kind.needsStoredValue(typed, context));
				fc.pre(!/^\*+$/.test(String(value)));
				// A field that holds one value never has a list of several.
				fc.pre(kind.traits.isSingle !== true || !Array.isArray(value) || value.length < 2);
				const sent = kind.parse(typed, context);
				// White space is a value in texts only.
				const isEmpty = value.length === 0 || (String(sent) === '' && !String(value).trim());
				if (isEmpty) expect([sent].flat().filter(Boolean)).toEqual([]);
				else expect(kind.equals(value, sent)).toBe(true);
			}),
			{ numRuns: runs(1_000) },
		);
	});
});

it.each([
	[1.2e-7, '0.00000012'],
	[-5e-324, `-0.${'0'.repeat(323)}5`],
	[1e21, `1${'0'.repeat(21)}`],
	[-1.5e21, `-15${'0'.repeat(20)}`],
	[123456789012345680000, '123456789012345680000'],
	[0.000001, '0.000001'],
	[-0, '0'],
])('the number %p is sent with all digits, in a write and in a filter', (number, digits) => {
	for (const name of ['number', 'text', 'unknown'] as const) {
		expect(String(kindNamed(name).parse(number, context))).toBe(digits);
		expect(kindNamed(name).filterText(number, clock)).toBe(digits);
	}
	expect(Number(digits)).toBe(number + 0);
});

describe('the number that a text says', () => {
	it.each([
		...['', ' ', '0612', '-012', '00', '1e5', '1E5', '0x10', '+5', '.5', '5.', ' 5', '5 ', '1,234'],
		...['5%', '$5', '1.2.3', 'NaN', 'Infinity', '٣', '12345678901234567890', '9007199254740993'],
		...['0.1234567890123456789', '9'.repeat(30), '0.0000001'],
	])('is none for %j', (text) => {
		expect(exactNumber(text)).toBeUndefined();
	});

	it('is written back with the same value, but for zeros at its end', () => {
		const digits = fc.stringMatching(/^-?\d{1,25}(\.\d{1,25})?$/);
		fc.assert(
			fc.property(fc.oneof(digits, fc.double().map(String), fc.string()), (text) => {
				const number = exactNumber(text);
				if (number === undefined) return;
				expect(JSON.stringify(number)).toBe(
					text
						.replace(/(\.\d*?)0+$/, '$1')
						.replace(/\.$/, '')
						.replace(/^-0$/, '0'),
				);
			}),
		);
	});

	it('is any that JavaScript itself writes without an exponent', () => {
		const numbers = fc.oneof(
			fc.double({ noNaN: true, noDefaultInfinity: true }),
			fc.maxSafeInteger(),
		);
		const plainNumbers = numbers.filter((number) => !String(number).includes('e'));
		fc.assert(
			fc.property(plainNumbers, (number) => {
				expect(exactNumber(String(number))).toBe(number + 0);
			}),
		);
	});
});

it.each([
	{ saved: '1,000.50', sent: '1000.5', isSame: true },
	// The service may round the last digits of a long fraction.
	{ saved: '0.3333333333', sent: '0.33333333334', isSame: true },
	{ saved: '12345678901.123457', sent: '12345678901.123456789', isSame: true },
	{ saved: '-1000000000.5', sent: '-1000000000', isSame: false },
	{ saved: '1234567890.90', sent: '1234567890.12', isSame: false },
	{ saved: '1234567890', sent: '1234567890.5', isSame: false },
	{ saved: '2.00000001', sent: '2', isSame: false },
	{ saved: '0.33333333', sent: '0.33333334', isSame: false },
	{ saved: '1000000.5', sent: '1000000', isSame: false },
	{ saved: '12345678901234567890', sent: '12345678901234567891', isSame: false },
	{ saved: '0.1', sent: '0', isSame: false },
	{ saved: 'x', sent: '1', isSame: false },
])('$saved is the saved form of the number $sent: $isSame', ({ saved, sent, isSame }) => {
	expect(isSameNumber(saved, sent)).toBe(isSame);
});

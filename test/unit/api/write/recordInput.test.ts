import fc from 'fast-check';
import { DateTime } from 'luxon';
import type { Field } from '../../../../nodes/api/schema/fields';
import { dateForm } from '../../../../nodes/api/schema/fieldTypes';
import {
	needsFields,
	recordChanges,
	type RecordInputRules,
} from '../../../../nodes/api/write/recordInput';
import { fieldValue } from '../../../../nodes/api/write/fieldValue';
import { isBlank } from '../../../../nodes/api/values/text';
import { parseInput } from '../../../../nodes/api/write/parsedInput';
import { InputError } from '../../../../nodes/api/values/inputError';

const fields: Field[] = [
	{ fieldId: '1000002', name: 'City' },
	{ fieldId: '1000007', name: '__proto__' },
];
const clock = { zone: 'America/New_York' };
const rules: RecordInputRules = { fields, clearEmpty: false, clock };

it('keys of the input may be names, also __proto__, or ids, and keep their order', () => {
	const input: object = JSON.parse('{"City":"Ulm","9999999":"x","__proto__":"a value"}');
	expect([...recordChanges(parseInput({ ...input }), rules).fields]).toEqual([
		['9999999', 'x'],
		['1000002', 'Ulm'],
		['1000007', 'a value'],
	]);
});

it('empty values are nothing, an empty text and an empty selection', () => {
	expect(['', null, undefined, []].every(isBlank)).toBe(true);
	expect([0, false, ' ', [''], [[]], {}, NaN].some(isBlank)).toBe(false);
});

describe('values', () => {
	const value = (given: unknown, type?: string) =>
		fieldValue({ fieldId: '1000002', name: 'City', type }, 'City', given, clock);

	it('of texts, numbers and booleans are written as they are', () => {
		const scalars = fc.oneof(
			fc.string({ unit: 'binary' }),
			fc.double({ noNaN: true, noDefaultInfinity: true }),
			fc.boolean(),
		);
		fc.assert(
			fc.property(scalars, fc.constantFrom(undefined, 'text', 'number'), (given, type) => {
				fc.pre(typeof given !== 'string' || !/^\d{4}-/.test(given));
				expect(value(given, type)).toBe(given);
			}),
		);
	});

	it.each<[given: unknown, type: string | undefined, written: string]>([
		['2026-01-31', 'date', '2026/01/31'],
		['2026-01-31T03:00:00Z', 'date', '2026/01/30'],
		['2026-01-31T03:00:00Z', 'dateTime', '2026/01/30 22:00:00'],
		['2026-01-31', 'Date Time', '2026/01/31 00:00:00'],
		['2026/01/31', 'date', '2026/01/31'],
		['tomorrow', 'date', 'tomorrow'],
		['2026-01-31', 'text', '2026-01-31'],
		['2026-01-31T03:00:00.000Z', 'text', '2026-01-31T03:00:00.000Z'],
	])('%j in a field of type %s is %j', (given, type, text) => {
		expect(value(given, type)).toBe(text);
	});

	it.each(['2026-01-31', '2026-01-31T03:00:00Z'])(
		'of a text that may be a date are refused where the type is not known: %s',
		(given) => {
			expect(() => value(given)).toThrow(`'${given}' for 'City' may be a date or a text`);
		},
	);

	it('of dates as objects are dates in a field of any type', () => {
		const moment = DateTime.fromISO('2026-01-31T03:00:00Z');
		for (const given of [moment, moment.toJSDate()]) {
			expect(value(given)).toBe('2026/01/30 22:00:00');
			expect(value(given, 'text')).toBe('2026/01/30 22:00:00');
			expect(value(given, 'date')).toBe('2026/01/30');
		}
	});

	it.each([
		['an object', { a: 1 }],
		['a selection of objects', [{ a: 1 }]],
		['a selection of selections', [['a', 'b']]],
		['a selection of nothing', [null]],
		['no number', NaN],
		['an endless number', -Infinity],
		['an invalid date', new Date(NaN)],
		['a date that the service cannot hold', new Date(8.64e15)],
		['a function', () => 'x'],
	])('cannot be written: %s', (_, given) => {
		expect(() => value(given)).toThrow(InputError);
		expect(() => value(given)).toThrow("The value of 'City' cannot be written");
	});
});

describe('what has to be asked for', () => {
	const isNeeded = (input: object) => needsFields(parseInput({ ...input }));

	it('are short numbers, which may be ids or names', () => {
		for (const number of [2024, 1, 43, 105, 112]) {
			expect(isNeeded({ [number]: 5 })).toBe(true);
			expect(isNeeded({ _subtable_5: [{ [number]: 5 }] })).toBe(true);
		}
		const sure = { 1000001: 'x', 12345678: 'x' };
		expect(isNeeded({ ...sure, _DELSUB_5: [2024], DELSUB_6: 7 })).toBe(false);
	});

	it.each([
		['date', ['date', 'Date']],
		['dateTime', ['DATE_TIME', 'datetime', 'timestamp']],
		[undefined, ['text', 'update', '', undefined]],
	])('%s is meant by the types %j', (form, types) => {
		for (const type of types) expect(dateForm(type)).toBe(form);
	});
});

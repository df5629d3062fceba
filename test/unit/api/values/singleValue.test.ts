import { DateTime, Duration, Interval } from 'luxon';
import {
	isLengthText,
	requireTextual,
	unusableText,
	unusableValue,
} from '../../../../nodes/api/values/singleValue';
import { isDateLike } from '../../../../nodes/api/values/dates';
import { InputError } from '../../../../nodes/api/values/inputError';
import { thrown } from '../thrown';

const start = DateTime.fromISO('2026-01-31T09:30:00Z');
const end = start.plus({ days: 3 });

it.each([
	{ value: Duration.fromObject({ days: 3 }), what: 'a length of time' },
	{ value: end.diff(start, 'days'), what: 'a length of time' },
	{ value: Duration.invalid('no unit'), what: 'a length of time' },
	{ value: Interval.fromDateTimes(start, end), what: 'a length of time' },
	{ value: DateTime.invalid('no date'), what: 'an invalid date' },
	{ value: new Date(NaN), what: 'an invalid date' },
	{ value: NaN, what: '"not a number"' },
	{ value: -Infinity, what: '"Infinity"' },
	{ value: ['a'], what: 'a list' },
	{ value: [], what: 'a list' },
	{ value: { toMillis: () => 5 }, what: 'a length of time' },
	{ value: { a: 1 }, what: 'an object' },
	{ value: () => 1, what: 'a function' },
])('$value is no single value but $what, and no date', ({ value, what }) => {
	expect(unusableValue(value)).toBe(what);
	expect(unusableText(value)).toBe(what);
	expect(isDateLike(value)).toBe(false);
});

it.each([start, start.setZone('Asia/Taipei'), new Date(0), 0, -0.5, 5n, true, '', 'NaN', null])(
	'%s is a single value',
	(value) => {
		expect(unusableValue(value)).toBeUndefined();
	},
);

it.each([start, new Date(0)])('the date %s is not a text', (value) => {
	expect(unusableText(value)).toBe('a date');
});

it.each(['P3D', 'PT5H', '-P1Y2M', 'P1Y2M3DT4H5M6.789S', 'PT0.5S', 'P-3D', 'P2W'])(
	'the text %s is a length of time',
	(text) => expect(isLengthText(text)).toBe(true),
);

it('the texts of Luxon for durations and intervals are lengths of time', () => {
	expect(isLengthText(String(end.diff(start).toISO()))).toBe(true);
	const interval = Interval.fromDateTimes(start, end);
	expect([interval.toISO(), interval.toString()].map(isLengthText)).toEqual([true, true]);
});

it.each(['P', 'PT', 'P3', 'PAID', 'P3D4', '2026-01-31', 'a/b', '1/2', '5', '', '2026/01/31'])(
	'the text "%s" is no length of time',
	(text) => expect(isLengthText(text)).toBe(false),
);

it('the error for a parameter that needs a text says what the expression returned, and what to do', () => {
	const error = thrown(InputError, () => requireTextual(end.diff(start), 'Comment'));
	expect(error.message).toBe(
		"'Comment' needs a text, but the expression returned a length of time",
	);
	expect(error.description).toContain('.days');
	expect(() => requireTextual(5, 'Comment')).not.toThrow();
});

it('a file in place of its name is called a file, with the advice to enter the name', () => {
	const file = { mimeType: 'text/plain', fileName: 'a.txt', data: 'aGk=' };
	for (const value of [file, { ...file, data: 'filesystem-v2', id: 'filesystem-v2:x' }]) {
		const error = thrown(InputError, () => requireTextual(value, 'Input'));
		expect(error.message).toBe("'Input' needs a text, but the expression returned a file");
		expect(error.description).toContain('name of its input data field, e.g. data');
	}
	expect(unusableText({ mimeType: 'text/plain', id: 'of a file store' })).toBe('an object');
});

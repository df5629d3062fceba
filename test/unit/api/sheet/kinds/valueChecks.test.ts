import fc from 'fast-check';
import { DateTime } from 'luxon';
import {
	areSameChoices,
	isInexact,
	requireDate,
	withoutExponent,
} from '../../../../../nodes/api/sheet/kinds/valueChecks';
import { InputError } from '../../../../../nodes/api/values/inputError';
import { thrown } from '../../thrown';

it('a number without exponent has the same value', () => {
	const numbers = fc.double({ noNaN: true, noDefaultInfinity: true });
	fc.assert(
		fc.property(numbers, (number) => {
			const written = withoutExponent(number);
			expect(Number(written)).toBe(number);
			expect(String(written)).toMatch(/^-?\d+(?:\.\d+)?$/);
			if (!String(number).includes('e')) expect(written).toBe(number);
		}),
	);
	expect([1.2e-7, -1.5e21].map(withoutExponent)).toEqual(['0.00000012', '-1500000000000000000000']);
});

it.each<[unknown, boolean]>([
	[2 ** 53, true],
	[-(2 ** 53), true],
	[10 ** 20, true],
	[2 ** 53 - 1, false],
	[1e21, false],
	[0.1 + 0.2, false],
	[String(2 ** 53), false],
	[2n ** 60n, false],
	[null, false],
])('%p is a number whose last digits may be lost: %p', (value, isLost) => {
	expect(isInexact(value)).toBe(isLost);
});

describe('the format in the advice for a date in another form', () => {
	const formats = ['.', '-', '/'].flatMap((separator) =>
		[
			['dd', 'MM'],
			['d', 'M'],
		].flatMap(([day = '', month = '']) => [
			[day, month, 'yyyy'].join(separator),
			[month, day, 'yyyy'].join(separator),
		]),
	);
	/** Returns the ISO date that the format in the advice reads from a text. */
	const readByAdvice = (text: string) => {
		const advice = thrown(InputError, () => requireDate(text, "'Due'", 'known')).description;
		const [, format = ''] = /fromFormat\(\$json\['Due'\], '(.+?)'\)/.exec(String(advice)) ?? [];
		return DateTime.fromFormat(text, format).toISODate();
	};

	it.each(formats)('reads a date after the twelfth of a month as written: %s', (format) => {
		for (const date of ['2026-01-31', '2026-12-13', '2024-02-29']) {
			expect(readByAdvice(DateTime.fromISO(date).toFormat(format))).toBe(date);
		}
	});

	it.each([
		['31.01.2026 9:30', 'dd.MM.yyyy H:mm'],
		['1/31/2026 09:30:15', 'M/d/yyyy H:mm:ss'],
		['31.01.2026 at noon', 'dd.MM.yyyy'],
	])('has the time if the text has one: %s', (text, format) => {
		const advice = thrown(InputError, () => requireDate(text, "'Due'", 'known')).description;
		expect(advice).toContain(`'${format}')`);
	});

	it.each([
		...['July 2, 2026', 'Jul 2, 2026', '2 July 2026', '02-Jul-2026', '2 May 2026', 'May 2, 2026'],
		...['2026.07.02', '2026年7月2日', '2026-7-2 9:05', '2026-07-02 2:30 PM', '2026/7/2 9:05 am'],
		...['Jul 2, 2026 2:30:15 PM'],
	])('reads a date with the name of a month, or with the year first: %s', (text) => {
		expect(readByAdvice(text)).toBe(text.includes('May') ? '2026-05-02' : '2026-07-02');
	});

	it.each([
		['Thu, 02 Jul 2026 22:30:00 +0200', "DateTime.fromRFC2822($json['Due'])"],
		['2 Jul 2026 22:30:00 GMT', "DateTime.fromRFC2822($json['Due'])"],
		['Thu Jul 02 2026 00:00:00 GMT+0200 (CEST)', "new Date($json['Due'])"],
		['2026-02-30', "DateTime.fromFormat($json['Due'], 'yyyy-MM-dd')"],
		['2 juillet 2026', "DateTime.fromFormat($json['Due'], 'dd.MM.yyyy')"],
		["2 Jul 2026'", "DateTime.fromFormat($json['Due'], 'dd.MM.yyyy')"],
		['2026-07-02 2:30 PM +02:00', "DateTime.fromFormat($json['Due'], 'dd.MM.yyyy')"],
		['today', "DateTime.fromFormat($json['Due'], 'dd.MM.yyyy')"],
	])('has the expression for %s', (text, expression) => {
		const advice = thrown(InputError, () => requireDate(text, "'Due'", 'known')).description;
		expect(advice).toContain(`{{ ${expression} }}`);
	});

	it.each([
		['05/06/2026', '2026-05-06'],
		['05.06.2026', '2026-06-05'],
		['5-6-2026', '2026-06-05'],
	])('reads the month first only with slashes if %s may mean two days', (text, date) => {
		expect(readByAdvice(text)).toBe(date);
	});
});

it.each<[stored: string[], given: string | string[], areSame: boolean]>([
	[['b', 'a'], ['a', 'b'], true],
	[['a'], 'a', true],
	[[], '', true],
	[[], [], true],
	[['a'], ['a', 'a'], true],
	[['a', 'b'], ['a', 'b', 'a'], true],
	[['a', 'a'], ['a', 'b'], false],
	[['a', 'b'], ['a'], false],
	[['a'], '', false],
	[['a,b'], ['a', 'b'], false],
])('the stored choices %j are those of %j: %p', (stored, given, areSame) => {
	expect(areSameChoices(stored, given)).toBe(areSame);
	if (Array.isArray(given)) expect(areSameChoices(given, stored)).toBe(areSame);
});

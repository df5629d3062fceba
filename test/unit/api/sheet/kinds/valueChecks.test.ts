import fc from 'fast-check';
import {
	areSameChoices,
	isInexact,
	withoutExponent,
} from '../../../../../nodes/api/sheet/kinds/valueChecks';

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

it.each<[stored: string[], given: string | string[], areSame: boolean]>([
	[['b', 'a'], ['a', 'b'], true],
	[['a'], 'a', true],
	[[], '', true],
	[[], [], true],
	[['a'], ['a', 'a'], false],
	[['a', 'a'], ['a', 'b'], false],
	[['a', 'b'], ['a'], false],
	[['a'], '', false],
	[['a,b'], ['a', 'b'], false],
])('the stored choices %j are those of %j: %p', (stored, given, areSame) => {
	expect(areSameChoices(stored, given)).toBe(areSame);
	if (Array.isArray(given)) expect(areSameChoices(given, stored)).toBe(areSame);
});

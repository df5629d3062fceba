import fc from 'fast-check';
import { choiceOf, flagOf } from '../../../nodes/shared/parameters/settings';

const anything = fc.oneof(
	fc.anything({ withDate: true, withBigInt: true, withNullPrototype: true }),
	fc.string(),
);
const choices = ['approve', 'reject'] as const;

it.each([
	[true, ['true', ' TRUE\n', 'tRue', '1', true, 1]],
	[false, ['false', '\tFALSE', 'faLse', '0', false, 0]],
])('a flag is true or false, their texts in any case, 1 or 0: %s', (expected, values) => {
	for (const value of values) expect([value, flagOf(value, 'Preview')]).toEqual([value, expected]);
});

it('any other value is not a flag', () => {
	const isFlag = (value: unknown) =>
		['string', 'number', 'boolean'].includes(typeof value) &&
		/^(?:true|false|[01])$/i.test(String(value).trim());
	fc.assert(
		fc.property(anything, (value) => {
			fc.pre(!isFlag(value));
			expect(() => flagOf(value, 'Preview')).toThrow("'Preview' ");
		}),
	);
});

it('a choice is one of the choices, and any other value is rejected', () => {
	fc.assert(
		fc.property(fc.oneof(anything, fc.constantFrom(...choices)), (value) => {
			const isChoice = typeof value === 'string' && ['approve', 'reject'].includes(value.trim());
			if (isChoice) expect(choiceOf(value, 'Action', choices)).toBe(value.trim());
			else expect(() => choiceOf(value, 'Action', choices)).toThrow("'Action' ");
		}),
	);
});

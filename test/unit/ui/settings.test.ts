import fc from 'fast-check';

import { choiceOf, flagOf } from '../../../nodes/ui/settings';

const anything = fc.anything({ withDate: true, withBigInt: true, withNullPrototype: true });
const choices = ['approve', 'reject'] as const;

describe('a flag', () => {
	const spellings = new Map<string, boolean>([
		['true', true],
		['1', true],
		['false', false],
		['0', false],
	]);

	it('is true or false, their texts in any case, 1 or 0', () => {
		const cased = fc
			.tuple(fc.constantFrom(...spellings), fc.infiniteStream(fc.boolean()))
			.map(([[word, expected], upper]): [string, boolean] => [
				[...word].map((letter) => (upper.next().value ? letter.toUpperCase() : letter)).join(''),
				expected,
			]);
		fc.assert(
			fc.property(cased, fc.constantFrom('', ' ', '\t\n'), ([text, expected], space) => {
				expect(flagOf(`${space}${text}${space}`, 'Preview')).toBe(expected);
			}),
		);
		expect([true, 1].map((value) => flagOf(value, 'Preview'))).toEqual([true, true]);
		expect([false, 0].map((value) => flagOf(value, 'Preview'))).toEqual([false, false]);
	});

	it('is nothing else', () => {
		const scalars = ['string', 'number', 'boolean'];
		const others = anything.filter((value) => !scalars.includes(typeof value));
		const texts = fc.string().filter((text) => !spellings.has(text.trim().toLowerCase()));
		const numbers = fc.double().filter((number) => number !== 0 && number !== 1);
		fc.assert(
			fc.property(fc.oneof(others, texts, numbers), (value) => {
				expect(() => flagOf(value, 'Preview')).toThrow("'Preview' ");
			}),
		);
	});
});

it('a choice is one of the choices, and never another for what is none', () => {
	fc.assert(
		fc.property(fc.oneof(anything, fc.string(), fc.constantFrom(...choices)), (value) => {
			const isChoice = typeof value === 'string' && ['approve', 'reject'].includes(value.trim());
			if (isChoice) expect(choiceOf(value, 'Action', choices)).toBe(value.trim());
			else expect(() => choiceOf(value, 'Action', choices)).toThrow("'Action' ");
		}),
	);
});

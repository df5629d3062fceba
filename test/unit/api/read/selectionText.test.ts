import fc from 'fast-check';
import { chosenIn } from '../../../../nodes/api/read/selectionText';

const tags = ['Fragile', 'Gift', 'Repeat, large', 'Repeat', '[1] Low', '[2] High', '[3]'];

it.each([
	['one that holds a comma', 'Repeat, large', undefined],
	['several', 'Gift, Fragile', ['Gift', 'Fragile']],
	['one with a comma among them', 'Gift,Repeat, large', ['Gift', 'Repeat, large']],
	['a shorter one that another begins with', 'Repeat, Gift', ['Repeat', 'Gift']],
	['nothing but gaps', ', ,', []],
	['several that begin with a bracket', '[2] High,[1] Low', ['[2] High', '[1] Low']],
	['one that could be a JSON array', '[3]', undefined],
	['one that begins with a bracket', '[4] New', undefined],
	['a JSON array', '["Repeat, large", "Gift"]', ['Repeat, large', 'Gift']],
])('%s', (_, text, chosen) => {
	expect(chosenIn(text, tags)).toEqual(chosen);
});

it('joined choices are split again, with any choices', () => {
	const choice = fc
		.string({ unit: fc.constantFrom('a', 'b', ',', ' '), minLength: 1, maxLength: 5 })
		.filter((text) => text === text.trim() && /^[^,].*[^,]$|^[^,]$/.test(text))
		// In these texts, a gap could belong to the choice before or after it.
		.filter((text) => !/, *,/.test(text));
	const lists = fc.uniqueArray(choice, { minLength: 2, maxLength: 5 });
	fc.assert(
		fc.property(lists, (choices) => {
			const joined = chosenIn(choices.join(','), choices) ?? [choices.join(',')];
			expect(joined.join(',').replace(/ /g, '')).toBe(choices.join(',').replace(/ /g, ''));
			for (const text of joined)
				expect(String(text).includes(',') && !choices.includes(String(text))).toBe(false);
		}),
		{ numRuns: 1000 },
	);
});

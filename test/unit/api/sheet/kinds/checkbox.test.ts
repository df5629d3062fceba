import {
	checkboxTexts,
	countOfMainPair,
	switchIn,
	switchSpellings,
	wordsAmong,
	wordsFor,
} from '../../../../../nodes/api/sheet/kinds/checkbox';

const pairs = [
	['Yes', 'No'],
	['yes', 'no'],
	['YES', 'NO'],
	['True', 'False'],
	['true', 'false'],
	['TRUE', 'FALSE'],
	['On', 'Off'],
	['on', 'off'],
	['ON', 'OFF'],
	['1', '0'],
] as const;

it.each(pairs)('%j and %j are the words of one account', (on, off) => {
	expect([switchIn(on), switchIn(` ${off}\t`), switchIn(`${on} x`)]).toEqual([
		true,
		false,
		undefined,
	]);
	for (const texts of [[on], [off], [on, off, on], ['Maybe', off]]) {
		expect(wordsAmong(texts)).toEqual({ on, off });
	}
	expect(countOfMainPair([on, off, 'Maybe', on])).toBe(3);
	const words = [wordsFor(true), wordsFor(false)];
	expect([words[0]?.includes(on), words[1]?.includes(off), words[0]?.includes(off)]).toEqual([
		true,
		true,
		false,
	]);
});

it('the words of two accounts are of several pairs, and the first one is written', () => {
	for (const [on] of pairs) {
		for (const [otherOn, otherOff] of pairs.filter(([other]) => other !== on)) {
			expect(wordsAmong([otherOff, on])).toEqual({ on: otherOn, off: otherOff });
			expect(countOfMainPair([on, otherOn, otherOff])).toBe(2);
		}
	}
});

it('texts that are no words make no pair', () => {
	expect([wordsAmong([]), wordsAmong(['Maybe'])]).toEqual(Array(2).fill({ on: 'Yes', off: 'No' }));
	expect([countOfMainPair([]), countOfMainPair(['Maybe'])]).toEqual([0, 0]);
});

it('the distinct words come in the order of their frequency, not of their first records', () => {
	const texts = ['true', 'Maybe', 'Yes', 'no', 'x', 'no', 'Yes', 'no', 'Maybe', 'Maybe', 'Maybe'];
	expect(checkboxTexts(texts)).toEqual(['no', 'Yes', 'true']);
});

it.each([...pairs.slice(0, 9).map(([on]) => [on, true] as const), ['oFf', false] as const])(
	'%j is found by all words of its meaning, except numbers',
	(text, meaning) => {
		const words = switchSpellings(text);
		expect([...words].sort()).toEqual(
			wordsFor(meaning)
				.filter((word) => !/\d/.test(word))
				.sort(),
		);
	},
);

it.each<[unknown, boolean | undefined]>([
	[true, true],
	[1, true],
	[0n, false],
	[2, undefined],
	['', undefined],
	['01', undefined],
	[[true], undefined],
	[null, undefined],
])('the meaning of %p is %p', (value, meaning) => {
	expect(switchIn(value)).toBe(meaning);
	if (typeof value === 'string') expect(switchSpellings(value)).toEqual([]);
});

import { switchForm } from '../../values/normalForm';
import { textOf } from '../../values/text';

/** Texts of a checkbox for true and false. */
export interface CheckboxWords {
	on: string;
	off: string;
}

/** Texts of a checkbox in the service's answers. */
export const checkboxWords: CheckboxWords = { on: 'Yes', off: 'No' };

const pairs: readonly CheckboxWords[] = [
	checkboxWords,
	{ on: 'true', off: 'false' },
	{ on: 'on', off: 'off' },
	{ on: '1', off: '0' },
];

/** The letter cases in which an account may store a word. */
const cases: ReadonlyArray<(word: string) => string> = [
	(word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase(),
	(word) => word.toLowerCase(),
	(word) => word.toUpperCase(),
];

/** All words of checkboxes, in pairs of the same letter case. */
const wordPairs: readonly CheckboxWords[] = pairs.flatMap(({ on, off }) =>
	cases.map((inCase) => ({ on: inCase(on), off: inCase(off) })),
);

/**
 * Returns the meaning of a boolean, of the numbers 1 and 0, and of the texts true, false, yes, no, on, off, 1 and 0 in any letter
 * case. Ignores surrounding white space. Returns undefined for any other value.
 */
export function switchIn(value: unknown): boolean | undefined {
	if (typeof value === 'bigint') return switchIn(String(value));
	const text = textOf(value);
	if (text === '1' || text === '0') return text === '1';
	const form = switchForm(text);
	return form === undefined ? undefined : form === 'true';
}

/** Returns the words of all accounts with the same meaning as a word of a checkbox; an empty list for any other text. */
export function switchSpellings(text: string): string[] {
	const meaning = switchForm(text);
	const words = wordPairs.map(({ on, off }) => (meaning === 'true' ? on : off));
	return words.filter((word) => meaning !== undefined && switchForm(word) === meaning);
}

/** Returns the words of all accounts for true or false. */
export function wordsFor(value: boolean): string[] {
	return [...new Set(wordPairs.map(({ on, off }) => (value ? on : off)))];
}

/** Returns the words of a checkbox whose stored texts are known, most frequent first; `Yes` and `No` if none of them is a word. */
export function wordsAmong(texts: readonly string[]): CheckboxWords {
	for (const text of texts) {
		const pair = pairOf(text);
		if (pair) return pair;
	}
	return checkboxWords;
}

/** Returns the distinct texts that are words of a checkbox, most frequent first. */
export function checkboxTexts(texts: readonly string[]): string[] {
	const counts = new Map<string, number>();
	for (const text of texts) {
		if (pairOf(text)) counts.set(text, (counts.get(text) ?? 0) + 1);
	}
	return [...counts].sort(([, left], [, right]) => right - left).map(([text]) => text);
}

/** Returns how many texts are words of the pair that most of them belong to, such as `Yes` and `No`. */
export function countOfMainPair(texts: readonly string[]): number {
	const counts = wordPairs.map(({ on, off }) => {
		return texts.filter((text) => text === on || text === off).length;
	});
	return Math.max(...counts);
}

function pairOf(text: string): CheckboxWords | undefined {
	return wordPairs.find(({ on, off }) => text === on || text === off);
}

import { InputError } from '../../api/values/inputError';
import { isBlank, shortened, textOf } from '../../api/values/text';

/** Returns a text. Throws InputError for an empty one. */
export function requireText(text: string, displayName: string): string {
	if (text.trim() !== '') return text;
	throw new InputError(`'${displayName}' is empty`, 'Choose or enter it, or check its expression.');
}

/** Returns what was chosen of a list. Throws InputError for anything else: to guess might do the opposite of what was meant. */
export function choiceOf<Choice extends string>(
	value: unknown,
	displayName: string,
	choices: readonly Choice[],
): Choice {
	const text = textOf(value);
	const chosen = choices.find((choice) => choice === text);
	if (chosen !== undefined) return chosen;
	const advice = `Choose from the list, or let the expression return one of ${choices.join(', ')}.`;
	throw misfit(value, displayName, 'not one of its options', advice);
}

/** Returns whether something is turned on: true or false, their texts in any case, 1 or 0. Throws InputError for anything else. */
export function flagOf(value: unknown, displayName: string): boolean {
	const text = textOf(value).toLowerCase();
	if (text === 'true' || text === '1') return true;
	if (text === 'false' || text === '0') return false;
	const advice = 'Turn it on or off, or let the expression return true or false.';
	throw misfit(value, displayName, 'neither true nor false', advice);
}

function misfit(value: unknown, displayName: string, rule: string, advice: string): InputError {
	const text =
		typeof value === 'object' ? 'a list or an object' : `'${shortened(String(value), 60)}'`;
	const fault = isBlank(value) ? 'has no value' : `is ${text}, which is ${rule}`;
	return new InputError(`'${displayName}' ${fault}`, advice);
}

/** What makes a number one that counts things, as `numberParameter` takes it. */
export const positiveInteger = [
	(number: number) => Number.isSafeInteger(number) && number >= 1,
	'a whole number of at least 1',
] as const;

import { InputError } from '../../api/values/inputError';
import { unusableText } from '../../api/values/singleValue';
import { isBlank, shortened, textOf } from '../../api/values/text';

/** Advice for an empty value that an expression may have returned. */
export const expressionAdvice = 'If it is an expression, check what it returns for this item.';

/** Returns the text. Throws InputError if it is empty. */
export function requireText(text: string, displayName: string): string {
	if (text.trim() !== '') return text;
	throw new InputError(`'${displayName}' is empty`, `Choose or enter it. ${expressionAdvice}`);
}

/** Returns the selected option. Throws InputError for any other value instead of guessing. */
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

/** Returns the value of a switch. Accepts true, false, 1 and 0, also as texts in any letter case. Throws InputError otherwise. */
export function flagOf(value: unknown, displayName: string): boolean {
	const text = textOf(value).toLowerCase();
	if (text === 'true' || text === '1') return true;
	if (text === 'false' || text === '0') return false;
	const advice = 'Turn it on or off, or let the expression return true or false.';
	throw misfit(value, displayName, 'neither true nor false', advice);
}

/** Returns the error for a value that is not valid. `problem` completes "which is …", for example "neither true nor false". */
export function misfit(
	value: unknown,
	displayName: string,
	problem: string,
	advice: string,
): InputError {
	const what = unusableText(value);
	const found =
		what === undefined
			? `is '${shortened(String(value), 60)}', which is ${problem}`
			: `is ${problem}: the expression returned ${what}`;
	return new InputError(`'${displayName}' ${isBlank(value) ? 'has no value' : found}`, advice);
}

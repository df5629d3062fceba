import { InputError } from '../api/values/inputError';
import { isBlank, shortened, textOf } from '../api/values/text';

/**
 * What was chosen of a list. An expression may yield anything, and to take that for one of the choices might do
 * the opposite of what was meant. Returns the choice. Throws InputError that names the choices.
 */
export function choiceOf<Choice extends string>(
	value: unknown,
	displayName: string,
	choices: readonly Choice[],
): Choice {
	const text = textOf(value);
	const chosen = choices.find((choice) => choice === text);
	if (chosen !== undefined) return chosen;
	throw new InputError(
		isBlank(value)
			? `'${displayName}' has no value`
			: `'${displayName}' is ${shown(value)}, which is none of its choices`,
		`Choose from the list, or check that its expression yields one of ${choices.join(', ')}.`,
	);
}

/**
 * Whether something is turned on: true or false, their texts in any case, 1 or 0. Returns true or false. Throws
 * InputError for anything else, and for nothing: it is not known what was meant.
 */
export function flagOf(value: unknown, displayName: string): boolean {
	const text = textOf(value).toLowerCase();
	if (text === 'true' || text === '1') return true;
	if (text === 'false' || text === '0') return false;
	throw new InputError(
		isBlank(value)
			? `'${displayName}' has no value`
			: `'${displayName}' is neither true nor false but ${shown(value)}`,
		'Turn it on or off, or check that its expression yields true or false.',
	);
}

function shown(value: unknown): string {
	return typeof value === 'object' ? 'a list or an object' : `'${shortened(String(value), 60)}'`;
}

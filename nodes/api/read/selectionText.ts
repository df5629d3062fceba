import { orderedJsonIn } from '../json/orderedJson';
import { plain } from './record';

/**
 * Returns the choices in a JSON array or a comma-separated text; undefined if the text is a single choice. A text is not split
 * within one of the known `choices`. Unknown choices with commas must be given in an array.
 */
export function chosenIn(text: string, choices: readonly string[] = []): unknown[] | undefined {
	if (choices.includes(text)) return undefined;
	// A choice may begin with a bracket, too.
	const listed = /^\s*\[/.test(text) ? arrayIn(text) : undefined;
	if (listed || !text.includes(',')) return listed;
	const parts = text.split(',');
	const chosen: string[] = [];
	for (let from = 0; from < parts.length;) {
		let to = parts.length;
		const joined = () => parts.slice(from, to).join(',').trim();
		while (to > from + 1 && !choices.includes(joined())) to--;
		const choice = joined();
		if (choice !== '') chosen.push(choice);
		from = to;
	}
	return chosen;
}

/** Returns the array of a JSON text; undefined for any other text. */
export function arrayIn(text: string): unknown[] | undefined {
	const value = orderedJsonIn(text);
	return Array.isArray(value) ? value.map((element) => plain(element)) : undefined;
}

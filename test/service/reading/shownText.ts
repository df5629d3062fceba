import type { Field } from '../data/field';
import type { Sheet } from '../data/sheet';
import type { Switches } from '../switches';

/** The field with this id holds a user's status (specification, "User-sheet fields"). */
const statusField = '31';

const deployedWords = new Map([
	['Active', 'NORMAL'],
	['Suspended', 'SUSPENDED'],
]);

/** How a stored text is shown and filtered: as it is, but for the status words of users sheets. */
export function shownText(
	{ definition }: Sheet,
	{ id }: Field,
	text: string,
	{ usersSheet }: Switches,
): string {
	if (usersSheet === 'neutral' || definition.users === undefined || id !== statusField) return text;
	return deployedWords.get(text) ?? text;
}

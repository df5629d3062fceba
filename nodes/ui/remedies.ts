import type { Remedy } from '../api/values/remedy';

/** What to do, in the words of the editor. */
const texts: Record<Remedy, string> = {
	getRows:
		"The row may have been deleted. The operation 'Get Many' of the resource 'Subtable Row' returns the IDs of the rows.",
	numberNewRows: "Give the rows no IDs, as new ones, and count them in 'Files': -1, -2, …",
	unlockRecord:
		"Unlock it first with the operation 'Unlock' of the resource 'Lock', or turn off 'Check Lock'.",
	waitLonger:
		"To go on waiting, use the resource 'Task' with the operation 'Wait' and this task ID, or raise 'Timeout'.",
};

/** Returns the sentences that tell the user what to do about an error. */
export function remedyText(remedy: Remedy): string {
	return texts[remedy];
}

import { InputError } from '../api/values/inputError';
import { checkDeletions } from './deletionCheck';
import type { PollCall } from './pollCall';
import type { PollState } from './pollState';
import type { PollTime } from './pollTime';
import { warn, warningTexts } from './pollWarnings';

/** Counts a poll, and returns whether it checks for deleted records. */
export function isCheckDue(
	{ events, settings }: PollCall,
	{ deletions }: PollState,
	polls: { sinceCheck?: number },
): boolean {
	if (!events.includes('DELETE')) return false;
	const minutes = Math.abs(Date.now() - deletions.checkedAt) / 60_000;
	// The first poll of a process counts minutes: it does not know how often other processes have polled.
	polls.sinceCheck = polls.sinceCheck === undefined ? minutes : polls.sinceCheck + 1;
	const isOpen = !deletions.isListed || deletions.missing.size > 0;
	return isOpen || polls.sinceCheck >= settings.deletionCheckEvery;
}

/** Returns the IDs of records to emit as deleted, at most `maxDeletions`. */
export async function newDeletions(
	call: PollCall,
	state: PollState,
	time: PollTime,
	maxDeletions: number,
): Promise<string[]> {
	const { cursor, deletions, warnings } = state;
	const check = checkDeletions(deletions, call.reader, maxDeletions, Date.now());
	const checked = await check.catch((thrown: unknown) => {
		const failure = time.failureOf(thrown);
		// The other events go on.
		if (!(failure instanceof InputError) || !cursor) throw failure;
		const text = `Deleted records are not noticed. ${failure.message}. ${failure.description}`;
		warn(call, state, 'deletions', text);
		return undefined;
	});
	delete warnings.heldBack;
	if (checked?.isOtherSheet) warn(call, state, 'otherIds', warningTexts.otherIds);
	if (!checked || checked.isOtherSheet) return [];
	const { deletedIds, heldBack } = checked;
	if (heldBack > 0) {
		const text = `The service's list left out ${heldBack} records without a proof that they are deleted. They are emitted as deleted when a later poll finds the same`;
		warn(call, state, 'heldBack', text);
	}
	return deletedIds;
}

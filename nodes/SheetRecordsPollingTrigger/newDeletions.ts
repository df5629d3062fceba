import { InputError } from '../api/values/inputError';
import { checkDeletions } from './deletionCheck';
import type { PollCall } from './pollCall';
import type { PollState } from './pollState';
import type { PollDeadline } from './pollDeadline';
import { warn, warningTexts } from './pollWarnings';

/** Counts polls between two checks for deleted records, for a node in this process. */
export interface DeletionCheckCount {
	/** Number of polls since the last check for deleted records; undefined before the first poll of this process. */
	pollsSinceCheck?: number;
}

/** Counts a poll, and returns whether a check is due: after the set number of polls, or if the last check was not conclusive. */
function isCheckDue(
	{ events, settings }: PollCall,
	{ deletions }: PollState,
	polls: DeletionCheckCount,
): boolean {
	if (!events.includes('DELETE')) return false;
	const minutes = Math.abs(Date.now() - deletions.checkedAt) / 60_000;
	// The polls of earlier processes are unknown, so the first poll of a process starts with the minutes since the last check.
	polls.pollsSinceCheck = polls.pollsSinceCheck === undefined ? minutes : polls.pollsSinceCheck + 1;
	const isUndecided = !deletions.isListed || deletions.missing.size > 0;
	return isUndecided || polls.pollsSinceCheck >= settings.deletionCheckEvery;
}

/**
 * Checks for deleted records, if a check is due and `maxDeletions` is not 0. Returns the IDs of records to emit as deleted, at
 * most `maxDeletions`. Throws ServiceError, and InputError for too many records or a reached time limit. If there are other
 * events, only warns instead of throwing InputError.
 */
export async function newDeletions(
	call: PollCall,
	state: PollState,
	polls: DeletionCheckCount,
	deadline: PollDeadline,
	maxDeletions: number,
): Promise<string[]> {
	if (!isCheckDue(call, state, polls) || maxDeletions <= 0) return [];
	const { cursor, deletions, warnings } = state;
	const check = checkDeletions(deletions, call.reader, maxDeletions, Date.now());
	const checked = await check.catch((thrown: unknown) => {
		const failure = deadline.failureOf(thrown);
		// There are too many records, or the time limit was reached. Only warn if there are other events, because they still work.
		if (!(failure instanceof InputError) || !cursor) throw failure;
		const text = `Deleted records are not noticed. ${failure.message}. ${failure.description}`;
		warn(call, state, 'deletions', text);
		return undefined;
	});
	polls.pollsSinceCheck = 0;
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

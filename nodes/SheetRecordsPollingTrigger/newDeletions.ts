import { ServiceError } from '../api/http/serviceError';
import { updateTime } from './updateTimes';
import { InputError } from '../api/values/inputError';
import { asSentence } from '../api/values/text';
import { changeOf, noteEmitted, type Cursor, type RecordChange } from './cursor';
import { checkDeletions, type CheckedDeletions } from './deletionCheck';
import type { PollCall } from './pollCall';
import type { PollState } from './pollState';
import type { PollDeadline } from './pollDeadline';
import { warn, warningTexts } from './pollWarnings';
import type { ReadRecord } from './sheetReader';

/** Counts polls between two checks for deleted records, for a node in this process. */
export interface DeletionCheckCount {
	/** Number of polls since the last check for deleted records; undefined before the first poll of this process. */
	pollsSinceCheck?: number;
	/** Whether the last check failed. The next one then waits as long as after a successful check. */
	hasCheckFailed?: boolean;
}

/** Result of a check for deleted records. */
export interface FoundDeletions {
	/** IDs of records to emit as deleted. */
	deletedIds: string[];
	/** Records that were emitted as deleted and that exist again, if Record Created is selected. */
	restored: RecordChange[];
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
	const isDue = polls.pollsSinceCheck >= settings.deletionCheckEvery;
	return isDue || (isUndecided && !polls.hasCheckFailed);
}

/**
 * Checks for deleted records, if a check is due and `maxDeletions` is not 0. Returns at most `maxDeletions` records. Only warns
 * if the check fails, or takes half of the time of the poll, and there are other events: if the key is refused for every request,
 * the list of changes has thrown. Otherwise throws ServiceError, and InputError for too many records or a reached time limit.
 */
export async function newDeletions(
	call: PollCall,
	state: PollState,
	polls: DeletionCheckCount,
	{ deadline, maxDeletions }: { deadline: PollDeadline; maxDeletions: number },
): Promise<FoundDeletions> {
	const nothing = { deletedIds: [], restored: [] };
	if (!isCheckDue(call, state, polls) || maxDeletions <= 0) return nothing;
	const ofCheck = deadline.half('that a check for deleted records may take');
	const failureOf = (thrown: unknown) => deadline.failureOf(ofCheck.failureOf(thrown));
	const reader = call.reader.endingWith(ofCheck.signal);
	const check = checkDeletions(state.deletions, reader, maxDeletions, Date.now());
	const checked = await check.catch((thrown: unknown) => {
		const failure = failureOf(thrown);
		noteFailedCheck(call, state, polls, failure);
		if (!state.cursor) throw failure;
		return undefined;
	});
	if (!checked) return nothing;
	polls.pollsSinceCheck = 0;
	polls.hasCheckFailed = false;
	warnAbout(call, state, checked);
	if (checked.failure) noteFailedCheck(call, state, polls, failureOf(checked.failure));
	const restored = await fetchRestored(call, state, checked.restoredIds);
	return { deletedIds: checked.deletedIds, restored };
}

/** Lists the records at the start of the node. Only warns if the list fails and there are other events. Throws as `newDeletions`. */
export async function startDeletions(
	call: PollCall,
	state: PollState,
	polls: DeletionCheckCount,
	maxDeletions: number,
): Promise<void> {
	polls.pollsSinceCheck = 0;
	polls.hasCheckFailed = false;
	if (!call.events.includes('DELETE')) return;
	const check = checkDeletions(state.deletions, call.reader, maxDeletions, Date.now());
	await check.catch((thrown: unknown) => {
		const isPassing = thrown instanceof ServiceError && !call.reader.isTimeOver;
		if (!isPassing || !state.cursor) throw thrown;
		noteFailedCheck(call, state, polls, thrown);
	});
}

/** Warns about a failed check. The next check waits as long as after a successful one. */
function noteFailedCheck(
	call: PollCall,
	state: PollState,
	polls: DeletionCheckCount,
	failure: unknown,
): void {
	polls.pollsSinceCheck = 0;
	polls.hasCheckFailed = true;
	state.deletions.checkedAt = Date.now();
	if (failure instanceof InputError) {
		const text = `Deleted records are not noticed. ${asSentence(failure.message)} ${failure.description}`;
		return warn(call, state, 'deletions', text);
	}
	// Any other error may quote values.
	const isOfService = failure instanceof ServiceError;
	const reason = isOfService ? asSentence(failure.message) : 'an unexpected error.';
	const { deletionCheckEvery: count } = call.settings;
	const next = count === 1 ? 'at the next poll' : `after ${count} polls`;
	const text = `Some deleted records may not be noticed yet, because the check for them failed: ${reason} All other changes are complete. The check is repeated ${next}`;
	warn(call, state, 'deletions', text);
}

/**
 * Warns about a list of another sheet, and about missing records that are not certainly deleted. Drops the warnings of earlier
 * checks that this one answers.
 */
function warnAbout(
	call: PollCall,
	state: PollState,
	{ isOtherSheet, heldBack }: CheckedDeletions,
): void {
	delete state.warnings.heldBack;
	if (isOtherSheet) return warn(call, state, 'otherIds', warningTexts.otherIds);
	delete state.warnings.deletions;
	if (heldBack === 0) return;
	const text = `The service's list left out ${heldBack} records without a proof that they are deleted. They are emitted as deleted when a later poll finds the same`;
	warn(call, state, 'heldBack', text);
}

/** Returns the restored records as created. A record that cannot be read now is left for the next check. */
async function fetchRestored(
	{ events, reader }: PollCall,
	{ cursor, deletions }: PollState,
	recordIds: readonly string[],
): Promise<RecordChange[]> {
	if (!cursor || !events.includes('CREATE')) return [];
	const restored: RecordChange[] = [];
	for (const id of recordIds) {
		const record = await reader.fetchChanged(id).catch((error: unknown) => {
			if (!(error instanceof ServiceError)) throw error;
			return undefined;
		});
		// The list of changes finds a record that was restored with a new date.
		if (!record || isChanged(cursor, record)) {
			deletions.known.delete(id);
			deletions.deleted.push(id);
			continue;
		}
		if (updateTime(record.content) !== undefined) noteEmitted(cursor, record);
		restored.push({ record, event: 'CREATE' });
	}
	return restored;
}

/** Returns whether the list of changes has a record, now or when the index finds it. */
function isChanged(cursor: Cursor, record: ReadRecord): boolean {
	return updateTime(record.content) !== undefined && changeOf(cursor, record) !== undefined;
}

import { ServiceError } from '../api/http/serviceError';
import { InputError } from '../api/values/inputError';
import { inEnglish } from '../api/values/text';
import { evenSample } from './evenSample';
import type { SheetReader } from './sheetReader';

/** Maximum number of record IDs stored for a node. */
export const maxKnownRecords = 50_000;
/** Maximum number of deleted records that are remembered, to report them as created when they are restored. */
const maxRememberedDeletions = 1_000;
/** Maximum number of missing records that are read one by one in a check. */
const maxDeletionReads = 10;
/** Maximum number of failed single reads in a check. A failing service must not use up the time of the poll. */
const maxFailedDeletionReads = 2;
/** Maximum number of restored records that are found in a check. */
const maxRestored = 50;
/** Time after which an unlikely answer is accepted if all answers until then agree, in ms: an empty sheet, or a list without existing records. */
const patienceMilliseconds = 15 * 60_000;
/** Time after which an unfiltered list without most of the existing records is accepted, in ms. */
const longPatienceMilliseconds = 24 * 60 * 60_000;

type IdReader = Pick<SheetReader, 'fetchIds' | 'fetchRecord' | 'fetchNewest' | 'hasConditions'>;

/** State of the checks for deleted records: the known records of the sheet. Times are ms of this machine's clock. */
export interface DeletionCheck {
	/** Whether a list was accepted. Until then, `known` only has records that changed. */
	isListed: boolean;
	/** IDs of records that were in a list, or that changed. */
	known: Set<string>;
	/** Known IDs that the last list lacked and whose records may or may not exist. The next poll checks again. */
	missing: Set<string>;
	/** Known IDs that the last list lacked although the records exist. They may no longer match the filters. */
	unlisted: Set<string>;
	/** Time of the first of the consecutive lists that lack existing records; undefined if the last list lacks none. */
	unlistedSince?: number;
	/** Time since which the service has found no record at all; undefined if it finds records. */
	emptySince?: number;
	/** IDs that were emitted as deleted, most recent last. */
	deleted: string[];
	/** Time of the last check. */
	checkedAt: number;
}

/** Result of a check. */
export interface CheckedDeletions {
	/** IDs of records to emit as deleted. */
	deletedIds: string[];
	/** IDs of records that were emitted as deleted and that exist again. */
	restoredIds: string[];
	/** Set if single reads failed. Their records are checked again later. */
	failure?: ServiceError;
	/** Number of missing records that are not certainly deleted. The next poll checks them again. */
	heldBack: number;
	/** Whether the list was of another sheet, so nothing can be concluded from it. */
	isOtherSheet: boolean;
}

/** Returns the state before the first check. */
export function firstDeletionCheck(): DeletionCheck {
	return {
		isListed: false,
		known: new Set(),
		missing: new Set(),
		unlisted: new Set(),
		deleted: [],
		checkedAt: 0,
	};
}

/** Stores that a record exists. Returns whether it was emitted as deleted before, so somebody restored it. */
export function noteExisting(check: DeletionCheck, recordId: string): boolean {
	const { known, missing, deleted } = check;
	if (known.size < maxKnownRecords) known.add(recordId);
	missing.delete(recordId);
	if (!deleted.includes(recordId)) return false;
	check.deleted = deleted.filter((id) => id !== recordId);
	return true;
}

/**
 * Lists all IDs, and returns the deleted records, at most `maxDeletions`. A record counts as deleted if a single read does not
 * find it while other records are found. A record that is not read counts as deleted if the previous list lacked it, too, this
 * list is not proven wrong (`isListWrong`), and more single reads of missing records find no record than fail. An empty sheet
 * must stay empty for a quarter of an hour. Also returns records that exist again. Throws InputError if there are too many
 * records, and ServiceError. The state then stays the same.
 */
export async function checkDeletions(
	check: DeletionCheck,
	reader: IdReader,
	maxDeletions: number,
	now: number,
): Promise<CheckedDeletions> {
	const { known, missing } = check;
	const listed = await fetchAllIds(reader, true);
	const reading = new SingleReads(reader);
	const restoredIds = await findRestored(
		check,
		reading,
		listed,
		Math.min(maxRestored, maxDeletions),
	);
	if (!(await newIdsExist([...without(listed, known, restoredIds)], reading))) {
		check.checkedAt = now;
		return { deletedIds: [], restoredIds: [], heldBack: missing.size, isOtherSheet: true };
	}
	const lacking = [...known].filter((id) => !listed.has(id));
	const existing = await listedElsewhere(reader, lacking, listed);
	const lackingRecords = await checkLacking(check, reading, lacking, existing);
	const { gone } = lackingRecords;
	// If the service finds no record at all, it is probably faulty: wait before reporting deletions.
	const isEmpty = gone.length > 0 && (await reader.fetchNewest(1)).length === 0;
	check.checkedAt = now;
	check.isListed = true;
	check.emptySince = isEmpty ? Math.min(check.emptySince ?? now, now) : undefined;
	check.deleted = check.deleted.filter((id) => !restoredIds.includes(id));
	const limit = maxDeletions - restoredIds.length;
	const isExplained = reader.hasConditions || lacking.length <= known.size / 2;
	const deletions = conclude(check, { ...lackingRecords, listed, isExplained }, limit, now);
	return { ...deletions, restoredIds, failure: reading.failure, isOtherSheet: false };
}

/**
 * Updates the state with the known records that a list lacks. Returns the records to emit as deleted. `isExplained` is described at
 * `idsToForget`.
 */
function conclude(
	check: DeletionCheck,
	found: LackingRecords & { listed: ReadonlySet<string>; isExplained: boolean },
	maxDeletions: number,
	now: number,
): Pick<CheckedDeletions, 'deletedIds' | 'heldBack'> {
	const { known, missing, unlisted, emptySince } = check;
	const { existing, gone, unread, failed, isListWrong, listed, isExplained } = found;
	const isPlausible = !isListWrong && now - (emptySince ?? -Infinity) >= patienceMilliseconds;
	// If single reads fail, they do not confirm that the records that were not read are gone.
	const confirmed = gone.length > failed.length ? [...gone, ...unread] : gone;
	const missingAgain = confirmed.filter((id) => isPlausible && missing.has(id));
	const surelyGone = new Set([...(emptySince === undefined ? gone : []), ...missingAgain]);
	const deletedIds = [...surelyGone].slice(0, maxDeletions);
	const stillUnlisted = [...existing, ...[...unread, ...failed].filter((id) => unlisted.has(id))];
	const unmatched = idsToForget(check, stillUnlisted, isExplained, now);
	check.unlisted = without(stillUnlisted, unmatched);
	check.missing = without([...gone, ...unread, ...failed], deletedIds, stillUnlisted);
	check.known = without([...listed, ...known], deletedIds, unmatched);
	check.deleted = [...check.deleted, ...deletedIds].slice(-maxRememberedDeletions);
	const heldBack = without(check.missing, surelyGone, failed).size;
	return { deletedIds, heldBack };
}

/** Single reads of a check. */
class SingleReads {
	/** The last failure. */
	failure?: ServiceError;
	private failures = 0;

	constructor(private readonly reader: Pick<IdReader, 'fetchRecord'>) {}

	/** Whether the maximum number of reads failed. The other reads are left for the next check. */
	get isOver(): boolean {
		return this.failures >= maxFailedDeletionReads;
	}

	/** Returns whether a record exists; undefined if the read fails. */
	async exists(recordId: string): Promise<boolean | undefined> {
		const reading = this.reader.fetchRecord(recordId).then((record) => record !== undefined);
		return await reading.catch((error: unknown) => {
			if (!(error instanceof ServiceError)) throw error;
			this.failures += 1;
			this.failure = error;
			return undefined;
		});
	}
}

/**
 * Returns the IDs of listed records that were emitted as deleted and that exist again, at most `maxCount`. Removes the others from
 * the list, because it may be outdated: they stay deleted.
 */
async function findRestored(
	{ deleted }: DeletionCheck,
	reading: SingleReads,
	listed: Set<string>,
	maxCount: number,
): Promise<string[]> {
	const restored: string[] = [];
	for (const id of deleted.filter((each) => listed.has(each))) {
		const mayRead = restored.length < maxCount && !reading.isOver;
		if (mayRead && (await reading.exists(id))) restored.push(id);
		else listed.delete(id);
	}
	return restored;
}

/**
 * Returns the IDs of existing records that this list and the list before lack, so they no longer match the filters. Returns no
 * IDs until all lists have lacked some existing records for `patienceMilliseconds`. An unfiltered list without most of the known
 * records is probably truncated, so it takes longer.
 *
 * @param isExplained whether the list is filtered, or has at least half of the known records
 */
function idsToForget(
	check: DeletionCheck,
	unlisted: readonly string[],
	isExplained: boolean,
	now: number,
): string[] {
	const since = Math.min(check.unlistedSince ?? now, now);
	const isOver = now - since >= (isExplained ? patienceMilliseconds : longPatienceMilliseconds);
	const wasLacking = (id: string) => check.missing.has(id) || check.unlisted.has(id);
	const forgotten = isOver ? unlisted.filter(wasLacking) : [];
	if (unlisted.length === forgotten.length) check.unlistedSince = undefined;
	else check.unlistedSince = forgotten.length > 0 ? now : since;
	return forgotten;
}

/** The known records that a list lacks, by whether they exist. */
interface LackingRecords {
	/** Records that the unfiltered list has, or that a single read finds. */
	existing: Set<string>;
	/** Records that a single read does not find. */
	gone: string[];
	/** Records that were not read, because too many are missing. */
	unread: string[];
	/** Records whose single read failed. */
	failed: string[];
	/** Whether a single read found a record that this list lacks, and that was not in `DeletionCheck.unlisted` before. */
	isListWrong: boolean;
}

/**
 * Returns those of the records that the list of all records has. It is only read if a filtered list (`listed`) lacks more than
 * `maxDeletionReads`: a record that no longer matches the filters still exists, so it is not a deletion.
 */
async function listedElsewhere(
	reader: IdReader,
	lacking: readonly string[],
	listed: ReadonlySet<string>,
): Promise<Set<string>> {
	const isSecondListCheaper = reader.hasConditions && lacking.length > maxDeletionReads;
	const all = isSecondListCheaper ? await fetchAllIds(reader, false) : listed;
	return new Set(lacking.filter((id) => all.has(id)));
}

/**
 * Checks whether the known records that a list lacks exist. Reads at most `maxDeletionReads` of them one by one, and none that the
 * list of all records has (`listed`).
 */
async function checkLacking(
	{ missing, unlisted }: DeletionCheck,
	reading: SingleReads,
	lacking: readonly string[],
	listed: ReadonlySet<string>,
): Promise<LackingRecords> {
	const existing = new Set(listed);
	const unlistedByAll = lacking.filter((id) => !listed.has(id));
	const newReads = evenSample([...without(unlistedByAll, unlisted)], maxDeletionReads);
	const oldReads = evenSample(
		unlistedByAll.filter((id) => unlisted.has(id)),
		maxDeletionReads - newReads.length,
	);
	const gone: string[] = [];
	const failed: string[] = [];
	// Records whose read failed in the check before are the last of `missing`. They must not use up the failures again.
	const missingBefore = [...missing];
	const position = (id: string) => missingBefore.indexOf(id);
	const reads = [...newReads, ...oldReads].sort((left, right) => position(left) - position(right));
	for (const id of reads) {
		if (reading.isOver) break;
		const exists = await reading.exists(id);
		if (exists) existing.add(id);
		else (exists === undefined ? failed : gone).push(id);
	}
	const isListWrong = newReads.some((id) => existing.has(id));
	const unread = [...without(unlistedByAll, existing, gone, failed)];
	return { existing, gone, unread, failed, isListWrong };
}

/**
 * Returns whether the new IDs in a list are of the polled sheet: the lowest, the middle and the highest exist. Returns true if
 * there are no new IDs. Throws ServiceError if none of them can be read.
 */
async function newIdsExist(newIds: string[], reading: SingleReads): Promise<boolean> {
	newIds.sort((left, right) => Number(left) - Number(right));
	const middle = Math.floor((newIds.length - 1) / 2);
	const sample = new Set([newIds.at(0), newIds[middle], newIds.at(-1)]);
	let isAnyRead = newIds.length === 0;
	for (const id of sample) {
		const exists = id === undefined || (await reading.exists(id));
		if (exists === false) return false;
		isAnyRead ||= exists === true;
	}
	if (!isAnyRead && reading.failure) throw reading.failure;
	return true;
}

/** Returns the IDs that are in none of the excluded lists. */
function without(ids: Iterable<string>, ...excluded: ReadonlyArray<Iterable<string>>): Set<string> {
	const remaining = new Set(ids);
	for (const list of excluded) for (const id of list) remaining.delete(id);
	return remaining;
}

/** Returns the IDs of all records, or of the matching records. Throws InputError if more than `maxKnownRecords` match. */
async function fetchAllIds(reader: IdReader, onlyMatching: boolean): Promise<Set<string>> {
	const listed = new Set<string>();
	for await (const ids of reader.fetchIds(onlyMatching)) {
		for (const id of ids) listed.add(id);
		if (!onlyMatching || listed.size <= maxKnownRecords) continue;
		throw new InputError(
			`More than ${inEnglish(maxKnownRecords)} records match, too many to notice deleted ones`,
			"Take Record Deleted out of 'Trigger On', narrow 'Filters', or use Sheet Records Trigger, which the service tells of deletions.",
		);
	}
	return listed;
}

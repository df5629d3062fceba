import { evenSample } from '../api/read/recordLoader';
import { InputError } from '../api/values/inputError';
import type { SheetReader } from './sheetReader';

/** Maximum number of record IDs stored for a node. */
export const maxKnownRecords = 50_000;
/** Maximum number of deleted records that are remembered, to report them as created when they are restored. */
const maxRememberedDeletions = 1_000;
/** Maximum number of missing records that are read one by one in a check. */
const maxSingleReads = 10;
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
 * find it while other records are found. A record that is not read counts as deleted if the previous list lacked it, too, and
 * this list is not proven wrong (`isListWrong`). An empty sheet must stay empty for a quarter of an hour. Throws InputError if
 * there are too many records, and ServiceError.
 */
export async function checkDeletions(
	check: DeletionCheck,
	reader: IdReader,
	maxDeletions: number,
	now: number,
): Promise<CheckedDeletions> {
	const { known, missing, unlisted } = check;
	const listed = await fetchAllIds(reader, true);
	check.checkedAt = now;
	if (!(await newIdsExist(check, reader, listed))) {
		return { deletedIds: [], heldBack: missing.size, isOtherSheet: true };
	}
	check.isListed = true;
	const lacking = [...known].filter((id) => !listed.has(id));
	const { existing, gone, unread, isListWrong } = await checkLacking(
		check,
		reader,
		lacking,
		listed,
	);
	// If the service finds no record at all, it is probably faulty: wait before reporting deletions.
	const isEmpty = gone.length > 0 && (await reader.fetchNewest(1)).length === 0;
	check.emptySince = isEmpty ? Math.min(check.emptySince ?? now, now) : undefined;
	const isPlausible = !isListWrong && now - (check.emptySince ?? -Infinity) >= patienceMilliseconds;
	const missingAgain = [...gone, ...unread].filter((id) => isPlausible && missing.has(id));
	const surelyGone = new Set([...(isEmpty ? [] : gone), ...missingAgain]);
	const deletedIds = [...surelyGone].slice(0, maxDeletions);
	const stillUnlisted = [...existing, ...unread.filter((id) => unlisted.has(id))];
	const unmatched = idsToForget(check, reader, stillUnlisted, lacking.length / known.size, now);
	check.unlisted = without(stillUnlisted, unmatched);
	check.missing = without([...gone, ...unread], deletedIds, stillUnlisted);
	check.known = without([...listed, ...known], deletedIds, unmatched);
	check.deleted = [...check.deleted, ...deletedIds].slice(-maxRememberedDeletions);
	const heldBack = without(check.missing, surelyGone).size;
	return { deletedIds, heldBack, isOtherSheet: false };
}

/**
 * Returns the IDs of existing records that this list and the list before lack, so they no longer match the filters. Returns no
 * IDs until all lists have lacked some existing records for `patienceMilliseconds`. An unfiltered list without most of the known
 * records is probably truncated, so it takes longer.
 *
 * @param share share of the known records that the list lacks
 */
function idsToForget(
	check: DeletionCheck,
	{ hasConditions }: IdReader,
	unlisted: readonly string[],
	share: number,
	now: number,
): string[] {
	const since = Math.min(check.unlistedSince ?? now, now);
	const isExplained = hasConditions || share <= 1 / 2;
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
	/** Whether a single read found a record that this list lacks, and that was not in `DeletionCheck.unlisted` before. */
	isListWrong: boolean;
}

/**
 * Checks whether the known records that a list lacks exist. If a filtered list lacks more than `maxSingleReads`, looks for them
 * in the list of all records first. Reads at most `maxSingleReads` of the remaining records one by one.
 */
async function checkLacking(
	{ unlisted }: DeletionCheck,
	reader: IdReader,
	lacking: readonly string[],
	listed: ReadonlySet<string>,
): Promise<LackingRecords> {
	// A record that no longer matches the filters still exists, so it is not a deletion.
	const isSecondListCheaper = reader.hasConditions && lacking.length > maxSingleReads;
	const all = isSecondListCheaper ? await fetchAllIds(reader, false) : listed;
	const existing = new Set(lacking.filter((id) => all.has(id)));
	const unlistedByAll = lacking.filter((id) => !all.has(id));
	const newReads = evenSample([...without(unlistedByAll, unlisted)], maxSingleReads);
	const oldReads = evenSample(
		unlistedByAll.filter((id) => unlisted.has(id)),
		maxSingleReads - newReads.length,
	);
	const gone: string[] = [];
	for (const id of [...newReads, ...oldReads]) {
		if (await reader.fetchRecord(id)) existing.add(id);
		else gone.push(id);
	}
	const isListWrong = newReads.some((id) => existing.has(id));
	const unread = [...without(unlistedByAll, existing, gone)];
	return { existing, gone, unread, isListWrong };
}

/**
 * Returns whether the new IDs in a list are of the polled sheet: the lowest, the middle and the highest exist. Returns true if
 * there are no new IDs.
 */
async function newIdsExist(
	{ known }: DeletionCheck,
	reader: IdReader,
	listed: ReadonlySet<string>,
): Promise<boolean> {
	const newIds = [...without(listed, known)].sort((left, right) => Number(left) - Number(right));
	const middle = Math.floor((newIds.length - 1) / 2);
	const sample = new Set([newIds.at(0), newIds[middle], newIds.at(-1)]);
	for (const id of sample) {
		if (id !== undefined && !(await reader.fetchRecord(id))) return false;
	}
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
			`More than ${maxKnownRecords.toLocaleString('en')} records match, too many to notice deleted ones`,
			"Take Record Deleted out of 'Trigger On', narrow 'Filters', or use Sheet Records Trigger, which the service tells of deletions.",
		);
	}
	return listed;
}

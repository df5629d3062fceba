import { spread } from '../api/read/recordLoader';
import { InputError } from '../api/values/inputError';
import type { SheetReader } from './sheetReader';

/** Maximum number of record IDs stored for a node. */
export const maxKnown = 50_000;
/** Maximum number of deleted records that are recognized when they are restored. */
const maxDeleted = 1_000;
/** Maximum number of missing records that are read one by one in a check. */
const maxSingleReads = 10;
/** Time after which an unlikely answer is believed if all answers agree, in ms: no record at all, or existing records that a list lacks. */
const patience = 15 * 60_000;
/** The same for a list without filters that lacks most of the existing records, in ms. */
const longPatience = 24 * 60 * 60_000;

type IdReader = Pick<SheetReader, 'fetchIds' | 'fetchRecord' | 'fetchNewest' | 'isFiltered'>;

/** The records on the sheet, as the checks for deleted records know them. Times are ms of this machine's clock. */
export interface DeletionCheck {
	/** Whether a list was believed. Until then, `known` has only records that changed. */
	isListed: boolean;
	/** IDs that a list had, or that changed. */
	known: Set<string>;
	/** IDs among `known` that the last list lacked. Whether the records exist is open: the next poll checks again. */
	missing: Set<string>;
	/** IDs among `known` that the last list lacked although the records exist. They may match the filters no more. */
	unlisted: Set<string>;
	/** Since when each list has lacked existing records; undefined if the last one lacked none. */
	unlistedSince?: number;
	/** Since when the service has found no record at all; undefined if it finds some. */
	emptySince?: number;
	/** IDs that were emitted as deleted, the latest last. */
	deleted: string[];
	/** When the last check was. */
	checkedAt: number;
}

/** What a check found. */
export interface CheckedDeletions {
	/** IDs of records to emit as deleted. */
	deletedIds: string[];
	/** Number of missing records that the next poll checks again. */
	heldBack: number;
	/** Whether the list was of another sheet: it says nothing. */
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

/** Notes a record that exists. Returns whether it was emitted as deleted: then somebody restored it. */
export function noteExisting(check: DeletionCheck, recordId: string): boolean {
	const { known, missing, deleted } = check;
	if (known.size < maxKnown) known.add(recordId);
	missing.delete(recordId);
	if (!deleted.includes(recordId)) return false;
	check.deleted = deleted.filter((id) => id !== recordId);
	return true;
}

/**
 * Lists all IDs, and returns the records that are gone, at most `maxDeletions`. A record is gone if a single read does not
 * find it while other records are found. It is also gone if the list before lacked it, too, and none of the missing records
 * that were read singly exists. If the service finds no record at all, it must do so for a quarter of an hour. Throws
 * InputError if there are too many records, and ServiceError.
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
	const { existing, gone, unread, isListWrong } = await lookFor(check, reader, lacking, listed);
	// Only a service that finds other records is believed.
	const isEmpty = gone.length > 0 && (await reader.fetchNewest(1)).length === 0;
	check.emptySince = isEmpty ? Math.min(check.emptySince ?? now, now) : undefined;
	const isBelieved = !isListWrong && now - (check.emptySince ?? -Infinity) >= patience;
	const missingAgain = [...gone, ...unread].filter((id) => isBelieved && missing.has(id));
	const surelyGone = new Set([...(isEmpty ? [] : gone), ...missingAgain]);
	const deletedIds = [...surelyGone].slice(0, maxDeletions);
	const stillUnlisted = [...existing, ...unread.filter((id) => unlisted.has(id))];
	const unmatched = idsToForget(check, reader, stillUnlisted, lacking.length / known.size, now);
	check.unlisted = without(stillUnlisted, unmatched);
	check.missing = without([...gone, ...unread], deletedIds, stillUnlisted);
	check.known = without([...listed, ...known], deletedIds, unmatched);
	check.deleted = [...check.deleted, ...deletedIds].slice(-maxDeleted);
	const heldBack = without(check.missing, surelyGone).size;
	return { deletedIds, heldBack, isOtherSheet: false };
}

/**
 * Returns the IDs of existing records that lists have lacked for so long that they surely match the filters no more. A list
 * that lacks most of the known records, without a filter that explains it, is rather wrong, as one that is cut.
 *
 * @param share how much of the known records the list lacks
 */
function idsToForget(
	check: DeletionCheck,
	{ isFiltered }: IdReader,
	unlisted: readonly string[],
	share: number,
	now: number,
): string[] {
	const since = Math.min(check.unlistedSince ?? now, now);
	const isExplained = isFiltered || share <= 1 / 2;
	const isOver = now - since >= (isExplained ? patience : longPatience);
	const wasLacking = (id: string) => check.missing.has(id) || check.unlisted.has(id);
	const forgotten = isOver ? unlisted.filter(wasLacking) : [];
	const isOpen = unlisted.length > forgotten.length;
	check.unlistedSince = isOpen ? (forgotten.length > 0 ? now : since) : undefined;
	return forgotten;
}

/** What became of the known records that a list lacks. */
interface LackingRecords {
	/** Records that another list has, or that a single read finds. */
	existing: Set<string>;
	/** Records that a single read does not find. */
	gone: string[];
	/** Records that were not read: too many are lacking. */
	unread: string[];
	/** Whether a record exists that this list lacks and the list before had. */
	isListWrong: boolean;
}

/** Looks for the known records that a list lacks. Without filters, the list `listed` has all records. */
async function lookFor(
	{ unlisted }: DeletionCheck,
	reader: IdReader,
	lacking: readonly string[],
	listed: ReadonlySet<string>,
): Promise<LackingRecords> {
	// A record that no longer matches the filters still exists, so it is not a deletion.
	const isLong = reader.isFiltered && lacking.length > maxSingleReads;
	const all = isLong ? await fetchAllIds(reader, false) : listed;
	const existing = new Set(lacking.filter((id) => all.has(id)));
	const open = lacking.filter((id) => !all.has(id));
	const newReads = spread([...without(open, unlisted)], maxSingleReads);
	const oldReads = spread(
		open.filter((id) => unlisted.has(id)),
		maxSingleReads - newReads.length,
	);
	const gone: string[] = [];
	for (const id of [...newReads, ...oldReads]) {
		if (await reader.fetchRecord(id)) existing.add(id);
		else gone.push(id);
	}
	const isListWrong = newReads.some((id) => existing.has(id));
	return { existing, gone, unread: [...without(open, existing, gone)], isListWrong };
}

/** Whether a list of IDs is surely of the polled sheet: of the IDs that are new, the least, the middle and the greatest exist. */
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

/** Returns the IDs of a list that are in none of the others. */
function without(ids: Iterable<string>, ...others: ReadonlyArray<Iterable<string>>): Set<string> {
	const kept = new Set(ids);
	for (const other of others) for (const id of other) kept.delete(id);
	return kept;
}

async function fetchAllIds(reader: IdReader, isFiltered: boolean): Promise<Set<string>> {
	const listed = new Set<string>();
	for await (const ids of reader.fetchIds(isFiltered)) {
		for (const id of ids) listed.add(id);
		if (!isFiltered || listed.size <= maxKnown) continue;
		throw new InputError(
			`More than ${maxKnown.toLocaleString('en')} records match, too many to notice deleted ones`,
			"Take Record Deleted out of 'Trigger On', narrow 'Filters', or use Sheet Records Trigger, which the service tells of deletions.",
		);
	}
	return listed;
}

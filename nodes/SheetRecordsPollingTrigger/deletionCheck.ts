import { spread } from '../api/read/recordLoader';
import { InputError } from '../api/values/inputError';
import type { SheetReader } from './sheetReader';

/** More ids would fill what n8n stores for a node. */
const mostKnown = 50_000;
/** So many deleted records are known again when they are restored. */
const mostDeleted = 1_000;
/** So many missing records are read one by one. */
const mostReads = 10;
/** That a sheet has no record at all is believed when it is found again after so long. */
const emptyMilliseconds = 15 * 60_000;

type RecordList = Pick<SheetReader, 'ids' | 'has' | 'newest' | 'isFiltered'>;

/** What is known of the records on the sheet. */
export interface DeletionCheck {
	/** Those that the last check found, or that changed since; undefined before the first one. */
	known?: Set<string>;
	/** Those of them that it missed, without a proof that they are gone. */
	held: Set<string>;
	/** The last ones that were emitted as deleted. */
	deleted?: string[];
	/** When it was, and since when no record at all was found: milliseconds of this machine's clock. */
	checkedAt: number;
	emptySince?: number;
}

/** Notes a record that was there after the last check. Returns whether it was emitted as deleted: then it is restored. */
export function noteThere(check: DeletionCheck, recordId: string): boolean {
	const { known, deleted = [] } = check;
	if (known && known.size < mostKnown) known.add(recordId);
	if (!deleted.includes(recordId)) return false;
	check.deleted = deleted.filter((id) => id !== recordId);
	return true;
}

/**
 * Returns the records that are gone since the last check, at most so many: those that were asked for while others were
 * found, and those that the check before missed, too; and how many it holds back. Throws InputError for too many records.
 */
export async function checkDeletions(
	check: DeletionCheck,
	reader: RecordList,
	most: number,
	now: number,
): Promise<{ emitted: string[]; heldBack: number }> {
	const { known = new Set(), held, deleted = [] } = check;
	const listed = await idsOf(reader, true);
	const unlisted = [...known].filter((id) => !listed.has(id));
	// What does not match the filters any more is on the sheet.
	const isLong = reader.isFiltered && unlisted.length > mostReads;
	const all = isLong ? await idsOf(reader, false) : listed;
	const there = new Set(unlisted.filter((id) => all.has(id)));
	const missing = unlisted.filter((id) => !all.has(id));
	const gone: string[] = [];
	for (const id of spread(missing, mostReads)) {
		if (await reader.has(id)) there.add(id);
		else gone.push(id);
	}
	// Only a service that finds something else can be believed.
	const isEmpty = gone.length > 0 && (await reader.newest(1)).length === 0;
	check.emptySince = isEmpty ? Math.min(check.emptySince ?? now, now) : undefined;
	const { emptySince = -Infinity } = check;
	const isWrong = missing.some((id) => there.has(id));
	const isBelieved = !isWrong && now - emptySince >= emptyMilliseconds;
	const again = isBelieved ? missing.filter((id) => held.has(id)) : [];
	const surelyGone = new Set([...(isEmpty ? [] : gone), ...again]);
	const emitted = [...surelyGone].slice(0, most);
	// What two lists miss and is there does not match any more.
	const left = new Set([...emitted, ...[...there].filter((id) => held.has(id))]);
	// A list that has what is not there may be of another sheet.
	const fresh = [...listed].find((id) => known.size > 0 && !known.has(id));
	const isOther = fresh !== undefined && !(await reader.has(fresh));
	const present = [...(isOther ? [] : listed), ...known];
	check.known = new Set(present.filter((id) => !left.has(id)));
	check.held = new Set(unlisted.filter((id) => !left.has(id)));
	check.deleted = [...deleted, ...emitted].slice(-mostDeleted);
	check.checkedAt = now;
	return { emitted, heldBack: unlisted.length - there.size - surelyGone.size };
}

async function idsOf(reader: RecordList, isFiltered: boolean): Promise<Set<string>> {
	const listed = new Set<string>();
	for await (const ids of reader.ids(isFiltered)) {
		for (const id of ids) listed.add(id);
		if (!isFiltered || listed.size <= mostKnown) continue;
		throw new InputError(
			`More than ${mostKnown.toLocaleString('en')} records match, too many to notice deleted ones`,
			"Take Record Deleted out of 'Trigger On', narrow 'Filters', or use Sheet Records Trigger, which the service tells of deletions.",
		);
	}
	return listed;
}

import { spread } from '../api/read/recordsByIds';
import { InputError } from '../api/values/inputError';
import type { SheetReader } from './sheetReader';

/** More ids would fill what n8n stores for a node. */
const mostKnown = 50_000;
/** So many deleted records are known again when they are restored. */
const mostDeleted = 1_000;
/** So many missing records are read one by one. */
const mostReads = 10;
/** No two polls are closer to each other. */
const shortestInterval = 60_000;
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
 * Returns whether a check is due: one comes every so many polls, and the next poll looks again for what the last check
 * missed. A process that has not polled before counts the minutes: how often others have polled is not known.
 */
export function isCheckDue(
	{ known, held, checkedAt }: DeletionCheck,
	every: number,
	polls: number | undefined,
	now: number,
): boolean {
	if (!known || held.size > 0) return true;
	if (polls !== undefined) return polls >= every;
	return now < checkedAt || now - checkedAt >= every * shortestInterval;
}

/**
 * Returns the records that are gone since the last check, at most so many: those that were asked for while others were
 * found, and those that the check before missed, too; and how many it holds back until then. Throws InputError when there
 * are more than `mostKnown`, and what the service throws.
 */
export async function checkDeletions(
	check: DeletionCheck,
	reader: RecordList,
	most: number,
	now: number,
): Promise<{ emitted: string[]; heldBack: number }> {
	const listed = await idsOf(reader, true);
	const missing = [...(check.known ?? [])].filter((id) => !listed.has(id));
	const { there, gone, unsure, isEmpty, isWrong } = await lookFor(reader, missing, listed);
	check.emptySince = isEmpty ? Math.min(check.emptySince ?? now, now) : undefined;
	const { held, emptySince = -Infinity } = check;
	const isBelieved = now - emptySince >= emptyMilliseconds;
	const again = isBelieved ? unsure.filter((id) => held.has(id)) : [];
	const surelyGone = [...gone, ...again];
	const emitted = surelyGone.slice(0, Math.max(0, most));
	// A record that two lists of this sheet miss and that is there does not match the filters, or the sheet's own, any more.
	const isOfSheet = reader.isFiltered || [...(check.known ?? [])].some((id) => listed.has(id));
	const passed = [...there].filter((id) => isOfSheet && held.has(id));
	const left = new Set([...emitted, ...passed]);
	const kept = missing.filter((id) => !left.has(id));
	// A list that leaves out what is there, or has what is not, may be of another sheet: its new ids are not believed.
	const fresh = check.known && [...listed].find((id) => !check.known?.has(id));
	const isOther = fresh !== undefined && !(await reader.has(fresh));
	const believed = isOther || (isWrong && !reader.isFiltered) ? [] : listed;
	const known = [...believed, ...(check.known ?? [])];
	check.known = new Set(known.filter((id) => !left.has(id)));
	check.held = new Set(kept.filter((id) => isOfSheet || !there.has(id)));
	check.deleted = [...(check.deleted ?? []), ...emitted].slice(-mostDeleted);
	check.checkedAt = now;
	return { emitted, heldBack: missing.length - there.size - surelyGone.length };
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

/** What became of records that a list leaves out. */
interface Found {
	there: Set<string>;
	gone: string[];
	unsure: string[];
	/** Whether no record at all is found. */
	isEmpty: boolean;
	/** Whether the list leaves out what is there. */
	isWrong: boolean;
}

/**
 * Looks for records that a list leaves out. It may leave out what is there: what does not match the filters any more,
 * what their index does not show yet, and everything when the service errs.
 */
async function lookFor(
	reader: RecordList,
	missing: readonly string[],
	listed: ReadonlySet<string>,
): Promise<Found> {
	const isLong = reader.isFiltered && missing.length > mostReads;
	const all = isLong ? await idsOf(reader, false) : listed;
	const there = new Set(missing.filter((id) => all.has(id)));
	const absent = missing.filter((id) => !all.has(id));
	const gone: string[] = [];
	for (const id of spread(absent, mostReads)) {
		if (await reader.has(id)) there.add(id);
		else gone.push(id);
	}
	// Only a service that finds something else can be believed.
	const [other] = gone.length > 0 ? await reader.newest(1) : [];
	const isEmpty = gone.length > 0 && other === undefined;
	if (other && absent.includes(other.id)) there.add(other.id);
	const isWrong = absent.some((id) => there.has(id));
	const proved = new Set(isEmpty ? [] : gone.filter((id) => !there.has(id)));
	const unsure = isWrong ? [] : absent.filter((id) => !proved.has(id));
	return { there, gone: [...proved], unsure, isEmpty, isWrong };
}

/** A check as it is stored. */
export type StoredDeletions = Omit<DeletionCheck, 'known' | 'held'> & {
	known?: string;
	held: string;
};

/** Returns the check as it is stored. */
export function storedDeletions({ known, held, ...times }: DeletionCheck): StoredDeletions {
	return { ...times, held: textOfIds(held), ...(known && { known: textOfIds(known) }) };
}

/** Returns what `storedDeletions` was made of. */
export function loadedDeletions({ known, held, ...times }: StoredDeletions): DeletionCheck {
	const found = known === undefined ? {} : { known: idsInText(known) };
	return { ...times, held: idsInText(held), ...found };
}

/** Of each id what it is greater by than the one before, in base 36. */
function textOfIds(ids: ReadonlySet<string>): string {
	const sorted = [...ids].map(Number).sort((left, right) => left - right);
	return sorted.map((id, index) => (id - (sorted[index - 1] ?? 0)).toString(36)).join(' ');
}

function idsInText(text: string): Set<string> {
	let id = 0;
	const steps = text.split(' ').filter(Boolean);
	return new Set(steps.map((step) => String((id += parseInt(step, 36)))));
}

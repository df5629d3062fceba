import { isObject } from '../api/json/objects';
import { InputError } from '../api/values/inputError';
import type { SheetReader } from './sheetReader';

/** More ids would fill what n8n stores for a node. */
const mostKnown = 50_000;
/** So many are read one by one before the list is believed. */
const mostReads = 10;

/** What is known of the records on the sheet. */
export interface DeletionCheck {
	/** Those that the last check found, or that changed since; undefined before the first one. */
	known?: Set<string>;
	pollsLeft: number;
}

/** Notes a record that was there after the last check. */
export function noteThere({ known }: DeletionCheck, recordId: string): void {
	if (known && known.size < mostKnown) known.add(recordId);
}

/**
 * Returns the records that are gone since the last check, which comes every so many polls: at most so many, the others
 * in the next poll. Throws InputError when there are more than `mostKnown`, or more than can be listed in the time of the
 * poll, and what the service throws.
 */
export async function checkDeletions(
	check: DeletionCheck,
	reader: SheetReader,
	every: number,
	most: number,
): Promise<string[]> {
	check.pollsLeft -= 1;
	if (check.pollsLeft > 0 || most <= 0) return [];
	check.pollsLeft = every;
	const gone = await reader.inTime(readGone(check, reader));
	const late = gone.slice(most);
	for (const id of late) check.known?.add(id);
	if (late.length > 0) check.pollsLeft = 0;
	return gone.slice(0, most);
}

async function readGone(check: DeletionCheck, reader: SheetReader): Promise<string[]> {
	const listed = new Set<string>();
	for await (const ids of reader.ids(true)) {
		for (const id of ids) listed.add(id);
		if (listed.size <= mostKnown) continue;
		throw new InputError(
			`More than ${mostKnown.toLocaleString('en')} records match, too many to notice deleted ones`,
			"Take Record Deleted out of 'Trigger On', narrow 'Filters', or use Sheet Records Trigger, which the service tells of deletions.",
		);
	}
	const missing = [...(check.known ?? [])].filter((id) => !listed.has(id));
	const { gone, unsure } = await surelyGone(reader, missing);
	check.known = new Set([...listed, ...unsure]);
	return gone;
}

/**
 * Returns those of the records that are on the sheet no more. A list may leave out what is there: what does not match the
 * filters any more, what their index does not show yet, and everything when the service errs.
 */
async function surelyGone(
	reader: SheetReader,
	missing: readonly string[],
): Promise<{ gone: string[]; unsure: string[] }> {
	const absent = new Set(missing);
	if (reader.isFiltered && missing.length > mostReads) {
		for await (const ids of reader.ids(false)) {
			for (const id of ids) absent.delete(id);
			if (absent.size === 0) break;
		}
	}
	const read = [...absent].slice(0, mostReads);
	const others = [...absent].slice(mostReads);
	const gone: string[] = [];
	for (const id of read) if (!(await reader.has(id))) gone.push(id);
	const isSure = gone.length === read.length;
	return isSure ? { gone: [...gone, ...others], unsure: [] } : { gone, unsure: others };
}

/** Returns the check as it is stored: of each id what it is greater by than the one before, in base 36. */
export function storedDeletions({ known, pollsLeft }: DeletionCheck) {
	if (!known) return { pollsLeft };
	const ids = [...known].map(Number).sort((left, right) => left - right);
	const steps = ids.map((id, index) => (id - (ids[index - 1] ?? 0)).toString(36));
	return { pollsLeft, known: steps.join(' ') };
}

/** Returns what `storedDeletions` was made of; for anything else a check that is due. */
export function loadedDeletions(stored: unknown): DeletionCheck {
	if (!isObject(stored) || typeof stored.known !== 'string') return { pollsLeft: 0 };
	const known = new Set<string>();
	let id = 0;
	for (const step of stored.known.split(' ').filter(Boolean))
		known.add(String((id += parseInt(step, 36))));
	return { pollsLeft: Number(stored.pollsLeft) || 0, known };
}

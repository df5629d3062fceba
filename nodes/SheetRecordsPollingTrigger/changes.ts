import type { SheetRecord } from '../api/read/record';
import { InputError } from '../api/values/inputError';
import {
	changeOf,
	currentPass,
	cursorAt,
	dropLater,
	endPass,
	noteEmitted,
	noteTimes,
	timeOf,
} from './cursor';
import type { Change, Cursor } from './cursor';
import { PollTimeout, type ChangeRange, type SheetReader } from './sheetReader';

/** Items of one poll: more wait for the next. */
export const mostItems = 1_000;
/** By so many records a pass finds its place again. */
const mostKeys = 20;

type ChangeList = Pick<SheetReader, 'read' | 'shown'>;

/** Returns a cursor behind all that has changed so far, by the record that changed last. Throws as `readChanges`. */
export async function startCursor(
	newest: SheetRecord | undefined,
	list: ChangeList,
	clock: () => number,
): Promise<Cursor> {
	const cursor = cursorAt(newest ? timeOf(newest) : '', clock());
	if (newest) noteEmitted(cursor, newest);
	const { time } = cursor;
	await readChanges(cursor, list, () => false, clock);
	// What changed since the newest record was read is for the next poll.
	dropLater(cursor, time);
	if (!cursor.pass) return cursor;
	throw new InputError(
		'There was no time to read all records that changed last: too many have one Last Update Date',
		'Try again later, after another change of the sheet.',
	);
}

/**
 * Returns at most so many changes that were not emitted yet, the oldest first, within one time by record id; moves the
 * cursor behind them. What `isWanted` refuses counts as emitted. Throws InputError when the service does not tell times,
 * and what reading throws before anything was read.
 *
 * @param clock milliseconds of this machine's clock
 */
export async function readChanges(
	cursor: Cursor,
	list: ChangeList,
	isWanted: (change: Change) => boolean | Promise<boolean>,
	clock: () => number,
	most = mostItems,
): Promise<Change[]> {
	const changes: Change[] = [];
	let parts = 0;
	const endInTime = (thrown: unknown): undefined => {
		if (parts === 0 || !(thrown instanceof PollTimeout)) throw thrown;
	};
	let isResumed = cursor.pass !== undefined;
	// A few more would cost as much as many.
	while (changes.length <= most / 2) {
		const pass = currentPass(cursor, clock());
		const range: ChangeRange = [cursor.time, most - changes.length, pass.position];
		const part = await list.read(...range).catch(endInTime);
		const found = part?.records.flatMap((record) => changeOf(cursor, record) ?? []) ?? [];
		const shown = await list.shown(found, ...range).catch(endInTime);
		if (!part || !shown) break;
		parts += 1;
		noteTimes(cursor, part.records, clock());
		for (const change of shown) {
			noteEmitted(cursor, change.record);
			if (await isWanted(change)) changes.push(change);
		}
		if (part.position) {
			const { count, keys } = part.position;
			pass.position = { count, keys: keys.slice(-mostKeys) };
			continue;
		}
		endPass(cursor, pass, clock());
		// What was found since an earlier poll started the pass may have a place before that one's last.
		if (!isResumed) break;
		isResumed = false;
	}
	return changes.sort(byTimeAndId);
}

function byTimeAndId({ record: one }: Change, { record: other }: Change): number {
	const [left, right] = [timeOf(one), timeOf(other)];
	if (left === right) return Number(one.id) - Number(other.id);
	return left < right ? -1 : 1;
}

import type { SheetRecord } from '../api/read/record';
import { createTime, updateTime } from '../api/read/updateTimes';
import type { WebhookEvent } from '../api/webhooks/delivery';
import {
	changeOf,
	currentPass,
	endPass,
	lookBack,
	noteEmitted,
	noteTimes,
	timeOf,
	type Change,
	type Cursor,
} from './cursor';
import type { SheetReader } from './sheetReader';

/** Items of one poll: more wait for the next. */
export const mostItems = 1_000;
/** By so many records a pass finds its place again. */
const mostKeys = 20;
/** So often the records that were changed last are compared with what was emitted. */
const lookBackMilliseconds = 15 * 60_000;

type ChangeList = Pick<SheetReader, 'read' | 'newest' | 'isTimeOver'>;

/** Returns the records that were changed last, the newest first: so many, or more when all of those have one time. */
export async function newestRecords(
	list: Pick<ChangeList, 'newest'>,
	count: number,
): Promise<SheetRecord[]> {
	const newest = await list.newest(count);
	const [first, last] = [newest[0], newest[count - 1]];
	if (!first || !last || timeOf(first) !== timeOf(last)) return newest;
	return await newestRecords(list, 4 * count);
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
	isWanted: (change: Change) => boolean,
	clock: () => number,
	most = mostItems,
): Promise<Change[]> {
	const changes: Change[] = [];
	let parts = 0;
	const age = clock() - cursor.comparedAt;
	if (!cursor.pass && (age < 0 || age >= lookBackMilliseconds)) {
		lookBack(cursor, await list.newest(cursor.room), clock());
	}
	// A few more would cost as much as many.
	while (changes.length <= most / 2) {
		const pass = currentPass(cursor, clock());
		const reading = list.read(cursor.time, most - changes.length, pass.position);
		const part = await reading.catch((thrown: unknown) => {
			if (parts === 0 || !list.isTimeOver) throw thrown;
		});
		if (!part) break;
		parts += 1;
		const found = part.records.flatMap((record) => changeOf(cursor, record) ?? []);
		noteTimes(cursor, found, clock());
		for (const change of found) {
			noteEmitted(cursor, change.record);
			if (isWanted(change)) changes.push(change);
		}
		if (!part.position) {
			endPass(cursor, pass);
			break;
		}
		const { count, keys } = part.position;
		pass.position = { count, keys: keys.slice(-mostKeys) };
	}
	return changes.sort(byTimeAndId);
}

function byTimeAndId({ record: one }: Change, { record: other }: Change): number {
	const [left, right] = [timeOf(one), timeOf(other)];
	if (left === right) return Number(one.id) - Number(other.id);
	return left < right ? -1 : 1;
}

/**
 * Whether a record that comes to match filters counts as updated: it was there before. No change is lost by that: where
 * only updates are wanted, any that was changed since its creation counts; where only creations are, none does.
 */
export function isUpdatedToMatch(
	{ record: { content } }: Change,
	{ time }: Cursor,
	events: readonly WebhookEvent[],
): boolean {
	const created = createTime(content) ?? '';
	if (!events.includes('CREATE')) return created !== updateTime(content);
	return events.includes('UPDATE') && created < time;
}

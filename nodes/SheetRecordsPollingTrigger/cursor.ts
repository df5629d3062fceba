import { contentDigest } from '../api/read/recordKeys';
import type { ListPosition } from '../api/read/pages';
import type { SheetRecord } from '../api/read/record';
import type { FieldChanges } from '../shared/watchedFields';
import { createTime, latest, minuteAfter } from './updateTimes';
import { timeOf, type ReadRecord, type SheetReader } from './sheetReader';

/** The index lags: filters may find a change so much later. */
const lagSeconds = 5 * 60;
/** Some services keep times without seconds. */
const coarsestSeconds = 60;
/** So many records are compared with what was emitted, so often: those that were changed last. */
export const mostCompared = 500;
const lookBackMilliseconds = 15 * 60_000;
/** By so many records a pass finds its place again. */
const mostKeys = 20;
/** Items of one poll: more wait for the next. */
export const mostItems = 1_000;

/** All that is remembered of what was emitted. Times of the service are texts that sort; empty before the first record. */
export interface Cursor {
	/** A pass reads the changes since then; all before were emitted. */
	time: string;
	/**
	 * The greatest Last Update Date of a change, since the service's clock was set back if it was, and when it was read:
	 * milliseconds of this machine's clock, of which only differences count.
	 */
	newest: { time: string; at: number };
	/** The last emitted states of records, by id. One that was not wanted counts as emitted. */
	emitted: Map<string, State>;
	/** What was changed later, up to `time`, is in `emitted`: a record that was created later and is not there is new. */
	floor: string;
	/** So many states stay, however old. */
	room: number;
	/** When `lookBack` compared, and before which states it has set the cursor back. */
	comparedAt: number;
	late: string[];
	/** A pass through the list of changes, over as many polls as it takes. */
	pass?: { startedAt: number; position?: ListPosition };
}

/** A Last Update Date with 36 bits of a digest of the content then; without them when any content counts. */
type State = string;

/** A state of a record that was not emitted yet. */
export interface Change {
	record: ReadRecord;
	event: 'CREATE' | 'UPDATE';
	/** Of an update, with watched fields. */
	fields?: FieldChanges;
}

/** Returns the cursor behind the records that were changed last, the newest first: as many as there is room, or all. */
export function cursorBehind(
	records: readonly SheetRecord[],
	now: number,
	room = mostCompared,
): Cursor {
	const time = records[0] ? timeOf(records[0]) : '';
	const others = { emitted: new Map<string, State>(), floor: '', room, comparedAt: now, late: [] };
	const cursor: Cursor = { time, newest: { time, at: now }, ...others };
	for (const record of [...records].reverse()) noteEmitted(cursor, record);
	const last = records.at(-1);
	if (last && records.length >= room && timeOf(last) < time) cursor.floor = timeOf(last);
	return cursor;
}

/** Returns the records that were changed last, the newest first: so many, or more when all of those have one time. */
export async function newestRecords(
	list: Pick<SheetReader, 'newest'>,
	count = mostCompared,
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
	list: Pick<SheetReader, 'read' | 'newest' | 'isTimeOver'>,
	isWanted: (change: Change) => boolean,
	clock: () => number,
	most = mostItems,
): Promise<Change[]> {
	const changes: Change[] = [];
	const age = clock() - cursor.comparedAt;
	if (!cursor.pass && (age < 0 || age >= lookBackMilliseconds)) {
		lookBack(cursor, await list.newest(cursor.room), clock());
	}
	// A few more would cost as much as many.
	for (let parts = 0; changes.length <= most / 2; parts++) {
		const startedAt = clock();
		cursor.newest.at = Math.min(cursor.newest.at, startedAt);
		// A clock that was set back says nothing about what is settled.
		if (!cursor.pass || cursor.pass.startedAt > startedAt) cursor.pass = { startedAt };
		const { pass } = cursor;
		const reading = list.read(cursor.time, most - changes.length, pass.position);
		const part = await reading.catch((thrown: unknown) => {
			if (parts === 0 || !list.isTimeOver) throw thrown;
		});
		if (!part) break;
		const found = part.records.flatMap((record) => changeOf(cursor, record) ?? []);
		const time = latest(found.map(({ record }) => timeOf(record)));
		if (time > cursor.newest.time) cursor.newest = { time, at: clock() };
		for (const change of found) {
			noteEmitted(cursor, change.record);
			if (isWanted(change)) changes.push(change);
		}
		if (!part.position) {
			endPass(cursor, pass.startedAt);
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

/** Returns what happened to a record; undefined when its state was emitted. Throws InputError as `timeOf`. */
function changeOf(cursor: Cursor, record: ReadRecord): Change | undefined {
	const time = timeOf(record);
	const { emitted, floor } = cursor;
	if (time < cursor.time || !isOther(cursor, record)) return undefined;
	const isNew = !emitted.has(record.id) && (createTime(record.content) ?? '') > floor;
	return { record, event: isNew ? 'CREATE' : 'UPDATE' };
}

/**
 * Compares the records that were changed last with what was emitted. A change that is dated before the cursor was made
 * by a clock that was set back, or while a record dated ahead had moved the cursor on: the cursor is set back before it,
 * but no more than twice: the index may hide it once, and the filters may leave it out.
 */
function lookBack(cursor: Cursor, newest: readonly SheetRecord[], now: number): void {
	const earlier = newest.filter((record) => timeOf(record) < cursor.time);
	const keyOf = (record: SheetRecord) => `${record.id} ${stateOf(record)}`;
	const timesLate = (key: string) => cursor.late.filter((other) => other === key).length;
	const isLate = (record: SheetRecord) => isOther(cursor, record) && timesLate(keyOf(record)) < 2;
	const late = earlier.filter(isLate);
	for (const record of earlier.reverse()) {
		if (!late.includes(record)) noteEmitted(cursor, record);
	}
	cursor.late = [...cursor.late, ...late.map(keyOf)].slice(-cursor.room);
	const last = newest[cursor.room - 1];
	if (last && timeOf(last) < cursor.time) cursor.floor = timeOf(last);
	cursor.comparedAt = now;
	const times = late.map(timeOf).sort();
	if (times[0] === undefined) return;
	cursor.time = times[0];
	cursor.newest = { time: latest(times), at: now };
}

/** Returns whether a state was not emitted. What holds the same and is dated earlier is none: all times were shifted. */
function isOther({ emitted, floor }: Cursor, record: SheetRecord): boolean {
	const time = timeOf(record);
	const known = emitted.get(record.id);
	if (known === undefined) return time > floor;
	const knownTime = timeIn(known);
	const isSame = known === knownTime || known === stateOf(record, knownTime);
	return !isSame || time > knownTime;
}

/** Notes that the state of a record is emitted. */
function noteEmitted({ emitted }: Cursor, record: SheetRecord): void {
	emitted.delete(record.id);
	emitted.set(record.id, stateOf(record));
}

/**
 * Ends a pass, and moves the cursor on. When the pass started, the service's clock stood no earlier than at the greatest
 * date and the time since that was read; what was hidden then had changed at most the index lag before.
 */
function endPass(cursor: Cursor, startedAt: number): void {
	const { newest, emitted } = cursor;
	delete cursor.pass;
	const seconds = Math.floor((startedAt - newest.at) / 1_000) - lagSeconds;
	const isEmpty = newest.time === '';
	const time = isEmpty ? '' : minuteAfter(newest.time, Math.min(seconds, coarsestSeconds));
	cursor.time = latest([cursor.time, time]);
	for (const [id, state] of emitted) {
		if (emitted.size <= cursor.room) return;
		if (timeIn(state) >= cursor.time) continue;
		emitted.delete(id);
		cursor.floor = latest([cursor.floor, timeIn(state)]);
	}
}

/** Forgets the contents that were emitted: from now on they come in another form. */
export function dropDigests({ emitted }: Cursor): void {
	for (const [id, state] of emitted) emitted.set(id, timeIn(state));
}

function stateOf(record: SheetRecord, time = timeOf(record)): State {
	return time + contentDigest(record.content).slice(0, 6);
}

function timeIn(state: State): string {
	return state.slice(0, '2026/01/31 09:30:00'.length);
}

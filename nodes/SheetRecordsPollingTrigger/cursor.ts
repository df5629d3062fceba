import type { ListPosition } from '../api/read/pages';
import type { SheetRecord } from '../api/read/record';
import { contentDigest, keysDigest, valuesDigest } from '../api/read/recordKeys';
import type { FieldChanges } from '../shared/watchedFields';
import { updateTimeOf, type ReadRecord } from './sheetReader';
import { createTime, latest, minuteAfter } from './updateTimes';

/** Maximum index lag: the time until a filter finds a change. */
const maxLagSeconds = 5 * 60;
/** Some services keep times without seconds. */
const coarsestSeconds = 60;
/** Number of most recently changed records that are compared with what was emitted. */
export const comparedRecords = 500;
/** Maximum number of comparisons in which one state of a record sets the cursor back. */
const maxSetBacks = 2;

/** The state of a record that was emitted, or skipped because nobody asked for it. */
export interface RecordState {
	/** Its Last Update Date. */
	time: string;
	/** Digests of its values, as `digestsOf` makes them; empty if records have been read in another form since. */
	values: string;
}

/**
 * The changes that were emitted. Times of the service are texts that sort, and empty before the first record. Times of
 * this machine are in ms since 1970; only their differences count.
 */
export interface Cursor {
	/** Polls read the records that changed at this time or later. All earlier changes were emitted. */
	readFrom: string;
	/** The latest Last Update Date that was read, and when. It begins anew when the service's clock is set back. */
	latestTime: string;
	latestTimeReadAt: number;
	/** Record ID → the state that was emitted, in the order of emission. */
	emitted: Map<string, RecordState>;
	/** `emitted` has all records that changed after this time and before `readFrom`. A record that was created later and is not there is new. */
	completeSince: string;
	/** When the most recently changed records were compared with `emitted`. */
	comparedAt: number;
	/** States before `readFrom` that those comparisons found, once for each time that they set the cursor back. */
	lateStates: string[];
	/** Set while the cursor is set back, until a change before this time is emitted: `readFrom` as it was before. */
	setBackFrom?: string;
	/** Set if the node started on a sheet without records, until one is found: when it started. */
	startedEmptyAt?: number;
	/** Set while the list of changes is read: when the first poll began to read it, and how far it was read. */
	pass?: { startedAt: number; position?: ListPosition };
}

/** A change that was not emitted yet. */
export interface RecordChange {
	record: ReadRecord;
	event: 'CREATE' | 'UPDATE';
	/** Set for an update if fields are watched. */
	fields?: FieldChanges;
}

/** Returns a cursor after the most recently changed records of a sheet, the latest first: `count` of them, or all. */
export function cursorAfter(
	records: readonly SheetRecord[],
	now: number,
	count = comparedRecords,
): Cursor {
	const time = records[0] ? updateTimeOf(records[0]) : '';
	const cursor: Cursor = {
		readFrom: time,
		latestTime: time,
		latestTimeReadAt: now,
		emitted: new Map(),
		completeSince: '',
		comparedAt: now,
		lateStates: [],
	};
	for (const record of [...records].reverse()) noteEmitted(cursor, record);
	const last = records.at(-1);
	if (!last) cursor.startedEmptyAt = now;
	else if (records.length >= count && updateTimeOf(last) < time) {
		cursor.completeSince = updateTimeOf(last);
	}
	return cursor;
}

/** Returns the change that a record of the list of changes is; undefined if its state was emitted. Throws InputError as `updateTimeOf`. */
export function changeOf(cursor: Cursor, record: ReadRecord): RecordChange | undefined {
	const { emitted, readFrom, completeSince } = cursor;
	const time = updateTimeOf(record);
	if (time < readFrom) return undefined;
	const known = emitted.get(record.id);
	const isEmitted = known
		? time <= known.time && hasSameValues(known, record)
		: time <= completeSince;
	if (isEmitted) return undefined;
	const isNew = !known && (createTime(record.content) ?? '') > completeSince;
	return { record, event: isNew ? 'CREATE' : 'UPDATE' };
}

/** Whether a record of a list is in the state that was emitted last. */
export function isEmittedState({ emitted }: Cursor, record: SheetRecord): boolean {
	const known = emitted.get(record.id);
	return known !== undefined && known.time === updateTimeOf(record) && hasSameValues(known, record);
}

/** Whether two readings show the same state of a record. */
export function isSameState(left: SheetRecord, right: SheetRecord): boolean {
	if (left.id !== right.id || updateTimeOf(left) !== updateTimeOf(right)) return false;
	return digestsOf(left) === digestsOf(right);
}

/** Notes that the present state of a record is emitted. */
export function noteEmitted({ emitted }: Cursor, record: SheetRecord): void {
	emitted.delete(record.id);
	emitted.set(record.id, { time: updateTimeOf(record), values: digestsOf(record) });
}

/** Notes the Last Update Dates of changes that were read at `now`. */
export function noteTimes(cursor: Cursor, changes: readonly RecordChange[], now: number): void {
	const time = latest(changes.map(({ record }) => updateTimeOf(record)));
	if (time <= cursor.latestTime) return;
	cursor.latestTime = time;
	cursor.latestTimeReadAt = now;
}

/** Returns the pass that is under way, or starts one. */
export function currentPass(cursor: Cursor, now: number): NonNullable<Cursor['pass']> {
	// After this machine's clock was set back, earlier readings of it mean nothing.
	cursor.latestTimeReadAt = Math.min(cursor.latestTimeReadAt, now);
	if (!cursor.pass || cursor.pass.startedAt > now) cursor.pass = { startedAt: now };
	return cursor.pass;
}

/**
 * Ends the pass at the end of the list, and moves the cursor on. When the pass started, the service's clock showed at least
 * the latest time plus what has passed since that was read. A change that the index hid then was at most the index lag older.
 */
export function endPass(cursor: Cursor, count = comparedRecords): void {
	const { pass, latestTime, latestTimeReadAt, emitted } = cursor;
	if (!pass) return;
	delete cursor.pass;
	const seconds = Math.floor((pass.startedAt - latestTimeReadAt) / 1_000) - maxLagSeconds;
	const settled =
		latestTime === '' ? '' : minuteAfter(latestTime, Math.min(seconds, coarsestSeconds));
	cursor.readFrom = latest([cursor.readFrom, settled]);
	for (const [id, { time }] of emitted) {
		if (emitted.size <= count) return;
		if (time >= cursor.readFrom) continue;
		emitted.delete(id);
		cursor.completeSince = latest([cursor.completeSince, time]);
	}
}

/**
 * Compares the most recently changed records, the latest first, with what was emitted. A change before the cursor was made
 * while the service's clock was set back, or after a record with a date in the future had moved the cursor on. The cursor is
 * set back to the first such change. That happens at most twice for a state: the index may hide it once, and it may not match
 * the filters.
 */
export function compareNewest(
	cursor: Cursor,
	newest: readonly SheetRecord[],
	now: number,
	count = comparedRecords,
): void {
	const { readFrom, lateStates } = cursor;
	const earlier = newest.filter((record) => updateTimeOf(record) < readFrom);
	const keyOf = (record: SheetRecord) =>
		`${record.id} ${updateTimeOf(record)}${valuesPart(digestsOf(record))}`;
	const timesFound = (key: string) => lateStates.filter((state) => state === key).length;
	const late = earlier.filter(
		(record) => isLate(cursor, record) && timesFound(keyOf(record)) < maxSetBacks,
	);
	for (const record of [...earlier].reverse()) {
		if (!late.includes(record)) noteEmitted(cursor, record);
	}
	cursor.lateStates = [...lateStates, ...late.map(keyOf)].slice(-count);
	const last = newest[count - 1];
	if (last && updateTimeOf(last) < readFrom) cursor.completeSince = updateTimeOf(last);
	cursor.comparedAt = now;
	const times = late.map(updateTimeOf).sort();
	if (times[0] === undefined) return;
	cursor.setBackFrom = latest([cursor.setBackFrom ?? '', readFrom]);
	cursor.readFrom = times[0];
	cursor.latestTime = latest(times);
	cursor.latestTimeReadAt = now;
}

/** Returns whether changes before the time from which the cursor was set back are among those that are emitted now. */
export function endSetBack(cursor: Cursor, changes: readonly RecordChange[]): boolean {
	const { setBackFrom, readFrom } = cursor;
	if (setBackFrom === undefined) return false;
	const isFound = changes.some(({ record }) => updateTimeOf(record) < setBackFrom);
	if (isFound || readFrom >= setBackFrom) delete cursor.setBackFrom;
	return isFound;
}

/**
 * Returns whether a sheet on which the node found no record at its start had some: one of the records was created before.
 * The service's clock shows at least the latest time among the records.
 */
export function hadRecordsAtStart(
	{ startedEmptyAt = Infinity }: Cursor,
	records: readonly SheetRecord[],
	now: number,
): boolean {
	const milliseconds = now - startedEmptyAt;
	// After this machine's clock was set back, the time since the start is unknown.
	if (milliseconds < 0) return false;
	const start = minuteAfter(latest(records.map(updateTimeOf)), -Math.ceil(milliseconds / 1_000));
	return records.some(({ content }) => (createTime(content) ?? start) < start);
}

/** Forgets the values of emitted states: records are read in another form from now on. */
export function forgetValues({ emitted }: Cursor): void {
	for (const state of emitted.values()) state.values = '';
}

/**
 * Whether a record before the cursor was not emitted. Different values at the emitted time are no change of the record: a
 * field was added or removed, or a formula was evaluated anew. Equal values at an earlier time are none either: the account's
 * time zone moved.
 */
function isLate({ emitted, completeSince }: Cursor, record: SheetRecord): boolean {
	const time = updateTimeOf(record);
	const known = emitted.get(record.id);
	if (!known) return time > completeSince;
	return time > known.time || (time < known.time && !hasSameValues(known, record));
}

/**
 * Whether a record has the values of a known state, as far as those are known. If fields were renamed, added or removed since,
 * a value that moved to another field is not recognized.
 */
function hasSameValues({ values: known }: RecordState, record: SheetRecord): boolean {
	const present = digestsOf(record);
	if (known === '' || known === present) return true;
	return valuesPart(known) === valuesPart(present) && keysPart(known) !== keysPart(present);
}

/** Number of characters of each digest in `RecordState.values`, of 6 bits each. */
const valuesLength = 6;
const keysLength = 3;
const contentLength = 3;

/** Returns three digests of a record as one text: of its values alone, of the keys of its fields, and of both. */
function digestsOf({ content }: SheetRecord): string {
	return [
		valuesDigest(content).slice(0, valuesLength),
		keysDigest(content).slice(0, keysLength),
		contentDigest(content).slice(0, contentLength),
	].join('');
}

function valuesPart(digests: string): string {
	return digests.slice(0, valuesLength);
}

function keysPart(digests: string): string {
	return digests.slice(valuesLength, valuesLength + keysLength);
}

import { objectState } from '../api/http/processState';
import { getOrInsert } from '../api/json/objects';
import type { JsonObject } from '../api/json/orderedJson';
import type { ListPosition } from '../api/read/pages';
import type { SheetRecord } from '../api/read/record';
import { contentDigest, keysDigest, valuesDigest } from '../api/read/recordKeys';
import type { FieldChanges } from '../shared/watchedFields';
import { fieldDigests } from './enteredFields';
import { updateTimeOf, type ReadRecord } from './sheetReader';
import {
	createTime,
	isZoneShift,
	latest,
	minuteAfter,
	secondsBetween,
	timeAfter,
	zoneShift,
} from './updateTimes';

/** Maximum index lag in seconds: the time until a filter finds a change. */
const maxLagSeconds = 5 * 60;
/** Precision of the times of a service in seconds, at worst: some services store times without seconds. */
const maxTimePrecisionSeconds = 60;
/** Number of most recently changed records that are compared with the emitted states. */
export const comparedRecords = 500;
/** Maximum number of comparisons in which the same state of a record sets the cursor back. */
const maxSetBacks = 2;

/** The state of a record that was emitted, or skipped because its event or fields are not selected. */
export interface RecordState {
	/** Last Update Date of the record. */
	time: string;
	/** Create Date of the record; undefined if it is unknown. */
	created?: string;
	/** Digests of the values, as `digestsOf` returns them; empty if the read options have changed since. */
	values: string;
	/** Digests of the fields (see `fieldDigests`); undefined if they are unknown. They are stored for the latest records only. */
	fields?: string;
}

/**
 * The position in the list of changes, and the states that were emitted. Times of the service are sortable texts, and empty
 * before the first record. Times of this machine are in ms since 1970. Only differences between them are used.
 */
export interface Cursor {
	/** Polls read the records that changed at or after this time. All earlier changes were emitted. */
	readFrom: string;
	/** The latest Last Update Date that was read. Starts again when the cursor is set back. */
	latestTime: string;
	/** Time at which `latestTime` was read. */
	latestTimeReadAt: number;
	/** Record ID → the state that was emitted, in the order of emission. */
	emitted: Map<string, RecordState>;
	/**
	 * `emitted` has all records that changed between this time and `readFrom`. A changed record that is not in `emitted` is new if
	 * it was created after this time.
	 */
	completeSince: string;
	/** Time of the last comparison of the most recently changed records with `emitted`. */
	comparedAt: number;
	/** States that set the cursor back, latest last. A state that did so twice has two entries (see `maxSetBacks`). */
	lateStates: string[];
	/** `readFrom` before the cursor was set back. Removed when an earlier change is emitted, or `readFrom` reaches it again. */
	setBackFrom?: string;
	/** Set if the node started on a sheet without records: time of the start. Removed when a record is found. */
	startedEmptyAt?: number;
	/** IDs of records that existed at the start without a valid Last Update Date. They are not new when they get one. */
	undated?: string[];
	/** Start of the last pass that reached the end of the list, or found it empty; undefined before the first one. */
	passedAt?: number;
	/** Set while the list of changes is read in several polls: time at which the first poll started it, and the position reached. */
	pass?: { startedAt: number; position?: ListPosition };
}

/** A change that was not emitted yet. */
export interface RecordChange {
	record: ReadRecord;
	event: 'CREATE' | 'UPDATE';
	/** Set for updates if fields are watched. */
	fields?: FieldChanges;
}

/**
 * Returns a cursor after the most recently changed records of a sheet, latest first. `records` has `count` records, or all
 * records if the sheet has fewer.
 */
export function cursorAfter(
	records: readonly ReadRecord[],
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

/**
 * Returns the change of a record in the list of changes; undefined if its state was already emitted. Throws InputError if it has
 * no Last Update Date.
 */
export function changeOf(cursor: Cursor, record: ReadRecord): RecordChange | undefined {
	const { emitted, readFrom, completeSince } = cursor;
	const time = updateTimeOf(record);
	if (time < readFrom) return undefined;
	const known = emitted.get(record.id);
	const isEmitted = known ? isUnchanged(known, record) : time <= completeSince;
	if (isEmitted) return undefined;
	const isKnown = known ? !isOfNewRecord(known, record) : cursor.undated?.includes(record.id);
	const isNew = !isKnown && (createTime(record.content) ?? '') > completeSince;
	return { record, event: isNew ? 'CREATE' : 'UPDATE' };
}

/**
 * Returns whether a record has the ID of an earlier one, because the sheet was made again: it was created after the last change of
 * the earlier one. An update never moves the Create Date, and a time zone moves it by quarters of an hour.
 */
function isOfNewRecord({ time, created }: RecordState, { content }: SheetRecord): boolean {
	const createdNow = createTime(content);
	if (created === undefined || createdNow === undefined || createdNow <= time) return false;
	return !isZoneShift(secondsBetween(created, createdNow));
}

/** Returns whether a record is still in the state that was emitted last. */
export function isEmittedState({ emitted }: Cursor, record: SheetRecord): boolean {
	const known = emitted.get(record.id);
	return known !== undefined && known.time === updateTimeOf(record) && hasSameValues(known, record);
}

/** Returns whether two readings show the same state of a record: the same Last Update Date and the same content. */
export function isSameState(left: SheetRecord, right: SheetRecord): boolean {
	if (left.id !== right.id || updateTimeOf(left) !== updateTimeOf(right)) return false;
	return digestsOf(left) === digestsOf(right);
}

/** Notes that the present state of a record is emitted. */
export function noteEmitted({ emitted }: Cursor, record: ReadRecord): void {
	emitted.delete(record.id);
	emitted.set(record.id, stateOf(record));
}

function stateOf(record: ReadRecord): RecordState {
	const { content } = record;
	const created = createTime(content);
	return {
		time: updateTimeOf(record),
		...(created === undefined ? {} : { created }),
		values: digestsOf(record),
		// Computed when the state is stored, because it is stored for few records.
		get fields() {
			return fieldDigests(content);
		},
	};
}

/** Updates the latest Last Update Date with those of changes that were read at `now`. */
export function noteTimes(cursor: Cursor, changes: readonly RecordChange[], now: number): void {
	const time = latest(changes.map(({ record }) => updateTimeOf(record)));
	if (time <= cursor.latestTime) return;
	cursor.latestTime = time;
	cursor.latestTimeReadAt = now;
}

/** Returns the current pass. Starts a pass if none is in progress, or if this machine's clock was set back since it began. */
export function currentPass(cursor: Cursor, now: number): NonNullable<Cursor['pass']> {
	// After this machine's clock was set back, times that it showed before are meaningless.
	const isSetBack = cursor.latestTimeReadAt > now || (cursor.pass?.startedAt ?? 0) > now;
	cursor.latestTimeReadAt = Math.min(cursor.latestTimeReadAt, now);
	if (!cursor.pass || isSetBack) cursor.pass = { startedAt: now };
	return cursor.pass;
}

/**
 * Ends the pass at the end of the list, and moves the cursor forward. At the start of the pass, the service's clock showed at
 * least `latestTime` plus the time since `latestTime` was read. All changes that were then older than the index lag were in the
 * list, so the cursor moves to that time minus the lag. It moves at most `maxTimePrecisionSeconds` past `latestTime`, which is enough to
 * skip the changes that were read. Then drops the earliest emitted states before the cursor, until `count` states are left.
 */
export function endPass(cursor: Cursor, count = comparedRecords): void {
	const { pass, latestTime, latestTimeReadAt, emitted } = cursor;
	if (!pass) return;
	delete cursor.pass;
	cursor.passedAt = pass.startedAt;
	const seconds = Math.floor((pass.startedAt - latestTimeReadAt) / 1_000) - maxLagSeconds;
	const settled =
		latestTime === '' ? '' : minuteAfter(latestTime, Math.min(seconds, maxTimePrecisionSeconds));
	cursor.readFrom = latest([cursor.readFrom, settled]);
	for (const [id, { time }] of emitted) {
		if (emitted.size <= count) return;
		if (time >= cursor.readFrom) continue;
		emitted.delete(id);
		cursor.completeSince = latest([cursor.completeSince, time]);
	}
}

/** Ends the pass of an empty list. If the list was not read from its start, it counts as not read. */
export function endEmptyPass(cursor: Cursor): void {
	if (cursor.pass && !cursor.pass.position) cursor.passedAt = cursor.pass.startedAt;
	delete cursor.pass;
}

/** Returns an estimate of the time of the last poll on the service's clock. `newest` is the latest changed record at `now`. */
function timeOfLastPoll(cursor: Cursor, newest: ReadRecord, now: number): string {
	const { latestTime, latestTimeReadAt, comparedAt, passedAt = comparedAt } = cursor;
	const polledAt = Math.min(passedAt, now);
	const sinceRead = Math.max(0, Math.floor((polledAt - latestTimeReadAt) / 1_000));
	const sincePoll = Math.ceil((now - polledAt) / 1_000);
	return latest([
		latestTime === '' ? '' : timeAfter(latestTime, sinceRead),
		timeAfter(updateTimeOf(newest), -sincePoll),
	]);
}

/**
 * Moves the cursor after the changes that earlier polls skipped because of other filters: those up to the time of the last poll
 * on the service's clock. That clock showed at least the latest date that polls had read plus the time since then, and at least
 * the latest date of the sheet minus the time since the last poll. A skipped change between this estimate and the last poll is
 * emitted, because it may as well have happened after that poll. Does not move the cursor if a pass is not finished: the list is
 * read from its start again. Returns the skipped records.
 *
 * @param newest the most recently changed records of the sheet at `now`, latest first: `count` of them, or all
 */
export function passSkipped(
	cursor: Cursor,
	newest: readonly ReadRecord[],
	now: number,
	count = comparedRecords,
): ReadRecord[] {
	const { pass } = cursor;
	delete cursor.pass;
	const [first] = newest;
	if (pass?.position || !first) return [];
	const polled = timeOfLastPoll(cursor, first, now);
	const skipped = newest.filter(
		(record) => updateTimeOf(record) <= polled && !isEmittedState(cursor, record),
	);
	for (const record of [...skipped].reverse()) noteEmitted(cursor, record);
	for (const { id, content } of newest) {
		// A record that changed since the last poll, but was not created since, is no new record.
		const created = createTime(content);
		if (created === undefined || created > polled || cursor.emitted.has(id)) continue;
		cursor.emitted.set(id, { time: created, created, values: '' });
	}
	const last = newest[count - 1];
	if (last) {
		const complete = [polled, updateTimeOf(last)].sort()[0] ?? '';
		cursor.completeSince = latest([cursor.completeSince, complete]);
	}
	cursor.readFrom = latest([cursor.readFrom, minuteAfter(polled, -maxLagSeconds)]);
	return skipped;
}

/**
 * Compares the most recently changed records, latest first, with the emitted states, and sets the cursor back to the first
 * change that was missed. A change can be missed if the service's clock was set back, or if a record with a future date moved
 * the cursor forward. A state sets the cursor back at most twice: the index may not contain it the first time, and it may
 * never match the filters.
 */
export function compareNewest(
	cursor: Cursor,
	newest: readonly ReadRecord[],
	now: number,
	count = comparedRecords,
): void {
	const { readFrom, lateStates } = cursor;
	const earlier = newest.filter((record) => updateTimeOf(record) < readFrom);
	const keyOf = (record: SheetRecord) =>
		`${record.id} ${updateTimeOf(record)}${valuesPart(digestsOf(record))}`;
	const setBacks = (key: string) => lateStates.filter((state) => state === key).length;
	const late = earlier.filter(
		(record) => isLate(cursor, record) && setBacks(keyOf(record)) < maxSetBacks,
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

/**
 * Stores the present digests of unchanged records whose fields were renamed, moved or added. Otherwise a later difference would be
 * looked for under the names of before.
 */
export function noteRenamed(cursor: Cursor, records: readonly ReadRecord[]): void {
	for (const record of records) {
		const known = cursor.emitted.get(record.id);
		if (known?.time !== updateTimeOf(record) || known.values === digestsOf(record)) continue;
		if (hasSameValues(known, record)) noteEmitted(cursor, record);
	}
}

/** Returns the emitted state of a record that has other values at the same Last Update Date; undefined for any other record. */
export function stateBeforeSilentChange(
	{ emitted, readFrom }: Cursor,
	record: ReadRecord,
): RecordState | undefined {
	const known = emitted.get(record.id);
	if (!known || known.time !== updateTimeOf(record) || known.time < readFrom) return undefined;
	return hasSameValues(known, record) ? undefined : known;
}

/**
 * Stores the Create Dates that emitted states of an older version lack, if the records were not changed since. Dates that moved
 * without a change of the values have moved with the time zone of the account, if no record has its date of before any more. The
 * Create Dates before the move are then stored, so that `moveTimeZone` recognizes it.
 */
export function noteCreateDates({ emitted }: Cursor, records: readonly SheetRecord[]): void {
	const incomplete = records.flatMap((record) => {
		const state = emitted.get(record.id);
		if (!state || state.created !== undefined) return [];
		return [{ record, state, seconds: secondsBetween(state.time, updateTimeOf(record)) }];
	});
	const haveAllMoved = incomplete.every(({ seconds }) => seconds !== 0);
	for (const { record, state, seconds } of incomplete) {
		const hasMoved =
			haveAllMoved && isZoneShift(seconds) && state.values !== '' && hasSameValues(state, record);
		const created = createTime(record.content);
		if (created === undefined || !(seconds === 0 || hasMoved)) continue;
		state.created = timeAfter(created, -seconds);
	}
}

/**
 * Moves the cursor and the emitted states if the times of the records moved with the time zone of the account. Returns whether
 * they did. The most recently emitted state whose record was not changed since decides.
 *
 * @param records records that were just read, among them the most recently changed ones
 */
export function moveTimeZone(cursor: Cursor, records: readonly SheetRecord[]): boolean {
	const { emitted } = cursor;
	const known = records.flatMap((record) => {
		const state = emitted.get(record.id);
		return state ? [{ record, state, seconds: shiftOf(state, record) }] : [];
	});
	const untouched = known.filter(
		({ record, state, seconds }) => seconds !== 0 || state.time === updateTimeOf(record),
	);
	const latestTime = latest(untouched.map(({ state }) => state.time));
	const seconds = untouched.find(({ state }) => state.time === latestTime)?.seconds ?? 0;
	if (seconds === 0) return false;
	const move = (time: string) => (time === '' ? '' : timeAfter(time, seconds));
	for (const state of emitted.values()) {
		state.time = move(state.time);
		if (state.created !== undefined) state.created = move(state.created);
	}
	// In summer time, a time moves by another hour than in winter time.
	for (const shifted of known.filter((each) => each.seconds !== 0)) {
		const { time, created } = stateOf(shifted.record);
		Object.assign(shifted.state, { time, created });
	}
	for (const key of ['readFrom', 'latestTime', 'completeSince'] as const) {
		cursor[key] = move(cursor[key]);
	}
	if (cursor.setBackFrom !== undefined) cursor.setBackFrom = move(cursor.setBackFrom);
	delete cursor.pass;
	return true;
}

/** Returns the shift of a record's Last Update Date in seconds, if its times moved with the time zone of the account; otherwise 0. */
export function shiftOf({ created, time }: RecordState, record: SheetRecord): number {
	return zoneShift([created, createTime(record.content)], [time, updateTimeOf(record)]);
}

/**
 * Returns whether the emitted changes include changes for which the cursor was set back. Ends the set-back if so, or if the
 * cursor passed it.
 */
export function endSetBack(cursor: Cursor, changes: readonly RecordChange[]): boolean {
	const { setBackFrom, readFrom } = cursor;
	if (setBackFrom === undefined) return false;
	const isFound = changes.some(({ record }) => updateTimeOf(record) < setBackFrom);
	if (isFound || readFrom >= setBackFrom) delete cursor.setBackFrom;
	return isFound;
}

/**
 * Returns whether one of the records was created before the node started, although the node found no record then. The start on
 * the service's clock is estimated as the latest time among the records, minus the time since the node started.
 */
export function hadRecordsAtStart(
	{ startedEmptyAt = Infinity }: Cursor,
	records: readonly SheetRecord[],
	now: number,
): boolean {
	const milliseconds = now - startedEmptyAt;
	// After this machine's clock was set back, the time since the start is unknown, so assume that the sheet was empty.
	if (milliseconds < 0) return false;
	const start = minuteAfter(latest(records.map(updateTimeOf)), -Math.ceil(milliseconds / 1_000));
	return records.some(({ content }) => (createTime(content) ?? start) < start);
}

/** Removes the values of emitted states, because the read options changed and values are not comparable any more. */
export function forgetValues({ emitted }: Cursor): void {
	for (const state of emitted.values()) {
		state.values = '';
		delete state.fields;
	}
}

/**
 * Returns whether the state of a record before the cursor was not emitted. A state with the emitted time counts as emitted even
 * if its values differ, because the index finds changes within a second before the cursor passes them.
 */
function isLate({ emitted, completeSince }: Cursor, record: ReadRecord): boolean {
	const time = updateTimeOf(record);
	const known = emitted.get(record.id);
	if (!known) return time > completeSince;
	return time !== known.time && !isUnchanged(known, record);
}

/**
 * Returns whether a record was not changed since its emitted state:
 *
 * - With the same Last Update Date, if it has the same values. `findChanges` looks at other values more closely.
 * - With an earlier date, if it has the same values, because all dates may have been set back.
 * - With any other date, if its Create Date has moved, too, because then the time zone of the account has changed.
 */
function isUnchanged(known: RecordState, record: ReadRecord): boolean {
	const time = updateTimeOf(record);
	if (time <= known.time && hasSameValues(known, record)) return true;
	return shiftOf(known, record) !== 0;
}

/**
 * Returns whether a record has the values of an emitted state. True if those values are unknown. If fields were renamed, added or
 * removed since, a value that moved to another field is not recognized.
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

/** Digests of read records, because a poll compares each of them several times. */
const recordDigests = objectState<JsonObject, string>('recordDigests');

/** Returns three digests of a record as one text: of its values alone, of the keys of its fields, and of both. */
function digestsOf({ content }: SheetRecord): string {
	return getOrInsert(recordDigests, content, () =>
		[
			valuesDigest(content).slice(0, valuesLength),
			keysDigest(content).slice(0, keysLength),
			contentDigest(content).slice(0, contentLength),
		].join(''),
	);
}

function valuesPart(digests: string): string {
	return digests.slice(0, valuesLength);
}

function keysPart(digests: string): string {
	return digests.slice(valuesLength, valuesLength + keysLength);
}

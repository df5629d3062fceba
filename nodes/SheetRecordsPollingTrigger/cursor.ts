import type { JsonObject } from '../api/json/orderedJson';
import { contentDigest } from '../api/read/recordKeys';
import type { ListPosition } from '../api/read/pages';
import type { SheetRecord } from '../api/read/record';
import type { FieldChanges } from '../api/read/watchedFields';
import { createTime, latest, minuteAfter, updateTime } from '../api/read/updateTimes';
import { InputError } from '../api/values/inputError';

/** The index lags: filters may find a change so much later. */
const lagSeconds = 5 * 60;

/** Some services keep times without seconds. */
const coarsestSeconds = 60;

/** So many records are compared with what was emitted: those that were changed last. */
export const mostCompared = 500;

/** A Last Update Date with 36 bits of a digest of the content then; without them when any content counts. */
type State = string;

/** A time of the service, and when it was read: milliseconds of this machine's clock, of which only differences count. */
interface ReadTime {
	time: string;
	at: number;
}

/** A pass through the list of changes, over as many polls as it takes. */
interface Pass {
	startedAt: number;
	position?: ListPosition;
}

/** All that is remembered of what was emitted. Times of the service are texts that sort; empty before the first record. */
export interface Cursor {
	/** A pass reads the changes since then; all before were emitted. */
	time: string;
	/** The greatest Last Update Date of a change, since the service's clock was set back if it was. */
	newest: ReadTime;
	/** The last emitted states of records, by id. One that was not wanted counts as emitted. */
	emitted: Map<string, State>;
	/** What was changed later, up to `time`, is in `emitted`: a record that was created later and is not there is new. */
	floor: string;
	/** So many states stay, however old. */
	room: number;
	/** When `lookBack` compared, and before which states it has set the cursor back. */
	comparedAt: number;
	late: string[];
	pass?: Pass;
}

/** A record with the times of the account, by which the service compares. */
export interface ReadRecord extends SheetRecord {
	/** The content with times as the user wants them, where these are others. */
	shown?: JsonObject;
}

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
	const others = { emitted: new Map(), floor: '', room, comparedAt: now, late: [] };
	const cursor = { time, newest: { time, at: now }, ...others };
	for (const record of [...records].reverse()) noteEmitted(cursor, record);
	const last = records.at(-1);
	if (last && records.length >= room && timeOf(last) < time) cursor.floor = timeOf(last);
	return cursor;
}

/** Returns the cursor, or one that has emitted nothing and starts at a Last Update Date. */
export function startingAt(cursor: Cursor, time: string | undefined): Cursor {
	return time === undefined ? cursor : { ...cursor, time, floor: time, emitted: new Map() };
}

/** Returns what happened to a record; undefined when its state was emitted. Throws InputError as `timeOf`. */
export function changeOf(cursor: Cursor, record: ReadRecord): Change | undefined {
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
export function lookBack(cursor: Cursor, newest: readonly SheetRecord[], now: number): void {
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
export function noteEmitted({ emitted }: Pick<Cursor, 'emitted'>, record: SheetRecord): void {
	emitted.delete(record.id);
	emitted.set(record.id, stateOf(record));
}

/** Forgets the contents that were emitted: from now on they come in another form. */
export function dropDigests({ emitted }: Cursor): void {
	for (const [id, state] of emitted) emitted.set(id, timeIn(state));
}

/** Returns the pass that is under way, or starts one. A clock that was set back says nothing about what is settled. */
export function currentPass(cursor: Cursor, now: number): Pass {
	const { newest, pass } = cursor;
	cursor.newest = { ...newest, at: Math.min(newest.at, now) };
	return pass && pass.startedAt <= now ? pass : (cursor.pass = { startedAt: now });
}

/** Notes the Last Update Dates of changes that were just read. */
export function noteTimes(cursor: Cursor, changes: readonly Change[], now: number): void {
	const time = latest(changes.map(({ record }) => timeOf(record)));
	if (time > cursor.newest.time) cursor.newest = { time, at: now };
}

/**
 * Ends a pass, and moves the cursor on. When the pass started, the service's clock stood no earlier than at the greatest
 * date and the time since that was read; what was hidden then had changed at most the index lag before.
 */
export function endPass(cursor: Cursor, { startedAt }: Pass): void {
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

/** Returns when a record was last changed. Throws InputError when the service does not say. */
export function timeOf({ id, content }: SheetRecord): string {
	const time = updateTime(content);
	if (time !== undefined) return time;
	throw new InputError(
		`The service does not tell when record ${id} was last changed`,
		'Polling needs that date. Check that the credential may read it, or use Sheet Records Trigger.',
	);
}

function stateOf(record: SheetRecord, time = timeOf(record)): State {
	return time + contentDigest(record.content).slice(0, 6);
}

function timeIn(state: State): string {
	return state.slice(0, '2026/01/31 09:30:00'.length);
}

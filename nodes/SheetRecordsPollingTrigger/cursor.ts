import { isObject } from '../api/json/objects';
import type { JsonObject } from '../api/json/orderedJson';
import { contentDigest } from '../api/read/recordKeys';
import type { ListPosition } from '../api/read/pages';
import type { SheetRecord } from '../api/read/record';
import { createTime, latest, minuteAfter, updateTime } from '../api/read/updateTimes';
import { InputError } from '../api/values/inputError';

/** The index lags: filters may find a change so much later. */
const lagSeconds = 5 * 60;

/** Some services keep times without seconds. */
const coarsestSeconds = 60;

/** After so long without a later change, nothing of that time is hidden by the index any more. */
const settledSeconds = lagSeconds + coarsestSeconds;

/** Of more the oldest are dropped, and may be emitted twice. */
const mostEmitted = 100_000;

/** The beginning of a digest of a record's content: 36 bits. */
export type Digest = string;

/** A Last Update Date with the digest of the content then; without one when any content counts. */
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
	/** A record that was created since then and is not in `emitted` is new. */
	knownSince: string;
	/** What `knownSince` becomes when no record that was created before can be hidden by index lag any more. */
	settling: ReadTime;
	/** The greatest Last Update Date. */
	newest: ReadTime;
	/** The last emitted states of records, by id. One that was not wanted counts as emitted. */
	emitted: Map<string, State>;
	pass?: Pass;
}

/** A state of a record that was not emitted yet. */
export interface Change {
	record: SheetRecord;
	event: 'CREATE' | 'UPDATE';
	/** The content with times as the user wants them, where these are not those of the account. */
	shown?: JsonObject;
}

/** Returns the cursor behind a Last Update Date. */
export function cursorAt(time: string, now: number): Cursor {
	const read = { time, at: now };
	return { time, knownSince: time, settling: read, newest: read, emitted: new Map() };
}

/** Returns what happened to a record; undefined when its state was emitted. Throws InputError as `timeOf`. */
export function changeOf(cursor: Cursor, record: SheetRecord): Change | undefined {
	const time = timeOf(record);
	const known = cursor.emitted.get(record.id) ?? '';
	if (time < cursor.time || time < timeIn(known)) return undefined;
	if (known === time || known === stateOf(record)) return undefined;
	const isNew = known === '' && (createTime(record.content) ?? '') >= cursor.knownSince;
	return { record, event: isNew ? 'CREATE' : 'UPDATE' };
}

/** Notes that the state of a record is emitted. */
export function noteEmitted({ emitted }: Cursor, record: SheetRecord): void {
	emitted.delete(record.id);
	emitted.set(record.id, stateOf(record));
}

/** Forgets the states after a time, so that they are emitted. */
export function dropLater({ emitted }: Cursor, time: string): void {
	for (const [id, state] of emitted) if (timeIn(state) > time) emitted.delete(id);
}

/** Forgets the contents that were emitted: from now on they come in another form. */
export function dropDigests({ emitted }: Cursor): void {
	for (const [id, state] of emitted) emitted.set(id, timeIn(state));
}

/** Returns the pass that is under way, or starts one. A clock that was set back says nothing about what is settled. */
export function currentPass(cursor: Cursor, now: number): Pass {
	const { settling, newest, pass } = cursor;
	cursor.settling = { ...settling, at: Math.min(settling.at, now) };
	cursor.newest = { ...newest, at: Math.min(newest.at, now) };
	return pass && pass.startedAt <= now ? pass : (cursor.pass = { startedAt: now });
}

/** Notes the Last Update Dates of records that were just read. */
export function noteTimes(cursor: Cursor, records: readonly SheetRecord[], now: number): void {
	const time = latest(records.map(timeOf));
	if (time > cursor.newest.time) cursor.newest = { time, at: now };
}

/**
 * Ends a pass, and moves the cursor on. When the pass started, the service's clock stood no earlier than at the greatest
 * date and the time since that was read; what was hidden then had changed at most the index lag before.
 */
export function endPass(cursor: Cursor, { startedAt }: Pass, now: number): void {
	const { newest, settling } = cursor;
	cursor.pass = undefined;
	const seconds = Math.floor((startedAt - newest.at) / 1_000) - lagSeconds;
	const isEmpty = newest.time === '';
	const time = isEmpty ? '' : minuteAfter(newest.time, Math.min(seconds, coarsestSeconds));
	cursor.time = latest([cursor.time, time]);
	if (startedAt - settling.at < settledSeconds * 1_000) return;
	cursor.knownSince = latest([cursor.knownSince, settling.time]);
	cursor.settling = { time: cursor.time, at: now };
	for (const [id, state] of cursor.emitted) {
		if (timeIn(state) < cursor.knownSince) cursor.emitted.delete(id);
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

/** A cursor as n8n stores it. */
type StoredCursor = Omit<Cursor, 'emitted'> & { emitted: string };

/** Returns the cursor as it is stored: about 35 characters for each record. */
export function storedCursor(cursor: Cursor): StoredCursor {
	const { emitted } = cursor;
	const oldest = [...emitted].slice(0, Math.max(0, emitted.size - mostEmitted));
	for (const [id, state] of oldest) {
		emitted.delete(id);
		// Of what is not known any more, nothing counts as new.
		const behind = minuteAfter(timeIn(state), coarsestSeconds);
		cursor.knownSince = latest([cursor.knownSince, behind]);
	}
	return { ...cursor, emitted: textOfMap(emitted) };
}

/** Returns what `storedCursor` was made of; undefined for anything else. */
export function loadedCursor(stored: unknown): Cursor | undefined {
	const isCursor = (value: unknown): value is StoredCursor =>
		isObject(value) && typeof value.emitted === 'string';
	return isCursor(stored) ? { ...stored, emitted: mapInText(stored.emitted) } : undefined;
}

/** Returns the text of states or digests by record id. */
export function textOfMap(values: ReadonlyMap<string, string>): string {
	return [...values].map((entry) => entry.join('=')).join();
}

/** Returns what `textOfMap` made a text of. */
export function mapInText(text: string): Map<string, string> {
	const entries = text.split(',').filter(Boolean);
	return new Map(
		entries.map((entry) => entry.split('=')).map(([id = '', value = '']) => [id, value]),
	);
}

/** Returns the beginning of a digest of what a person can change. */
export function digestOf(content: JsonObject): Digest {
	return contentDigest(content).slice(0, 6);
}

function stateOf(record: SheetRecord): State {
	return timeOf(record) + digestOf(record.content);
}

function timeIn(state: State): string {
	return state.slice(0, '2026/01/31 09:30:00'.length);
}

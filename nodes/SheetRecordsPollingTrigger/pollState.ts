import type { IDataObject } from 'n8n-workflow';
import { isObject, scalarText, textMembers } from '../api/json/objects';
import {
	DamagedState,
	parseEntries,
	parseIds,
	parseList,
	parseMembers,
	parseNumber,
	parseOptional,
	parseText,
	StateCodec,
} from '../shared/storedState';
import type { Cursor, RecordState } from './cursor';
import type { DeletionCheck } from './deletionCheck';
import { isSortableTime, secondsBetween, timeAfter } from './updateTimes';
import type { WatchedFields } from './watchedValues';

const timeLength = 'yyyy/MM/dd HH:mm:ss'.length;

/** Time from which stored dates are counted in seconds. */
const firstTime = '2000/01/01 00:00:00';

/** Maximum number of records whose digests of fields are stored. Only records that changed a moment ago can change within the same second. */
const maxFieldDigests = 50;

/** Everything that a node keeps from one poll to the next. */
export interface PollState {
	/** Digest of the sheet, the credential and Start From. If it changes, the node starts again. */
	source: string;
	/** Digest of the filters and the shared view. Undefined in states of version 10, whose `source` contains them. */
	selection?: string;
	/** Digest of all parameters. */
	settings: string;
	/** Digest of the read options. If it changes, values cannot be compared with stored digests. Undefined if unknown. */
	reading?: string;
	/** Undefined if only deletions are selected. */
	cursor?: Cursor;
	/** Undefined if any change counts. */
	watched?: WatchedFields;
	deletions: DeletionCheck;
	/** Set while Start From All Records is in progress: the number of records that follow. */
	remaining?: number;
	/** Kind → warning for the next item. */
	warnings: Record<string, string>;
}

/** The stored state of a node; `state` is undefined if it does not exist, or cannot be read. */
export interface LoadedState {
	state?: PollState;
	/** Whether a state exists that cannot be read: it is damaged, or of a later version of the package. */
	isDamaged: boolean;
	/** `source` of the node if Start From was finished, also for a damaged state. */
	finishedSource?: string;
}

/** Returns the stored state. A state of an older version is migrated. */
export function loadState({ state: stored }: IDataObject): LoadedState {
	if (stored === undefined) return { isDamaged: false };
	if (!isObject(stored)) return { isDamaged: true };
	const state = pollStateCodec.parse(stored.known, stored.version);
	const finishedSource = scalarText(stored.finishedSource);
	return { state, isDamaged: state === undefined, finishedSource };
}

/**
 * Stores the state at the end of a poll. A failed poll leaves the previous state untouched.
 *
 * @param isStarting whether records of Start From follow in the next polls
 */
export function storeState(
	staticData: IDataObject,
	state: PollState,
	isStarting = state.remaining !== undefined || state.cursor?.pass !== undefined,
): void {
	const finishedSource = isStarting ? undefined : state.source;
	staticData.state = { version: pollStateCodec.version, known: stateText(state), finishedSource };
}

/** Returns a state as JSON, without the version. */
export function stateText(state: PollState): string {
	return pollStateCodec.serialize(state);
}

/** Returns the state in a text of `stateText` of the same version; undefined if the text is damaged. */
export function parseState(text: unknown): PollState | undefined {
	return pollStateCodec.parse(text);
}

/** Stored form: maps are lists of entries, and sets of IDs are one text, which is shorter. */
function toStored({ cursor, watched, deletions, ...simpleMembers }: PollState): unknown {
	const { known, missing, unlisted, ...times } = deletions;
	return {
		...simpleMembers,
		cursor: cursor && {
			...cursor,
			emitted: storedStates(cursor.emitted),
		},
		watched: watched && { ids: watched.ids, values: [...watched.values] },
		deletions: {
			...times,
			known: [...known].join(' '),
			missing: [...missing].join(' '),
			unlisted: [...unlisted].join(' '),
		},
	};
}

function parsePollState(text: unknown): PollState {
	const stored = parseMembers(text);
	const { source, selection, settings, reading, cursor, watched, deletions, remaining, warnings } =
		stored;
	return {
		source: parseText(source),
		selection: parseOptional(selection, parseText),
		settings: parseText(settings),
		reading: parseOptional(reading, parseText),
		cursor: parseOptional(cursor, parseCursor),
		watched: parseOptional(watched, parseWatched),
		deletions: parseDeletions(deletions),
		remaining: parseOptional(remaining, parseNumber),
		warnings: textMembers(warnings),
	};
}

/**
 * Version 10 (package 0.1.0) stored a record's state as its Last Update Date and the digests of its values in one text. The Create
 * Date and the digest of the entered values are unknown. The first poll compares the most recently changed records, to learn
 * their Create Dates.
 */
function fromVersion10(stored: unknown): unknown {
	const { cursor, ...members } = parseMembers(stored);
	if (cursor === undefined) return members;
	const { emitted, ...cursorMembers } = parseMembers(cursor);
	const states = parseEntries(emitted, (text): RecordState => {
		const state = parseText(text);
		const time = parseTime(state.slice(0, timeLength));
		return { time, values: state.slice(timeLength) };
	});
	const newStates = states.map(([id, state]) => [id, storedRecordState(state)]);
	const passedAt = cursorMembers.passedAt ?? cursorMembers.comparedAt;
	const dueCursor = { ...cursorMembers, passedAt, comparedAt: 0 };
	return { ...members, cursor: { ...dueCursor, emitted: newStates } };
}

/** The codec of the stored state. */
const pollStateCodec = new StateCodec<PollState>({
	version: 11,
	toStored,
	parse: parsePollState,
	migrations: { 10: fromVersion10 },
});

/** Returns the emitted states as entries, with the digests of fields of the latest records only. */
function storedStates(emitted: Cursor['emitted']): Array<[string, string]> {
	// Sorting is stable, so the state that was emitted last is the latest of those with its time.
	const byTime = [...emitted].sort(([, left], [, right]) =>
		left.time < right.time ? -1 : Number(left.time > right.time),
	);
	const latestIds = new Set(byTime.slice(-maxFieldDigests).map(([id]) => id));
	return [...emitted].map(([id, state]) => [id, storedRecordState(state, latestIds.has(id))]);
}

/** Returns a record's state as one text: its date and its age in seconds, and the digests of its values and fields. */
function storedRecordState(state: RecordState, hasFields = false): string {
	const { time, created, values } = state;
	const { fields = '' } = hasFields ? state : {};
	const age = created === undefined ? '' : secondsBetween(created, time).toString(36);
	return [secondsBetween(firstTime, time).toString(36), age, values, fields].join(',');
}

function parseCursor(stored: unknown): Cursor {
	const { emitted, pass, ...cursor } = parseMembers(stored);
	return {
		readFrom: parseTime(cursor.readFrom),
		latestTime: parseTime(cursor.latestTime),
		latestTimeReadAt: parseNumber(cursor.latestTimeReadAt),
		emitted: parseMap(emitted, parseRecordState),
		completeSince: parseTime(cursor.completeSince),
		comparedAt: parseNumber(cursor.comparedAt),
		lateStates: parseList(cursor.lateStates, parseText),
		setBackFrom: parseOptional(cursor.setBackFrom, parseTime),
		undated: parseOptional(cursor.undated, (ids) => parseList(ids, parseText)),
		startedEmptyAt: parseOptional(cursor.startedEmptyAt, parseNumber),
		passedAt: parseOptional(cursor.passedAt, parseNumber),
		pass: parseOptional(pass, parsePass),
	};
}

function parseRecordState(stored: unknown): RecordState {
	const [date = '', age = '', values = '', fields = ''] = parseText(stored).split(',');
	const time = parseTime(timeAfter(firstTime, Number.parseInt(date, 36)));
	if (time === '') throw new DamagedState();
	const created = age === '' ? undefined : timeAfter(time, -Number.parseInt(age, 36));
	return { time, values, ...(created && { created }), ...(fields && { fields }) };
}

function parsePass(stored: unknown): NonNullable<Cursor['pass']> {
	const { startedAt, position } = parseMembers(stored);
	const parsePosition = (value: unknown) => {
		const { count, keys } = parseMembers(value);
		return { count: parseNumber(count), keys: parseList(keys, parseText) };
	};
	return { startedAt: parseNumber(startedAt), position: parseOptional(position, parsePosition) };
}

function parseWatched(stored: unknown): WatchedFields {
	const { ids, values } = parseMembers(stored);
	return {
		ids: parseList(ids, parseText),
		values: parseMap(values, (states) => textMembers(parseMembers(states))),
	};
}

function parseDeletions(stored: unknown): DeletionCheck {
	const { isListed, known, missing, unlisted, ...members } = parseMembers(stored);
	return {
		isListed: isListed === true,
		known: parseIds(known),
		missing: parseIds(missing),
		unlisted: parseIds(unlisted),
		unlistedSince: parseOptional(members.unlistedSince, parseNumber),
		emptySince: parseOptional(members.emptySince, parseNumber),
		deleted: parseList(members.deleted, parseText),
		checkedAt: parseNumber(members.checkedAt),
	};
}

/** Returns a time of the service, or an empty text for the time before the first record. */
function parseTime(stored: unknown): string {
	const text = parseText(stored);
	if (text === '' || isSortableTime(text)) return text;
	throw new DamagedState();
}

function parseMap<Value>(stored: unknown, parse: (stored: unknown) => Value): Map<string, Value> {
	return new Map(parseEntries(stored, parse));
}

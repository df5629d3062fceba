import type { IDataObject } from 'n8n-workflow';
import { isObject, textMembers } from '../api/json/objects';
import type { Cursor, RecordState } from './cursor';
import type { DeletionCheck } from './deletionCheck';
import { isSortableTime } from './updateTimes';
import type { WatchedFields } from './watchedValues';

/** Version of the stored state. A node with a state of another version starts again. */
const version = 10;

/** Everything that a node keeps from one poll to the next. */
export interface PollState {
	/** Digest of the sheet, the credential, the filters, the events and Start From. If it changes, the node starts again. */
	source: string;
	/** Digest of all parameters. */
	settings: string;
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

/** Returns the stored state; undefined if it does not exist, is damaged or is of another version. */
export function loadState({ state }: IDataObject): PollState | undefined {
	if (!isObject(state) || state.version !== version) return undefined;
	return parseState(state.known);
}

/** Stores the state at the end of a poll. A failed poll leaves the previous state untouched. */
export function storeState(staticData: IDataObject, state: PollState): void {
	staticData.state = { version, known: stateText(state) };
}

/** Thrown for a stored text that no node of this version wrote. */
class DamagedState extends Error {}

/** Returns a state as JSON, without the version. Maps become lists of entries. Sets of IDs become one text, which is shorter. */
export function stateText({ cursor, watched, deletions, ...simpleMembers }: PollState): string {
	const { known, missing, unlisted, ...times } = deletions;
	return JSON.stringify({
		...simpleMembers,
		cursor: cursor && {
			...cursor,
			emitted: [...cursor.emitted].map(([id, { time, values }]) => [id, time + values]),
		},
		watched: watched && { ids: watched.ids, values: [...watched.values] },
		deletions: {
			...times,
			known: [...known].join(' '),
			missing: [...missing].join(' '),
			unlisted: [...unlisted].join(' '),
		},
	});
}

/** Returns the state in a text of `stateText` of the same version; undefined if the text is damaged. */
export function parseState(text: unknown): PollState | undefined {
	try {
		const stored = parseMembers(JSON.parse(parseText(text)));
		const { source, settings, cursor, watched, deletions, remaining, warnings } = stored;
		return {
			source: parseText(source),
			settings: parseText(settings),
			cursor: parseOptional(cursor, parseCursor),
			watched: parseOptional(watched, parseWatched),
			deletions: parseDeletions(deletions),
			remaining: parseOptional(remaining, parseNumber),
			warnings: textMembers(warnings),
		};
	} catch {
		return undefined;
	}
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
		startedEmptyAt: parseOptional(cursor.startedEmptyAt, parseNumber),
		pass: parseOptional(pass, parsePass),
	};
}

function parseRecordState(stored: unknown): RecordState {
	const text = parseText(stored);
	const timeLength = 'yyyy/MM/dd HH:mm:ss'.length;
	return { time: parseTime(text.slice(0, timeLength)), values: text.slice(timeLength) };
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

function parseOptional<Value>(
	stored: unknown,
	parse: (stored: unknown) => Value,
): Value | undefined {
	return stored === undefined ? undefined : parse(stored);
}

function parseMembers(stored: unknown): Record<string, unknown> {
	if (isObject(stored)) return stored;
	throw new DamagedState();
}

function parseText(stored: unknown): string {
	if (typeof stored === 'string') return stored;
	throw new DamagedState();
}

function parseNumber(stored: unknown): number {
	if (typeof stored === 'number') return stored;
	throw new DamagedState();
}

/** Returns a time of the service, or an empty text for the time before the first record. */
function parseTime(stored: unknown): string {
	const text = parseText(stored);
	if (text === '' || isSortableTime(text)) return text;
	throw new DamagedState();
}

function parseList<Value>(stored: unknown, parse: (stored: unknown) => Value): Value[] {
	if (Array.isArray(stored)) return stored.map(parse);
	throw new DamagedState();
}

function parseMap<Value>(stored: unknown, parse: (stored: unknown) => Value): Map<string, Value> {
	const entryOf = (entry: unknown): [string, Value] => {
		const [key, value] = parseList(entry, (member) => member);
		return [parseText(key), parse(value)];
	};
	return new Map(parseList(stored, entryOf));
}

function parseIds(stored: unknown): Set<string> {
	return new Set(parseText(stored).split(' ').filter(Boolean));
}

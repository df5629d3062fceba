import { isObject, textMembers } from '../api/json/objects';
import type { Cursor, RecordState } from './cursor';
import type { DeletionCheck } from './deletionCheck';
import { isSortableTime } from './updateTimes';
import type { WatchedFields } from './watchedValues';

/** Everything that a node keeps from one poll to the next. */
export interface PollState {
	/** Digest of what is polled: the sheet, the credential, the filters, the events and Start From. */
	source: string;
	/** Digest of all parameters. */
	settings: string;
	/** Undefined if only deletions are looked for. */
	cursor?: Cursor;
	/** Undefined if any change counts. */
	watched?: WatchedFields;
	deletions: DeletionCheck;
	/** Set while Start From All Records is under way: the number of records that are still to come. */
	remaining?: number;
	/** Warnings for the next item, by their kind. */
	warnings: Record<string, string>;
}

/** Thrown for a stored text that no node of this version wrote. */
class DamagedState extends Error {}

/** Returns a state as JSON: maps are lists of entries, and sets of IDs are one text, which is shorter. */
export function stateText({ cursor, watched, deletions, ...others }: PollState): string {
	const { known, missing, unlisted, ...times } = deletions;
	return JSON.stringify({
		...others,
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

/** Returns the state of which `stateText` made the text; undefined if the text is damaged. */
export function parseState(text: unknown): PollState | undefined {
	try {
		const stored = members(JSON.parse(textOf(text)));
		const { source, settings, cursor, watched, deletions, remaining, warnings } = stored;
		return {
			source: textOf(source),
			settings: textOf(settings),
			cursor: optional(cursor, parseCursor),
			watched: optional(watched, parseWatched),
			deletions: parseDeletions(deletions),
			remaining: optional(remaining, numberOf),
			warnings: textMembers(warnings),
		};
	} catch (error) {
		if (error instanceof DamagedState || error instanceof SyntaxError) return undefined;
		throw error;
	}
}

function parseCursor(stored: unknown): Cursor {
	const { emitted, pass, ...cursor } = members(stored);
	return {
		readFrom: timeOf(cursor.readFrom),
		latestTime: timeOf(cursor.latestTime),
		latestTimeReadAt: numberOf(cursor.latestTimeReadAt),
		emitted: mapOf(emitted, parseRecordState),
		completeSince: timeOf(cursor.completeSince),
		comparedAt: numberOf(cursor.comparedAt),
		lateStates: listOf(cursor.lateStates, textOf),
		setBackFrom: optional(cursor.setBackFrom, timeOf),
		startedEmptyAt: optional(cursor.startedEmptyAt, numberOf),
		pass: optional(pass, parsePass),
	};
}

function parseRecordState(stored: unknown): RecordState {
	const text = textOf(stored);
	const timeLength = 'yyyy/MM/dd HH:mm:ss'.length;
	return { time: timeOf(text.slice(0, timeLength)), values: text.slice(timeLength) };
}

function parsePass(stored: unknown): NonNullable<Cursor['pass']> {
	const { startedAt, position } = members(stored);
	const parsePosition = (value: unknown) => {
		const { count, keys } = members(value);
		return { count: numberOf(count), keys: listOf(keys, textOf) };
	};
	return { startedAt: numberOf(startedAt), position: optional(position, parsePosition) };
}

function parseWatched(stored: unknown): WatchedFields {
	const { ids, values } = members(stored);
	return {
		ids: listOf(ids, textOf),
		values: mapOf(values, (states) => textMembers(members(states))),
	};
}

function parseDeletions(stored: unknown): DeletionCheck {
	const { isListed, known, missing, unlisted, ...others } = members(stored);
	return {
		isListed: isListed === true,
		known: idsOf(known),
		missing: idsOf(missing),
		unlisted: idsOf(unlisted),
		unlistedSince: optional(others.unlistedSince, numberOf),
		emptySince: optional(others.emptySince, numberOf),
		deleted: listOf(others.deleted, textOf),
		checkedAt: numberOf(others.checkedAt),
	};
}

function optional<Value>(stored: unknown, parse: (stored: unknown) => Value): Value | undefined {
	return stored === undefined ? undefined : parse(stored);
}

function members(stored: unknown): Record<string, unknown> {
	if (isObject(stored)) return stored;
	throw new DamagedState();
}

function textOf(stored: unknown): string {
	if (typeof stored === 'string') return stored;
	throw new DamagedState();
}

function numberOf(stored: unknown): number {
	if (typeof stored === 'number') return stored;
	throw new DamagedState();
}

/** Returns a time of the service, or an empty text for the time before the first record. */
function timeOf(stored: unknown): string {
	const text = textOf(stored);
	if (text === '' || isSortableTime(text)) return text;
	throw new DamagedState();
}

function listOf<Value>(stored: unknown, parse: (stored: unknown) => Value): Value[] {
	if (Array.isArray(stored)) return stored.map(parse);
	throw new DamagedState();
}

function mapOf<Value>(stored: unknown, parse: (stored: unknown) => Value): Map<string, Value> {
	const entryOf = (entry: unknown): [string, Value] => {
		const [key, value] = listOf(entry, (member) => member);
		return [textOf(key), parse(value)];
	};
	return new Map(listOf(stored, entryOf));
}

function idsOf(stored: unknown): Set<string> {
	return new Set(textOf(stored).split(' ').filter(Boolean));
}

import { evenSample } from '../api/read/recordLoader';
import type { SheetRecord } from '../api/read/record';
import { InputError } from '../api/values/inputError';
import {
	changeOf,
	compareNewest,
	comparedRecords,
	currentPass,
	cursorAfter,
	endPass,
	endSetBack,
	hadRecordsAtStart,
	isEmittedState,
	isSameState,
	noteEmitted,
	noteTimes,
	type RecordChange,
	type Cursor,
} from './cursor';
import { updateTimeOf, type ChangeList, type SheetReader } from './sheetReader';
import { createTime } from './updateTimes';

/** Maximum number of items per poll. */
export const maxItems = 1_000;
/** Number of record keys stored to find the position of an unfinished pass again. */
const positionKeys = 20;
/** Time between two comparisons of the most recently changed records, in ms. */
const comparisonIntervalMilliseconds = 15 * 60_000;
/** Maximum number of single reads that check whether a list is of the polled sheet. */
const maxSingleReads = 3;

type NewestReader = Pick<SheetReader, 'fetchNewest' | 'fetchRecord'>;
type ChangesReader = NewestReader & Pick<SheetReader, 'fetchChanges' | 'isTimeOver'>;

/**
 * Reason why a poll does not use a list. `empty`: it has no records. `otherSheet`: it is of another sheet. `emptyStart`: it
 * shows that the sheet had records, although the node found none when it started.
 */
export type ListProblem = 'empty' | 'otherSheet' | 'emptyStart';

/** Changes that a poll found in the list of changes. */
export interface FoundChanges {
	/** The selected changes, earliest first, and by record ID at equal times. */
	changes: RecordChange[];
	/** Whether the list was read to its end. */
	isAtEnd: boolean;
	/** Whether some of the changes are dated before a change that an earlier poll emitted. */
	isSetBack: boolean;
	/**
	 * Set if a list was not used: a part of the list of changes, or the list for comparison. The unused list did not move the
	 * cursor, but other lists of the poll may have. After `emptyStart`, the node must start again.
	 */
	problem?: ListProblem;
}

/** Numbers of changes and records. Tests use smaller ones. */
interface Limits {
	maxChanges?: number;
	compared?: number;
}

/**
 * Returns a cursor after all changes of the sheet, and the most recently changed records, latest first. Throws InputError if
 * the list is of another sheet.
 */
export async function startCursor(
	reader: NewestReader,
	now: number,
	compared = comparedRecords,
): Promise<{ cursor: Cursor; newest: SheetRecord[] }> {
	const newest = await fetchNewestRecords(reader, compared);
	if (newest.length === 0 || (await isAnyConfirmed(reader, newest))) {
		return { cursor: cursorAfter(newest, now, compared), newest };
	}
	throw new InputError(
		'The service returned a list of another sheet: none of its records is on this sheet',
		'Try again later.',
		undefined,
		true,
	);
}

/**
 * Compares the most recently changed records, if it is time. Then reads changes that were not emitted yet, until more than half
 * of `maxChanges` are selected (never more than `maxChanges`) or the list ends, and moves the cursor after them. Only a list that
 * is certainly of the polled sheet moves the cursor. Throws InputError if a record has no Last Update Date. Throws ServiceError
 * if a read fails, but returns the changes so far if the time of the poll is over after the first part.
 *
 * @param select returns the changes to emit; the rest count as emitted
 * @param now returns the time of this machine in ms
 */
export async function findChanges(
	cursor: Cursor,
	reader: ChangesReader,
	select: (changes: RecordChange[]) => Promise<RecordChange[]>,
	now: () => number,
	{ maxChanges = maxItems, compared = comparedRecords }: Limits = {},
): Promise<FoundChanges> {
	const result: FoundChanges = {
		changes: [],
		isAtEnd: false,
		isSetBack: false,
		problem: await compareIfDue(cursor, reader, now, compared),
	};
	const { changes } = result;
	// Stop at half of the changes: requesting a few more would cost as much as a full part of the next poll.
	for (let parts = 0; changes.length <= maxChanges / 2; parts++) {
		const reading = fetchPart(cursor, reader, maxChanges - changes.length, now);
		const part = await reading.catch((thrown: unknown) => {
			if (parts === 0 || !reader.isTimeOver) throw thrown;
		});
		if (!part) break;
		const { found, problem = result.problem } = part;
		result.problem = problem;
		if (part.problem) break;
		noteTimes(cursor, found, now());
		for (const { record } of found) noteEmitted(cursor, record);
		changes.push(...(await select(found)));
		if (movePass(cursor, part, compared)) continue;
		result.isAtEnd = part.isEnd;
		break;
	}
	if (!cursor.pass?.position) delete cursor.pass;
	result.isSetBack = endSetBack(cursor, changes);
	changes.sort(byTimeAndId);
	return result;
}

/** A part of the list of changes, with the changes that were not emitted yet. */
type Part = ChangeList & { found: RecordChange[]; problem?: ListProblem };

async function fetchPart(
	cursor: Cursor,
	reader: ChangesReader,
	limit: number,
	now: () => number,
): Promise<Part> {
	const { position } = currentPass(cursor, now());
	const range = { since: cursor.readFrom, limit, after: position };
	const list = await reader.fetchChanges(range);
	const found = list.records.flatMap((record) => changeOf(cursor, record) ?? []);
	const problem = await problemOf(cursor, reader, list, found, now);
	// If the list is empty, the position in it is meaningless: the next poll reads it from the start.
	if (problem === 'empty') delete cursor.pass;
	return { ...list, found, problem };
}

/** Returns why a list cannot be used; undefined if it is certainly of the polled sheet. */
async function problemOf(
	cursor: Cursor,
	reader: NewestReader,
	{ pages }: ChangeList,
	found: readonly RecordChange[],
	now: () => number,
): Promise<ListProblem | undefined> {
	const listed = pages.flat();
	if (listed.length === 0) return 'empty';
	if (!(await areOfSheet(cursor, reader, pages))) return 'otherSheet';
	if (cursor.startedEmptyAt === undefined || found.length === 0) return undefined;
	const newest = await reader.fetchNewest(1);
	const hadRecords = hadRecordsAtStart(cursor, [...listed, ...newest], now());
	delete cursor.startedEmptyAt;
	return hadRecords ? 'emptyStart' : undefined;
}

/** Moves the pass to the end of a part. Returns whether another part follows. */
function movePass(cursor: Cursor, { position, isEnd }: Part, compared: number): boolean {
	if (position && cursor.pass) {
		cursor.pass.position = { ...position, keys: position.keys.slice(-positionKeys) };
		return true;
	}
	if (isEnd) endPass(cursor, compared);
	return false;
}

/**
 * Compares the most recently changed records with the emitted states, if it is time. Returns the problem of their list, if
 * any.
 */
async function compareIfDue(
	cursor: Cursor,
	reader: NewestReader,
	now: () => number,
	compared: number,
): Promise<ListProblem | undefined> {
	const age = now() - cursor.comparedAt;
	if (cursor.pass || (age >= 0 && age < comparisonIntervalMilliseconds)) return undefined;
	const newest = await reader.fetchNewest(compared);
	const isUsable = newest.length === 0 || (await areOfSheet(cursor, reader, [newest]));
	if (!isUsable) return 'otherSheet';
	compareNewest(cursor, newest, now(), compared);
	return undefined;
}

/**
 * Returns whether all pages of a list are certainly of the polled sheet: each has a record in its emitted state or unchanged
 * since the page before, or a single read confirms one of its changed records.
 */
async function areOfSheet(
	cursor: Cursor,
	reader: Pick<SheetReader, 'fetchRecord'>,
	pages: readonly SheetRecord[][],
): Promise<boolean> {
	let pageBefore: readonly SheetRecord[] = [];
	for (const page of pages.filter(({ length }) => length > 0)) {
		const isKnown = (record: SheetRecord) =>
			isEmittedState(cursor, record) || pageBefore.some((known) => isSameState(known, record));
		const changed = page.filter((record) => changeOf(cursor, record) !== undefined);
		const sample = changed.length > 0 ? changed : page;
		if (!page.some(isKnown) && !(await isAnyConfirmed(reader, sample))) return false;
		pageBefore = page;
	}
	return true;
}

/**
 * Returns whether a single read confirms one of the records: it has the same Create Date, or this user may not read it singly.
 * Reads several, because a record may have been deleted a moment ago.
 */
async function isAnyConfirmed(
	reader: Pick<SheetReader, 'fetchRecord'>,
	records: readonly SheetRecord[],
): Promise<boolean> {
	for (const record of evenSample(records, maxSingleReads)) {
		const single = await reader.fetchRecord(record.id);
		if (single === 'unreadable') return true;
		// A record with the same ID on another sheet has another Create Date.
		if (single && createTime(single.content) === createTime(record.content)) return true;
	}
	return false;
}

/** Returns the most recently changed records, latest first: `count` of them, or more if all of them have the same time. */
async function fetchNewestRecords(
	reader: Pick<SheetReader, 'fetchNewest'>,
	count: number,
): Promise<SheetRecord[]> {
	const newest = await reader.fetchNewest(count);
	const [first, last] = [newest[0], newest[count - 1]];
	if (!first || !last || updateTimeOf(first) !== updateTimeOf(last)) return newest;
	return await fetchNewestRecords(reader, 4 * count);
}

function byTimeAndId({ record: left }: RecordChange, { record: right }: RecordChange): number {
	const [leftTime, rightTime] = [updateTimeOf(left), updateTimeOf(right)];
	if (leftTime === rightTime) return Number(left.id) - Number(right.id);
	return leftTime < rightTime ? -1 : 1;
}

import { accessRefusals, fallbackTo, ServiceError } from '../api/http/serviceError';
import type { SheetRecord } from '../api/read/record';
import { InputError } from '../api/values/inputError';
import {
	changeOf,
	compareNewest,
	comparedRecords,
	currentPass,
	cursorAfter,
	endEmptyPass,
	endPass,
	endSetBack,
	hadRecordsAtStart,
	isEmittedState,
	isSameState,
	moveTimeZone,
	noteCreateDates,
	noteEmitted,
	noteRenamed,
	noteTimes,
	shiftOf,
	stateBeforeSilentChange,
	type RecordChange,
	type Cursor,
} from './cursor';
import { changedPlaces, fieldDigests } from './enteredFields';
import { evenSample } from './evenSample';
import { missingDate, updateTimeOf } from './sheetReader';
import type { ChangeList, ReadRecord, SheetReader } from './sheetReader';
import { createTime, updateTime } from './updateTimes';

/** Maximum number of items per poll. */
export const maxItems = 1_000;
/** Maximum number of records without a date that are remembered from the start. */
const maxUndated = 1_000;
/** Number of record keys stored to find the position of an unfinished pass again. */
const positionKeys = 20;
/** Time between two comparisons of the most recently changed records, in ms. */
const comparisonIntervalMilliseconds = 15 * 60_000;
/** Maximum number of single reads that check whether a list is of the polled sheet. */
const maxSampledRecords = 3;

type NewestReader = Pick<SheetReader, 'fetchNewest' | 'fetchRecord'>;
/** Readers of tests may lack the methods that report entered values. Then any different value counts. */
type EntryReader = Partial<Pick<SheetReader, 'enteredFields' | 'fetchChanged'>>;
type NewestOnly = Pick<SheetReader, 'fetchNewest'>;
type ChangesReader = NewestReader & EntryReader & Pick<SheetReader, 'fetchChanges' | 'isTimeOver'>;

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
	/** IDs of listed records without a valid Last Update Date. Their changes cannot be found. */
	undated: Set<string>;
	/**
	 * Set if a list was not used: a part of the list of changes, or the list for comparison. The unused list did not move the
	 * cursor, but other lists of the poll may have. After `emptyStart`, the node must start again.
	 */
	problem?: ListProblem;
}

/** Numbers of changes and records, of which tests use smaller ones. */
interface Limits {
	maxChanges?: number;
	compared?: number;
	/** Returns the time of this machine in ms. */
	now: () => number;
}

/** Result of the first poll. */
export interface StartedCursor {
	cursor: Cursor;
	/** The most recently changed records, latest first. */
	newest: ReadRecord[];
	/** IDs of the read records that have no valid Last Update Date. */
	undated: Set<string>;
}

/**
 * Returns a cursor after all changes of the sheet, and the most recently changed records. Throws InputError if the list is of
 * another sheet, or if no record has a valid Last Update Date.
 */
export async function startCursor(
	reader: NewestReader,
	now: number,
	compared = comparedRecords,
): Promise<StartedCursor> {
	const { newest, undated, count } = await fetchNewestRecords(reader, compared);
	if (newest.length === 0 || (await isAnyConfirmed(reader, newest))) {
		const cursor = cursorAfter(newest, now, count);
		if (undated.size > 0) {
			cursor.undated = [...undated].slice(0, maxUndated);
			// The sheet has records, although none of them may have a date.
			delete cursor.startedEmptyAt;
		}
		return { cursor, newest, undated };
	}
	throw otherSheetError();
}

/**
 * Returns the most recently changed records, latest first. Throws InputError if they are certainly not of the polled sheet, or if
 * no record has a valid Last Update Date.
 */
export async function fetchNewestOfSheet(
	cursor: Cursor | undefined,
	reader: NewestReader,
): Promise<ReadRecord[]> {
	const { newest } = await fetchNewestRecords(reader, comparedRecords);
	const isOfSheet = cursor
		? await areOfSheet(cursor, reader, [newest])
		: newest.length === 0 || (await isAnyConfirmed(reader, newest));
	if (isOfSheet) return newest;
	throw otherSheetError();
}

function otherSheetError(): InputError {
	return new InputError(
		'The service returned a list of another sheet: none of its records is on this sheet',
		'Try again later.',
		undefined,
		true,
	);
}

/**
 * Compares the most recently changed records, if it is time. Then reads changes that were not emitted yet, until more than half
 * of `maxChanges` are selected (never more than `maxChanges`) or the list ends, and moves the cursor after them. Only a list that
 * is certainly of the polled sheet moves the cursor. Skips records without a valid Last Update Date. Throws InputError if no
 * compared record has one. Throws ServiceError if a read fails, but returns the changes so far if the time of the poll is over after the first part.
 *
 * @param select returns the changes to emit; the rest count as emitted
 */
export async function findChanges(
	cursor: Cursor,
	reader: ChangesReader,
	select: (changes: RecordChange[]) => Promise<RecordChange[]>,
	{ maxChanges = maxItems, compared = comparedRecords, now }: Limits,
): Promise<FoundChanges> {
	const { undated, problem } = await compareIfDue(cursor, reader, compared, now);
	const result: FoundChanges = {
		changes: [],
		isAtEnd: false,
		isSetBack: false,
		undated,
		problem,
	};
	const { changes } = result;
	// Stop at half of the changes: requesting a few more would cost as much as a full part of the next poll.
	for (let parts = 0; changes.length <= maxChanges / 2; parts++) {
		const remaining = { maxChanges: maxChanges - changes.length, compared, now };
		const reading = fetchPart(cursor, reader, remaining);
		const part = await reading.catch((thrown: unknown) => {
			if (parts === 0 || !reader.isTimeOver) throw thrown;
		});
		if (!part) break;
		const { found } = part;
		result.problem = part.problem ?? result.problem;
		for (const id of part.undated) undated.add(id);
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
type Part = ChangeList & { found: RecordChange[]; undated: string[]; problem?: ListProblem };

async function fetchPart(
	cursor: Cursor,
	reader: ChangesReader,
	{ maxChanges, compared, now }: Required<Limits>,
): Promise<Part> {
	const { position } = currentPass(cursor, now());
	const range = { since: cursor.readFrom, limit: maxChanges, after: position };
	const list = await reader.fetchChanges(range);
	const { dated, undated } = byDate(list.records);
	const part = { ...list, records: dated, undated };
	const found = () => dated.flatMap((record) => changeOf(cursor, record) ?? []);
	const problem = await problemOf(cursor, reader, { ...list, found: found() }, now);
	// If the list is empty, the position in it is meaningless: the next poll reads it from the start.
	if (problem === 'empty') endEmptyPass(cursor);
	if (problem) return { ...part, found: found(), problem };
	// First, because values that differ at a moved time were not entered by people, either.
	const isMoved = await followTimeZone(cursor, reader, dated, compared);
	noteRenamed(cursor, dated);
	await noteComputed(cursor, reader, dated);
	if (!isMoved) return { ...part, found: found() };
	// The list was read from a time in the old time zone, so the next poll reads it from the start.
	return { ...part, found: found(), position: undefined, isEnd: false };
}

/** A record whose values differ at the same Last Update Date. */
interface SilentChange {
	record: ReadRecord;
	/** Places of the fields that may have changed. */
	places: string[];
	/** Whether the values of the fields before the change are known. */
	isKnown: boolean;
}

function silentChange(cursor: Cursor, record: ReadRecord): SilentChange {
	const { fields = '' } = stateBeforeSilentChange(cursor, record) ?? {};
	const isKnown = fields !== '';
	// If the earlier digests of the fields are unknown, any field may have changed.
	const places = isKnown ? changedPlaces(fields, record.content) : [...record.content.keys()];
	return { record, places, isKnown };
}

/**
 * Notes the records whose values differ at the same Last Update Date, although people have entered nothing: only formulas and
 * read-only fields changed, or fields were added or renamed. Without a list of formulas, values that differ again in a second read
 * are formulas.
 */
async function noteComputed(
	cursor: Cursor,
	reader: EntryReader,
	records: readonly ReadRecord[],
): Promise<void> {
	const changed = records.filter((record) => stateBeforeSilentChange(cursor, record));
	if (changed.length === 0 || !reader.enteredFields) return;
	const entered = await reader.enteredFields();
	const doubtful: SilentChange[] = [];
	for (const record of changed) {
		const change = silentChange(cursor, record);
		if (!entered?.includesAny(change.places)) noteEmitted(cursor, record);
		else if (!entered.isCertain || !change.isKnown) doubtful.push(change);
	}
	for (const { record, places } of evenSample(doubtful, maxSampledRecords)) {
		if (!(await areUnstable(reader, record, places))) continue;
		for (const each of doubtful) noteEmitted(cursor, each.record);
		return;
	}
}

/** Returns whether a second read of a record shows other values at some of the places, at the same Last Update Date. */
async function areUnstable(
	reader: EntryReader,
	record: ReadRecord,
	places: readonly string[],
): Promise<boolean> {
	const again = await reader.fetchChanged?.(record.id).catch(fallbackTo(undefined));
	if (!again || updateTime(again.content) !== updateTimeOf(record)) return false;
	const changed = changedPlaces(fieldDigests(record.content), again.content);
	return changed.some((place) => places.includes(place));
}

/** Moves the cursor if the times of the records moved with the time zone of the account. Returns whether they did. */
async function followTimeZone(
	cursor: Cursor,
	reader: NewestReader,
	records: readonly ReadRecord[],
	compared: number,
): Promise<boolean> {
	const isMoved = records.some((record) => {
		const known = cursor.emitted.get(record.id);
		return known !== undefined && shiftOf(known, record) !== 0;
	});
	if (!isMoved) return false;
	const { dated } = byDate(await reader.fetchNewest(compared));
	return moveTimeZone(cursor, [...dated, ...records]);
}

/** Returns why a list cannot be used; undefined if it is certainly of the polled sheet. */
async function problemOf(
	cursor: Cursor,
	reader: NewestReader,
	{ pages, found }: Pick<ChangeList, 'pages'> & { found: readonly RecordChange[] },
	now: () => number,
): Promise<ListProblem | undefined> {
	const listed = pages.flat();
	if (listed.length === 0) return 'empty';
	if (!(await areOfSheet(cursor, reader, pages))) return 'otherSheet';
	if (cursor.startedEmptyAt === undefined || found.length === 0) return undefined;
	const newest = await reader.fetchNewest(1);
	const { dated } = byDate([...listed, ...newest]);
	const hadRecords = hadRecordsAtStart(cursor, dated, now());
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
 * any, and the IDs of records without a valid Last Update Date.
 */
async function compareIfDue(
	cursor: Cursor,
	reader: NewestReader,
	compared: number,
	now: () => number,
): Promise<Pick<FoundChanges, 'problem' | 'undated'>> {
	const age = now() - cursor.comparedAt;
	const isDue = !cursor.pass && !(age >= 0 && age < comparisonIntervalMilliseconds);
	if (!isDue) return { undated: new Set() };
	const read = await fetchDated(reader, compared);
	const newest = read.newest.slice(0, compared);
	const isUsable = newest.length === 0 || (await areOfSheet(cursor, reader, [newest]));
	if (!isUsable) return { undated: new Set(), problem: 'otherSheet' };
	noteCreateDates(cursor, newest);
	moveTimeZone(cursor, newest);
	compareNewest(cursor, newest, now(), compared);
	return { undated: read.undated };
}

/**
 * Returns whether all pages of a list are certainly of the polled sheet: each has a record in its emitted state or unchanged
 * since the page before, or a single read confirms one of its changed records.
 */
async function areOfSheet(
	cursor: Cursor,
	reader: Pick<SheetReader, 'fetchRecord'>,
	pages: ReadonlyArray<readonly ReadRecord[]>,
): Promise<boolean> {
	let pageBefore: readonly ReadRecord[] = [];
	const datedPages = pages.map((page) => byDate(page).dated);
	for (const page of datedPages.filter(({ length }) => length > 0)) {
		const isKnown = (record: ReadRecord) =>
			isEmittedState(cursor, record) || pageBefore.some((known) => isSameState(known, record));
		const changed = page.filter((record) => changeOf(cursor, record) !== undefined);
		const sample = changed.length > 0 ? changed : page;
		if (!page.some(isKnown) && !(await isAnyConfirmed(reader, sample))) return false;
		pageBefore = page;
	}
	return true;
}

/**
 * Returns whether a single read confirms one of the records: it has the same Create Date, or the service refuses to show it singly.
 * Reads several, because a record may have been deleted a moment ago, and a single read may fail. Throws ServiceError if a read
 * fails and no other one confirms a record.
 */
async function isAnyConfirmed(
	reader: Pick<SheetReader, 'fetchRecord'>,
	records: readonly SheetRecord[],
): Promise<boolean> {
	const failures: ServiceError[] = [];
	for (const record of evenSample(records, maxSampledRecords)) {
		const single = await reader.fetchRecord(record.id).catch((error: unknown) => {
			if (!(error instanceof ServiceError)) throw error;
			if (accessRefusals.includes(error.kind)) return 'unreadable' as const;
			failures.push(error);
			return undefined;
		});
		if (single === 'unreadable') return true;
		// A record with the same ID on another sheet has another Create Date.
		if (single && createTime(single.content) === createTime(record.content)) return true;
	}
	const [failure] = failures;
	if (failure) throw failure;
	return false;
}

/** The most recently changed records with a valid Last Update Date, latest first. */
interface NewestRecords {
	newest: ReadRecord[];
	/** IDs of the records without one. */
	undated: Set<string>;
	/** Number of records for which the list was read. The sheet has no more records if there are fewer. */
	count: number;
}

/** Returns the most recently changed records: `count` of them, or more if all of them have the same time. */
async function fetchNewestRecords(reader: NewestOnly, count: number): Promise<NewestRecords> {
	const read = await fetchDated(reader, count);
	const { newest } = read;
	const [first, last] = [newest[0], newest[count - 1]];
	if (!first || !last || updateTimeOf(first) !== updateTimeOf(last)) return read;
	return await fetchNewestRecords(reader, 4 * count);
}

/**
 * Returns at least `count` of the most recently changed records with a date, if the sheet has as many. Throws InputError if none of
 * several records has a date.
 */
async function fetchDated(
	reader: NewestOnly,
	count: number,
	limit = count,
): Promise<NewestRecords> {
	const records = await reader.fetchNewest(limit);
	const { dated, undated } = byDate(records);
	// Records without a date may take the first places of the list.
	if (dated.length < count && records.length >= limit && limit < 8 * count) {
		return await fetchDated(reader, count, 4 * limit);
	}
	const [first] = records;
	if (dated.length === 0 && first && records.length > 1) throw missingDate(first.id);
	const isWhole = records.length < limit;
	const known = isWhole ? count : Math.min(count, dated.length);
	return { newest: dated, undated: new Set(undated), count: known };
}

/** Returns the records with a valid Last Update Date, and the IDs of the others. */
function byDate(records: readonly ReadRecord[]): { dated: ReadRecord[]; undated: string[] } {
	const hasDate = ({ content }: ReadRecord) => updateTime(content) !== undefined;
	const undated = records.filter((record) => !hasDate(record)).map(({ id }) => id);
	return { dated: records.filter(hasDate), undated };
}

function byTimeAndId({ record: left }: RecordChange, { record: right }: RecordChange): number {
	const [leftTime, rightTime] = [updateTimeOf(left), updateTimeOf(right)];
	if (leftTime === rightTime) return Number(left.id) - Number(right.id);
	return leftTime < rightTime ? -1 : 1;
}

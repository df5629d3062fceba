import type { Client } from '../http/client';
import { ServiceError, fallbackTo } from '../http/serviceError';
import { getOrInsert } from '../json/objects';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import { rowsOf } from '../read/record';
import { isFieldId } from '../sheet/fields';
import { SheetFields } from '../sheet/sheetFields';
import type { RecordAddress, SheetAddress } from '../values/sheetAddress';
import { subtableKey, subtableOf } from '../values/subtableKeys';
import { joinedSentences } from '../values/text';
import {
	contentWithoutKinds,
	forNewRecord,
	isEmpty,
	isStoredRowId,
	noChanges,
} from '../write/recordContent';
import type {
	FieldValues,
	FilePlace,
	RecordChanges,
	RecordContent,
	ValueNote,
} from '../write/recordContent';
import { createRecord, updateRecord, type SavedRecord, type Writing } from '../write/records';
import { StoredRecord } from '../write/storedRecord';
import { matchRows } from './matchRows';
import { hasValues, isRefusedWhole, noSuchRow, withDroppedRows } from './subtableRows';

type RowPlace = FilePlace & { rowId: string };

type RowIds = RecordChanges['deletedRows'];

/**
 * Returns the rows of a record with the row ID of a file, each with the ID of its subtable: from the known subtable, or from all.
 * If some of the rows have the field, returns only these.
 */
export function rowsAt(content: JsonObject, { fieldId, rowId, subtableId: known }: RowPlace) {
	const subtableIds = known ?? [...content.keys()].flatMap((key) => subtableOf(key) ?? []);
	const rows = [subtableIds].flat().flatMap((subtableId) => {
		const row = rowsOf(content, subtableId)?.get(rowId);
		return isJsonObject(row) ? [{ subtableId, row }] : [];
	});
	const withField = rows.filter(({ row }) => row.has(fieldId));
	return withField.length > 0 ? withField : rows;
}

/**
 * Updates a record, and then checks that its rows exist, because the service may skip missing rows without an error. Throws
 * ServiceError, also for a missing row to change; the rest is saved by then. A missing row to delete gives a note. A subtable
 * with fewer rows than were added gives a warning. In a subtable with enough other rows, a dropped new row is not noticed.
 */
export async function updateWithRows(
	client: Client,
	stored: StoredRecord,
	content: RecordContent,
	writing: Writing,
): Promise<SavedRecord> {
	const mayBeAbsent = content.changes.deletedRows.size > 0 && !content.isCompared;
	const loading = mayBeAbsent ? stored.before().catch(fallbackTo(undefined)) : stored.loadedBefore;
	const before = await loading;
	const absent = before && mayBeAbsent ? notesOnAbsentRows(before, content.changes) : [];
	const saved = await updateTogether(client, stored, { content, before }, writing);
	const withNotes = { ...saved, notes: [...(saved.notes ?? []), ...absent] };
	return await withRowsChecked(stored, content, withNotes);
}

/** Throws ServiceError if a stored record lacks a row that the content changes or adds a file to. For dry runs. */
export function requireChangedRows(
	record: RecordAddress,
	stored: JsonObject,
	content: RecordContent,
): void {
	const [missing] = missingRowPlaces(stored, content);
	if (missing) throw noSuchRow(record, missing);
}

/** Returns notes on rows to delete that a record does not have. The service also confirms the deletion of missing rows. */
export function notesOnAbsentRows(
	content: JsonObject,
	{ deletedRows }: RecordChanges,
): ValueNote[] {
	return rowNotes('noRow', rowsToDelete(deletedRows, 'absent', content));
}

/**
 * Updates a record in one request. If the service refuses the request as a whole, but not because of an invalid value, sends the
 * other changes without the deletions. Afterward, another request deletes the rows that still exist. Throws ServiceError, also
 * for a refused request that only deletes rows.
 */
async function updateTogether(
	client: Client,
	stored: StoredRecord,
	{ content, before }: { content: RecordContent; before: JsonObject | undefined },
	writing: Writing,
): Promise<SavedRecord> {
	const { deletedRows } = content.changes;
	// The whole request and the request without the deletions are the same step: it counts as done if either was confirmed, and
	// the record then shows which rows are still to be deleted.
	const update = async (part: RecordContent, step?: string) => {
		stored.beginWrite();
		return await updateRecord(client, stored.address, part, { ...writing, step });
	};
	if (deletedRows.size === 0) return await update(content);
	const withoutDeletions = { ...content, changes: { ...content.changes, deletedRows: new Map() } };
	const hasOtherChanges = !isEmpty(withoutDeletions.changes) || content.files.length > 0;
	const saved = await update(content).catch(async (error: unknown) => {
		const isInvalid = error instanceof ServiceError && error.kind === 'rejected';
		// An invalid value stays invalid without the deletions.
		if (!hasOtherChanges || isInvalid || !isRefusedWhole(error)) throw error;
		return await update(withoutDeletions);
	});
	const after = saved.saved ?? (await stored.after());
	const present = rowsToDelete(deletedRows, 'present', after);
	const { offsetHours } = writing;
	const { old: remaining, doubtful } = oldRows(present, { content, before, after, offsetHours });
	const notes = [...(saved.notes ?? []), ...rowNotes('notDeleted', doubtful)];
	if (remaining.size === 0) return { ...saved, notes };
	const deletion = contentWithoutKinds({ ...noChanges(), deletedRows: remaining });
	const step = `delete rows ${JSON.stringify([...remaining])}`;
	const removed = await update(deletion, step).catch((error: unknown) => {
		if (!(error instanceof ServiceError)) throw error;
		const rows = [...remaining].map(([id, rowIds]) => `${rowIds.join(', ')} of subtable ${id}`);
		const outcome = `it is not certain that these rows were deleted: ${rows.join('; ')}`;
		throw error.with({
			message: `The record was written without its deletions, and ${outcome}. ${error.message}`,
			description: `${error.details.description ?? ''} Run this again to delete them.`.trim(),
		});
	});
	const afterDeletion = removed.saved ?? (await stored.after());
	notes.push(...(removed.notes ?? []));
	notes.push(...rowNotes('notDeleted', rowsToDelete(remaining, 'present', afterDeletion)));
	const warnings = joinedSentences(new Set([saved.warning, removed.warning]));
	return { ...removed, notes, warning: warnings || undefined };
}

/** A record before and after a write with new rows. */
interface Rewritten {
	content: RecordContent;
	before: JsonObject | undefined;
	after: JsonObject | undefined;
	offsetHours: number | undefined;
}

/**
 * Returns the rows to delete that are still the old ones, because the service may give a new row the ID of a deleted row. A row is
 * new if it did not exist before the write, or now has the values of a new row of the input. Any other row is `doubtful`: perhaps
 * somebody has changed an old row, so doubtful rows must not be deleted.
 */
function oldRows(present: RowIds, { content, before, after, offsetHours }: Rewritten) {
	const old: RowIds = new Map();
	const doubtful: RowIds = new Map();
	for (const [subtableId, rowIds] of present) {
		const added = newRowsOf(content, subtableId);
		const hasValuesOf = (rowId: string, values: ReadonlyMap<string, JsonValue>) =>
			hasValues(after && rowsOf(after, subtableId)?.get(rowId), values, offsetHours !== undefined);
		const isNew = (rowId: string) => added.some((values) => hasValuesOf(rowId, values));
		for (const rowId of rowIds) {
			const stored = before && rowsOf(before, subtableId)?.get(rowId);
			const isSame = isJsonObject(stored) && hasValuesOf(rowId, fieldsOf(stored));
			const isOld = !before || added.length === 0 || isSame;
			if (!isOld && (!stored || isNew(rowId))) continue;
			getOrInsert(isOld ? old : doubtful, subtableId, () => []).push(rowId);
		}
	}
	return { old, doubtful };
}

/** Returns the values of the new rows of a subtable. */
function newRowsOf({ changes }: RecordContent, subtableId: string): FieldValues[] {
	const rows = [...(changes.subtables.get(subtableId) ?? [])];
	return rows.flatMap(([rowId, values]) => (isStoredRowId(rowId) ? [] : [values]));
}

function fieldsOf(row: JsonObject): JsonObject {
	return new Map([...row].filter(([key]) => isFieldId(key)));
}

/** Returns the rows to delete that a record has (`present`) or lacks (`absent`). An undefined record lacks all rows. */
function rowsToDelete(
	deletedRows: RowIds,
	state: 'absent' | 'present',
	record: JsonObject | undefined,
): RowIds {
	const chosen = [...deletedRows].map(([subtableId, rowIds]) => {
		const rows = record && rowsOf(record, subtableId);
		const isPresent = (rowId: string) => rows?.has(rowId) ?? false;
		const inState = rowIds.filter((rowId) => isPresent(rowId) === (state === 'present'));
		return [subtableId, inState] as const;
	});
	return new Map(chosen.filter(([, rowIds]) => rowIds.length > 0));
}

function rowNotes(reason: ValueNote['reason'], deletedRows: RowIds): ValueNote[] {
	return [...deletedRows].flatMap(([id, rowIds]) =>
		rowIds.map((rowId) => ({ name: `row ${rowId} of ${subtableKey(id)}`, reason })),
	);
}

/** Returns the content for a new record. Throws the errors of `matchRows`. */
export async function contentOfNewRecord(
	client: Client,
	sheet: SheetAddress,
	input: RecordContent,
): Promise<RecordContent> {
	const nowhere = { sheet, recordId: '' };
	return await matchRows(new SheetFields(client, sheet), nowhere, forNewRecord(input), new Map());
}

/**
 * Creates a record, and adds a warning about rows that the service dropped. Rows with IDs of another record become new rows. Rows
 * to delete are not sent, because a new record has none; each gives a note. Throws ServiceError, and the errors of `matchRows`,
 * for example if two rows of the input have the same match values.
 */
export async function createWithRows(
	client: Client,
	sheet: SheetAddress,
	input: RecordContent,
	writing: Writing,
): Promise<SavedRecord> {
	const { changes, ...rest } = await contentOfNewRecord(client, sheet, input);
	const content = { ...rest, changes: { ...changes, deletedRows: new Map() } };
	const saved = await createRecord(client, sheet, content, writing);
	const notes = [...(saved.notes ?? []), ...notesOnAbsentRows(new Map(), changes)];
	const stored = new StoredRecord(client, { sheet, recordId: saved.recordId });
	return await withRowsChecked(stored, content, { ...saved, notes });
}

/**
 * Returns a saved record, with a warning if a subtable has fewer rows than were added. Throws ServiceError for a row to change
 * that does not exist. If the answer lacks rows, the record is read again, and that reading decides. Nothing is checked if the
 * answer has no record and the write only adds rows.
 */
async function withRowsChecked(
	stored: StoredRecord,
	content: RecordContent,
	saved: SavedRecord,
): Promise<SavedRecord> {
	const lacksNewRows = (record: JsonObject) =>
		[...content.changes.subtables].some(([id, rows]) => {
			const added = [...rows.keys()].filter((rowId) => !isStoredRowId(rowId));
			return added.length > (rowsOf(record, id)?.size ?? 0);
		});
	const returned: JsonObject = saved.saved ?? new Map();
	const isUncertain =
		(saved.saved && lacksNewRows(returned)) || missingRowPlaces(returned, content).length > 0;
	const after = isUncertain ? await stored.after() : undefined;
	if (!after) return saved;
	const [missing] = missingRowPlaces(after, content);
	if (missing)
		throw noSuchRow(stored.address, missing, 'Whatever else was to be written is saved.');
	return lacksNewRows(after) ? { ...saved, warning: withDroppedRows(saved.warning) } : saved;
}

/** Returns whether a file is for an existing row, not for a new one. */
export function isInStoredRow<Place extends FilePlace>(place: Place): place is Place & RowPlace {
	return place.rowId !== undefined && isStoredRowId(place.rowId);
}

/** Returns the places of rows that a write needs and that a record lacks. */
function missingRowPlaces(record: JsonObject, { changes, files }: RecordContent): RowPlace[] {
	const changed = [...changes.subtables].flatMap(([subtableId, rows]) =>
		// The field is not needed, because the subtable is known.
		[...rows.keys()].filter(isStoredRowId).map((rowId) => ({ fieldId: '', rowId, subtableId })),
	);
	const places = [...changed, ...files.filter(isInStoredRow)];
	return places.filter((place) => rowsAt(record, place).length === 0);
}

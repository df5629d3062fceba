import type { Client } from '../http/client';
import { outcomeIsUnknown } from '../http/policies';
import { ServiceError } from '../http/serviceError';
import { isJsonObject, type JsonObject } from '../json/orderedJson';
import { rowsOf } from '../read/record';
import { contentNow } from '../read/records';
import { Schema } from '../schema/schema';
import type { RecordAddress, SheetAddress } from '../values/sheetAddress';
import { subtableKey, subtableOf } from '../values/subtableKeys';
import { forNewRecord, isEmpty, isExistingRow, noChanges } from '../write/recordContent';
import type { FilePlace, RecordChanges, RecordContent, ValueNote } from '../write/recordContent';
import { createRecord, updateRecord, type SavedRecord, type Writing } from '../write/records';
import { matchRows } from './matchRows';
import { isRefusedWhole, noSuchRow, warningWith } from './subtableRows';

/** The place of a file in a row. */
export interface RowPlace extends FilePlace {
	rowId: string;
}

/** A row of a record, and where it is. */
export interface ExistingRow {
	subtableId: string;
	row: JsonObject;
}

/**
 * Returns the rows that the place of a file may mean: several only when subtables have rows of the same id and it is
 * unknown to which of them the field belongs.
 *
 * @param content of the record, by field ids
 */
export async function rowsAt(
	client: Client,
	{ sheet }: RecordAddress,
	content: JsonObject,
	{ fieldId, rowId, subtableId }: RowPlace,
): Promise<ExistingRow[]> {
	const rows = [...content.keys()].flatMap((key) => {
		const id = subtableOf(key);
		const row = id === undefined ? undefined : rowsOf(content, id)?.get(rowId);
		return id !== undefined && isJsonObject(row) ? [{ subtableId: id, row }] : [];
	});
	if (subtableId !== undefined) return rows.filter((found) => found.subtableId === subtableId);
	const withField = rows.filter(({ row }) => row.has(fieldId));
	if (withField.length > 0 || rows.length === 0) return withField;
	// After a write, a failure to read must not look like a failure of the write.
	const list = await new Schema(client, sheet).list().catch(() => undefined);
	const field = list?.fields.find((listed) => listed.fieldId === fieldId);
	return field ? rows.filter((found) => found.subtableId === field.subtableId) : rows;
}

/**
 * Updates a record, and checks that the rows exist that are changed or get files: the service may pass over one that
 * does not. The record is read again only when the answer does not show them.
 *
 * @throws ServiceError as `updateRecord` does, and when the record has no such row
 */
export async function updateWithRows(
	client: Client,
	record: RecordAddress,
	content: RecordContent,
	writing: Writing,
): Promise<SavedRecord> {
	const { changes, files } = content;
	const mayBeAbsent = changes.deletedRows.size > 0 && !content.isCompared;
	const before = mayBeAbsent ? await contentNow(client, record) : undefined;
	const absent = before ? absentRows(before, changes) : [];
	const updated = await updateTogether(client, record, content, writing);
	const written = { ...updated, notes: [...(updated.notes ?? []), ...absent] };
	const isNew = (rowId: string) => !isExistingRow(rowId);
	const saved = await withDroppedRows(client, record, content, written, isNew);
	const unseen = await missingRows(client, record, saved.saved, placesOf(content));
	const now = unseen.length > 0 ? await contentNow(client, record) : undefined;
	const missing = now ? await missingRows(client, record, now, unseen) : [];
	const [first] = missing;
	if (!first) return saved;
	const rowCounts = [...changes.subtables.values()].map(({ size }) => size);
	const parts = [changes.fields.size, changes.deletedRows.size, files.length, ...rowCounts];
	const isAll = missing.length === parts.reduce((sum, count) => sum + count);
	throw noSuchRow(record, first, isAll ? undefined : 'Whatever else was to be written is saved.');
}

/** Throws ServiceError when a record does not hold a row that is to be changed or gets a file. */
export async function requireRows(
	client: Client,
	record: RecordAddress,
	held: JsonObject,
	content: RecordContent,
): Promise<void> {
	const [missing] = await missingRows(client, record, held, placesOf(content));
	if (missing) throw noSuchRow(record, missing);
}

/** Returns notes on rows to delete that a record does not have: the service confirms their deletion, too. */
export function absentRows(content: JsonObject, { deletedRows }: RecordChanges): ValueNote[] {
	return [...deletedRows].flatMap(([subtableId, rowIds]) => {
		const rows = rowsOf(content, subtableId);
		return rowNotes(
			'noRow',
			subtableId,
			rowIds.filter((rowId) => !rows?.has(rowId)),
		);
	});
}

/**
 * Updates a record in one request. Should the service refuse or pass over the deletion of rows beside other changes, it
 * follows in a second one. Throws ServiceError, which says when that one alone has failed.
 */
async function updateTogether(
	client: Client,
	record: RecordAddress,
	content: RecordContent,
	writing: Writing,
): Promise<SavedRecord> {
	const { deletedRows } = content.changes;
	const others = { ...content, changes: { ...content.changes, deletedRows: new Map() } };
	const remove = async (rows: RecordChanges['deletedRows']) => {
		const deletion = { changes: { ...noChanges(), deletedRows: rows }, files: [] };
		// Another try of the item may find that only this is left to do.
		const identity = `rows to delete ${record.recordId}`;
		const removed = await updateRecord(client, record, deletion, writing, identity);
		const left = rowsLeft(removed.saved ?? (await contentNow(client, record)), rows);
		const notes = [...left].flatMap(([id, rowIds]) => rowNotes('notDeleted', id, rowIds));
		return { ...removed, notes: [...(removed.notes ?? []), ...notes] };
	};
	if (deletedRows.size === 0) return await updateRecord(client, record, content, writing);
	if (isEmpty(others.changes) && content.files.length === 0) return await remove(deletedRows);
	const saved = await updateRecord(client, record, content, writing).catch(
		async (error: unknown) => {
			if (!isRefusedWhole(error) || !(error instanceof ServiceError)) throw error;
			if (error.kind === 'rejected') throw error;
			return await updateRecord(client, record, others, writing);
		},
	);
	const shown = saved.saved ?? (await contentNow(client, record));
	const left = rowsLeft(shown, deletedRows);
	if (left.size === 0) return saved;
	const removed = await remove(left).catch((error: unknown) => {
		if (!(error instanceof ServiceError)) throw error;
		const named = [...left].map(([id, rowIds]) => `${rowIds.join(', ')} of subtable ${id}`);
		const rows = named.join('; ');
		const outcome = outcomeIsUnknown(error)
			? `it is not known whether the rows ${rows} were deleted`
			: `the rows ${rows} were not deleted`;
		throw error.with({
			message: `The record was written without its deletions, and ${outcome}. ${error.message}`,
			description: `${error.details.description ?? ''} Run this again to delete them.`.trim(),
		});
	});
	return { ...removed, notes: [...(saved.notes ?? []), ...(removed.notes ?? [])] };
}

/** Returns which of the rows to delete a record still shows, by their subtables. */
function rowsLeft(
	shown: JsonObject | undefined,
	deletedRows: RecordChanges['deletedRows'],
): RecordChanges['deletedRows'] {
	const left = [...deletedRows].map(([id, rowIds]) => {
		const rows = shown && rowsOf(shown, id);
		return [id, rowIds.filter((rowId) => rows?.has(rowId))] as const;
	});
	return new Map(left.filter(([, rowIds]) => rowIds.length > 0));
}

function rowNotes(
	reason: ValueNote['reason'],
	subtableId: string,
	rowIds: readonly string[],
): ValueNote[] {
	const place = subtableKey(subtableId);
	return rowIds.map((rowId) => ({ name: `row ${rowId} of ${place}`, reason }));
}

/**
 * Creates a record, and warns of rows that the service dropped. Throws ServiceError as `createRecord` does; InputError
 * for rows that have the same values in all match fields.
 */
export async function createWithRows(
	client: Client,
	sheet: SheetAddress,
	given: RecordContent,
	writing: Writing,
): Promise<SavedRecord> {
	const nowhere = { sheet, recordId: '' };
	const schema = new Schema(client, sheet);
	const content = await matchRows(schema, nowhere, forNewRecord(given), new Map());
	const saved = await createRecord(client, sheet, content, writing);
	const record = { sheet, recordId: saved.recordId };
	return await withDroppedRows(client, record, content, saved, () => true);
}

/** Returns a saved record with a warning when neither the answer nor the record shows as many rows as were added. */
async function withDroppedRows(
	client: Client,
	record: RecordAddress,
	{ changes }: RecordContent,
	saved: SavedRecord,
	isNew: (rowId: string) => boolean,
): Promise<SavedRecord> {
	const lacksRows = (shown: JsonObject) =>
		[...changes.subtables].some(
			([id, rows]) => [...rows.keys()].filter(isNew).length > (rowsOf(shown, id)?.size ?? 0),
		);
	if (!saved.saved || !lacksRows(saved.saved)) return saved;
	const now = await contentNow(client, record);
	if (!now || !lacksRows(now)) return saved;
	return { ...saved, warning: warningWith(saved.warning) };
}

/** Whether a file is for a row that exists, and not for a new one. */
export function isInExistingRow<Place extends FilePlace>(place: Place): place is Place & RowPlace {
	return place.rowId !== undefined && isExistingRow(place.rowId);
}

/** Returns the places where a write expects rows. */
function placesOf({ changes, files }: RecordContent): RowPlace[] {
	const changed = [...changes.subtables].flatMap(([subtableId, rows]) =>
		// With the subtable known, the row's fields do not matter.
		[...rows.keys()].filter(isExistingRow).map((rowId) => ({ fieldId: '', rowId, subtableId })),
	);
	return [...changed, ...files.filter(isInExistingRow)];
}

/** Returns those of the places whose row the record does not show. */
async function missingRows(
	client: Client,
	record: RecordAddress,
	shown: JsonObject | undefined,
	places: readonly RowPlace[],
): Promise<RowPlace[]> {
	const missing: RowPlace[] = [];
	for (const place of places) {
		const rows = shown ? await rowsAt(client, record, shown, place) : [];
		if (rows.length === 0) missing.push(place);
	}
	return missing;
}

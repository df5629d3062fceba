import { isJsonObject, type JsonObject } from '../json/orderedJson';
import { isExistingRow, type FilePlace, type RecordContent } from '../write/recordContent';
import { ServiceError } from '../http/serviceError';
import type { RecordAddress } from '../values/sheetAddress';
import { subtableOf } from '../values/subtableKeys';
import type { Client } from '../http/client';
import { Schema } from '../schema/schema';
import { readingBy } from '../read/readOptions';
import { getRecord } from '../read/records';
import { updateRecord } from '../write/records';
import { type SavedRecord } from '../write/records';
import { rowsOf } from './subtableRows';
import type { Writing } from '../write/writeOptions';

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
 * The rows that the place of a file may mean: none when there is no such row, several only when their
 * subtables have rows of the same id and nothing tells of which of them the field is.
 *
 * @param content of the record, by field ids
 */
export async function rowsAt(
	client: Client,
	{ sheet }: RecordAddress,
	content: JsonObject,
	{ fieldId, rowId, subtableId }: RowPlace,
): Promise<ExistingRow[]> {
	const rows = rowsOfId(content, rowId);
	const isIn = (place: string | undefined) => (held: ExistingRow) => held.subtableId === place;
	if (subtableId !== undefined) return rows.filter(isIn(subtableId));
	const withField = rows.filter(({ row }) => row.has(fieldId));
	if (withField.length > 0 || rows.length === 0) return withField;
	// After a write, nothing that is only asked may make it look as if it had failed.
	const list = await new Schema(client, sheet).list().catch(() => undefined);
	const field = list?.fields.find((listed) => listed.fieldId === fieldId);
	return field ? rows.filter(isIn(field.subtableId)) : rows;
}

/**
 * Updates a record, and looks whether the rows that are changed or get files are there: the service may pass
 * over one that is not. The record is read again only when the answer does not show them.
 *
 * @throws ServiceError as `updateRecord` does, and when the record has no such row
 */
export async function updateWithRows(
	client: Client,
	record: RecordAddress,
	content: RecordContent,
	writing: Writing,
): Promise<SavedRecord> {
	const saved = await updateRecord(client, record, content, writing);
	const untold = await withoutRow(client, record, saved.saved, placesOf(content));
	if (untold.length === 0) return saved;
	const now = await getRecord(client, record, readingBy('EID')).catch(() => undefined);
	const missing = now ? await withoutRow(client, record, now.content, untold) : [];
	const [first] = missing;
	if (!first) return saved;
	const isAll = missing.length === partCount(content);
	throw noSuchRow(record, first, isAll ? '' : ' Whatever else was to be written is saved.');
}

/** Where a write means to find rows. */
function placesOf({ changes, files }: RecordContent): RowPlace[] {
	const changed = [...changes.subtables].flatMap(([subtableId, rows]) =>
		// With the subtable known, the row's fields do not matter.
		[...rows.keys()].filter(isExistingRow).map((rowId) => ({ fieldId: '', rowId, subtableId })),
	);
	return [...changed, ...files.filter(isInExistingRow)];
}

function partCount({ changes: { fields, subtables, deletedRows }, files }: RecordContent): number {
	const rows = [...subtables.values()].reduce((count, { size }) => count + size, 0);
	return fields.size + rows + deletedRows.size + files.length;
}

/** What is said when the record has no such row. */
export function noSuchRow(
	{ recordId }: RecordAddress,
	{ rowId }: RowPlace,
	more = '',
): ServiceError {
	return new ServiceError({
		kind: 'notFound',
		message: `There is no row ${rowId} in the subtables of record ${recordId}`,
		description: `It may have been deleted. 'Subtable Row: Get Many' returns the rows' IDs.${more}`,
	});
}

/** Whether a file is for a row that is there already, and not for a new one. */
export function isInExistingRow<Place extends FilePlace>(place: Place): place is Place & RowPlace {
	return place.rowId !== undefined && isExistingRow(place.rowId);
}

/** Those of the places whose row the record does not show. */
async function withoutRow(
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

function rowsOfId(record: JsonObject, rowId: string): ExistingRow[] {
	return [...record.keys()].flatMap((key) => {
		const subtableId = subtableOf(key);
		const row = subtableId === undefined ? undefined : rowsOf(record, subtableId)?.get(rowId);
		return subtableId !== undefined && isJsonObject(row) ? [{ subtableId, row }] : [];
	});
}

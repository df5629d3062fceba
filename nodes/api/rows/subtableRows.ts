import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import { noChanges } from '../write/recordContent';
import type { FieldValues, RowContent, ValueNote } from '../write/recordContent';
import { sameIn } from '../write/sameValue';
import { ServiceError } from '../http/serviceError';
import type { RecordAddress } from '../values/sheetAddress';
import type { Client } from '../http/client';
import { rowsOf } from '../read/record';
import { contentNow } from '../read/records';
import { updateRecord } from '../write/records';
import type { Writing } from '../write/records';
import { sheetName } from '../write/writtenRecords';

/** The ids of the rows that subtables were last seen to have, by their places. */
export type KnownRows = Map<string, Set<string>>;

/** Where rows are. */
export interface Subtable extends RecordAddress {
	subtableId: string;
}

/** A row after a write, as far as the service shows it. */
export interface SavedRow {
	rowId?: string;
	row?: JsonObject;
	warning?: string;
	notes?: readonly ValueNote[];
}

/**
 * Adds a row to a record (specification, endpoint 7), and returns it. Throws ServiceError, also when the service passed
 * over the row.
 *
 * @param known what earlier requests of the run have shown
 */
export async function addRow(
	client: Client,
	subtable: Subtable,
	row: RowContent,
	writing: Writing,
	known: KnownRows,
): Promise<SavedRow> {
	const place = placeOf(client, subtable);
	// Files do not show which row is the new one, as their names are often the same.
	const isToRead = row.files.length > 0 && !known.has(place);
	const read = isToRead ? await rowsNow(client, subtable) : undefined;
	const before = known.get(place) ?? (read && new Set(read.keys()));
	const { rows, warning, notes } = await saveRow(client, subtable, '-1', row, writing);
	if (!rows) return { warning, notes };
	known.set(place, new Set(rows.keys()));
	const added = new Map([...rows].filter(([id]) => !before?.has(id)));
	if (added.size === 0) throw notAdded(subtable);
	const isOneOfSeveral = before !== undefined && added.size > 1;
	const rowId = isOneOfSeveral ? undefined : newRowId(added, row.values);
	if (rowId !== undefined) return { rowId, row: rowIn(rows, rowId), warning, notes };
	return { warning: isOneOfSeveral ? warning : warningWith(warning), notes };
}

/** Changes a row by its id (specification, endpoint 7), and returns it. Throws ServiceError, also when it does not exist. */
export async function updateRow(
	client: Client,
	subtable: Subtable,
	rowId: string,
	row: RowContent,
	writing: Writing,
): Promise<SavedRow> {
	const { rows, warning, notes } = await saveRow(client, subtable, rowId, row, writing);
	if (rows?.has(rowId) === false) throw noSuchRow(subtable, { ...subtable, rowId });
	return { rowId, row: rowIn(rows, rowId), warning, notes };
}

/**
 * Deletes a row (specification, endpoint 7, "Row deletion"). The service confirms the deletion of one that does not
 * exist, too, so the rows must be known. Throws ServiceError, also when there is no such row, or it is still there.
 *
 * @param known what earlier requests of the run have shown
 * @param read returns the content of the record; undefined where there is none
 */
export async function deleteRow(
	client: Client,
	subtable: Subtable,
	rowId: string,
	writing: Writing,
	known: KnownRows,
	read: () => Promise<JsonObject | undefined>,
): Promise<void> {
	const { subtableId, recordId } = subtable;
	const place = placeOf(client, subtable);
	const record = known.has(place) ? undefined : await read();
	const shown = record && new Set(rowsOf(record, subtableId)?.keys());
	// The service refuses a record that does not exist.
	const rows = known.get(place) ?? shown ?? new Set([rowId]);
	if (!rows.has(rowId)) throw noSuchRow(subtable, { ...subtable, rowId });
	const changes = { ...noChanges(), deletedRows: new Map([[subtableId, [rowId]]]) };
	const { saved } = await updateRecord(client, subtable, { changes, files: [] }, writing);
	const after = saved ? rowsOf(saved, subtableId) : await rowsNow(client, subtable);
	if (after?.has(rowId)) {
		const row = `Row ${rowId} of the subtable ${subtableId} of record ${recordId}`;
		const message = `${row} is still there, although the service confirmed its deletion`;
		throw new ServiceError({ kind: 'refused', message });
	}
	rows.delete(rowId);
	known.set(place, rows);
}

function placeOf(client: Client, { sheet, recordId, subtableId }: Subtable): string {
	return [sheetName(client, sheet), recordId, subtableId].join(' ');
}

/** Saves a row, and returns those of the subtable as the answer or, where it shows none, another read shows them. */
async function saveRow(
	client: Client,
	subtable: Subtable,
	rowId: string,
	row: RowContent,
	writing: Writing,
): Promise<{ rows?: JsonObject; warning?: string; notes: readonly ValueNote[] }> {
	const { subtableId } = subtable;
	const rows = new Map([[rowId, row.values]]);
	const changes = { ...noChanges(), subtables: new Map([[subtableId, rows]]) };
	const files = row.files.map((file) => ({ ...file, rowId, subtableId }));
	const given = (row.notes ?? []).map((note) => ({ ...note, rowId }));
	const content = { changes, files, notes: given };
	const { saved, warning, notes = [] } = await updateRecord(client, subtable, content, writing);
	const shown = saved && rowsOf(saved, subtableId);
	return { rows: shown ?? (await rowsNow(client, subtable)), warning, notes };
}

function rowIn(rows: JsonObject | undefined, rowId: string): JsonObject | undefined {
	const row = rows?.get(rowId);
	return isJsonObject(row) ? row : undefined;
}

/** Reads the rows; undefined when that fails: around a write it must not look like a failure of the write. */
async function rowsNow(client: Client, subtable: Subtable): Promise<JsonObject | undefined> {
	const content = await contentNow(client, subtable);
	return content && (rowsOf(content, subtable.subtableId) ?? new Map());
}

/** Adds to a warning that rows which were added are not shown. */
export function warningWith(warning?: string): string {
	const dropped =
		'The record does not show the new rows as they were written: a subtable that shows linked records drops new ones.';
	return warning === undefined ? dropped : `${warning} ${dropped}`;
}

function notAdded({ recordId, subtableId }: Subtable): ServiceError {
	return new ServiceError({
		kind: 'refused',
		message: `The service passed over what was to be added to the subtable ${subtableId} of record ${recordId}`,
		description:
			'Check the ID of the subtable, and that the user of the credential may write to it.',
	});
}

/** The error of a row that does not exist. */
export function noSuchRow(
	{ recordId }: RecordAddress,
	{ rowId, subtableId }: { rowId: string; subtableId?: string },
	description?: string,
): ServiceError {
	const place = subtableId === undefined ? 'the subtables' : `the subtable ${subtableId}`;
	return new ServiceError({
		kind: 'notFound',
		message: `There is no row ${rowId} in ${place} of record ${recordId}`,
		description,
		remedy: 'getRows',
	});
}

/** Returns the id of a new row, which the answer does not tell: the newest, if it has the values that were written. */
export function newRowId(saved: JsonObject, values: FieldValues): string | undefined {
	const ids = [...saved.keys()].filter((id) => /^\d+$/.test(id)).sort(byNumber);
	const newest = ids.at(-1);
	return newest !== undefined && holds(saved.get(newest), values) ? newest : undefined;
}

function byNumber(left: string, right: string): number {
	return left.length - right.length || (left < right ? -1 : 1);
}

function holds(row: JsonValue | undefined, values: FieldValues): boolean {
	if (!isJsonObject(row)) return false;
	return [...values].every(([id, value]) => sameIn(row.get(id) ?? '', value) !== undefined);
}

import type { Client } from '../http/client';
import { ServiceError } from '../http/serviceError';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import { rowsOf } from '../read/record';
import { contentNow } from '../read/records';
import { isFieldId } from '../schema/fields';
import type { RecordAddress } from '../values/sheetAddress';
import {
	noChanges,
	type FieldValues,
	type RowContent,
	type ValueNote,
} from '../write/recordContent';
import { updateRecord, type Writing } from '../write/records';
import { sameIn } from '../write/sameValue';
import { sheetName } from '../write/writtenRecords';

/** The ids of the rows that subtables were last seen to have, by the subtable. */
export type KnownRows = Map<string, ReadonlySet<string>>;

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

/** Adds rows to one record in one request (specification, endpoint 7), and returns them in their order. Throws ServiceError, also for rows that were passed over. */
export async function addRows(
	client: Client,
	subtable: Subtable,
	rows: readonly RowContent[],
	writing: Writing,
	known: KnownRows = new Map(),
): Promise<SavedRow[]> {
	const { sheet, recordId, subtableId } = subtable;
	const place = [sheetName(client, sheet), recordId, subtableId].join(' ');
	// Files do not show which row is the new one: their names are often the same.
	const withFiles = rows.some(({ files }) => files.length > 0);
	const seen = known.get(place) ?? (withFiles ? await rowsNow(client, subtable) : undefined);
	const before = new Set(seen?.keys());
	const withIds = new Map(rows.map((row, index) => [`-${index + 1}`, row]));
	const result = await saveRows(client, subtable, withIds, writing);
	const { saved, warning } = result;
	if (!saved) return [...withIds.keys()].map((sentAs) => savedRow(result, sentAs));
	if ([...saved.keys()].filter((id) => !before.has(id)).length < rows.length) {
		throw notAdded(subtable);
	}
	known.set(place, new Set(saved.keys()));
	const values = rows.map((row) => row.values);
	return newRowIds(saved, values, before).map((id, index) => {
		const given = values[index] ?? new Map();
		const isShown = id !== undefined || [...saved.values()].some((row) => holds(row, given));
		const own = { ...result, warning: isShown ? warning : warningWith(warning) };
		return savedRow(own, `-${index + 1}`, id);
	});
}

/** Changes rows by their ids in one request (specification, endpoint 7), and returns them in their order; undefined for one that is not there. Throws ServiceError. */
export async function updateRows(
	client: Client,
	subtable: Subtable,
	rows: ReadonlyMap<string, RowContent>,
	writing: Writing,
): Promise<Array<SavedRow | undefined>> {
	const result = await saveRows(client, subtable, rows, writing);
	return [...rows.keys()].map((rowId) =>
		result.saved?.has(rowId) === false ? undefined : savedRow(result, rowId, rowId),
	);
}

/** Deletes rows of a record with this content in one request (specification, endpoint 7), and returns of each why it was not deleted. Throws ServiceError. */
export async function deleteRows(
	client: Client,
	subtable: Subtable,
	rowIds: readonly string[],
	writing: Writing,
	record: JsonObject | undefined,
): Promise<Array<ServiceError | undefined>> {
	const { subtableId, recordId } = subtable;
	// The service refuses a record that does not exist.
	const existing = rowIds.filter((rowId) => !record || rowsOf(record, subtableId)?.has(rowId));
	const absent = (rowId: string) => noSuchRow(subtable, { ...subtable, rowId });
	if (existing.length === 0) return rowIds.map(absent);
	const changes = { ...noChanges(), deletedRows: new Map([[subtableId, existing]]) };
	const { saved } = await updateRecord(client, subtable, { changes, files: [] }, writing);
	const after = saved ? rowsOf(saved, subtableId) : await rowsNow(client, subtable);
	return rowIds.map((rowId) => {
		if (!existing.includes(rowId)) return absent(rowId);
		if (!after?.has(rowId)) return undefined;
		const row = `Row ${rowId} of the subtable ${subtableId} of record ${recordId}`;
		const message = `${row} is still there, although the service confirmed its deletion`;
		return new ServiceError({ kind: 'refused', message });
	});
}

/** Whether the service refused a write for what is in it, and as a whole: its parts may be sent one by one. */
export function isRefusedWhole(error: unknown): boolean {
	if (!(error instanceof ServiceError)) return false;
	const { code, status = 0 } = error.details;
	return (
		error.kind === 'rejected' || (error.kind === 'refused' && (code !== undefined || status >= 400))
	);
}

/** The rows of a subtable after a write of some, and what is to be known of these, by the ids of the request. */
interface SavedRows {
	warning?: string;
	saved?: JsonObject;
	notes: readonly ValueNote[];
}

/** Saves rows, and returns those of the subtable as the answer or, where it shows none, another read shows them. */
async function saveRows(
	client: Client,
	subtable: Subtable,
	rows: ReadonlyMap<string, RowContent>,
	writing: Writing,
): Promise<SavedRows> {
	const { subtableId } = subtable;
	const values = new Map([...rows].map(([rowId, row]) => [rowId, row.values]));
	const changes = { ...noChanges(), subtables: new Map([[subtableId, values]]) };
	const files = [...rows].flatMap(([rowId, row]) =>
		row.files.map((file) => ({ ...file, rowId, subtableId })),
	);
	const given = [...rows].flatMap(([rowId, row]) =>
		(row.notes ?? []).map((note) => ({ ...note, rowId })),
	);
	const content = { changes, files, notes: given };
	const { saved, warning, notes = [] } = await updateRecord(client, subtable, content, writing);
	const shown = saved && rowsOf(saved, subtableId);
	return { saved: shown ?? (await rowsNow(client, subtable)), warning, notes };
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

function savedRow({ saved, warning, notes }: SavedRows, sentAs: string, rowId?: string): SavedRow {
	const row = rowId === undefined ? undefined : saved?.get(rowId);
	const own = notes.filter((note) => note.rowId === sentAs);
	return { rowId, row: isJsonObject(row) ? row : undefined, warning, notes: own };
}

/**
 * Returns the ids of new rows, which are none of the known ones; undefined where another row may be meant. The answer does
 * not link them: new rows have the newest ids and the values that were written.
 */
export function newRowIds(
	saved: JsonObject,
	rows: readonly FieldValues[],
	known: ReadonlySet<string> = new Set(),
): Array<string | undefined> {
	const ids = [...saved.keys()].filter((id) => /^\d+$/.test(id) && !known.has(id)).sort(byNumber);
	const newest = ids.slice(-rows.length);
	const holders = rows.map((values) => ids.filter((id) => holds(saved.get(id), values)));
	const inOrder = rows.every((_, index) => holders[index]?.includes(newest[index] ?? ''));
	const contents = new Set(holders.flat().map((id) => contentText(saved.get(id))));
	const ofNewest = new Set(newest.map((id) => contentText(saved.get(id))));
	// Of rows that are equal, the oldest were there before.
	if (inOrder && contents.size === ofNewest.size) return newest;
	return holders.map(([id, ...others], index) => {
		const isOnlyOne = others.length === 0 && id !== undefined && newest.includes(id);
		const isSought = holders.some((ids, other) => other !== index && ids.includes(id ?? ''));
		return isOnlyOne && !isSought ? id : undefined;
	});
}

/** Returns the same text for rows with the same values. */
function contentText(row: JsonValue | undefined): string {
	const fields = isJsonObject(row) ? [...row].filter(([key]) => isFieldId(key)) : [];
	return JSON.stringify(fields);
}

function byNumber(left: string, right: string): number {
	return left.length - right.length || (left < right ? -1 : 1);
}

function holds(row: JsonValue | undefined, values: FieldValues): boolean {
	if (!isJsonObject(row)) return false;
	return [...values].every(([id, value]) => sameIn(row.get(id) ?? '', value) !== undefined);
}

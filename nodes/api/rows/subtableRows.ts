import type { Client } from '../http/client';
import { ServiceError } from '../http/serviceError';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import { rowsOf } from '../read/record';
import { contentNow } from '../read/records';
import { isFieldId } from '../schema/fields';
import { isSameInSomeKind } from '../schema/valueKinds';
import type { RecordAddress } from '../values/sheetAddress';
import { noChanges } from '../write/recordContent';
import type { FieldValues, RowContent, ValueNote } from '../write/recordContent';
import { updateRecord, type Writing } from '../write/records';
import { sheetName } from '../write/writtenRecords';

/** The ids of the rows that subtables were last seen to have, by the subtable. */
export type KnownRows = Map<string, ReadonlySet<string>>;

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

/** Adds rows to a record in one request (specification, endpoint 7). Throws ServiceError, also for rows that were passed over. */
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
	const { saved, savedRow } = await saveRows(client, subtable, withIds, writing);
	if (!saved) return [...withIds.keys()].map((sentAs) => savedRow(sentAs));
	if ([...saved.keys()].filter((id) => !before.has(id)).length < rows.length) {
		throw new ServiceError({
			kind: 'refused',
			message: `The service passed over what was to be added to the subtable ${subtableId} of record ${recordId}`,
			description:
				'Check the ID of the subtable, and that the user of the credential may write to it.',
		});
	}
	known.set(place, new Set(saved.keys()));
	const values = rows.map((row) => row.values);
	return newRowIds(saved, values, before).map((id, index) => {
		const given = values[index] ?? new Map();
		const isShown = id !== undefined || [...saved.values()].some((row) => holds(row, given));
		const own = savedRow(`-${index + 1}`, id);
		return isShown ? own : { ...own, warning: warningWith(own.warning) };
	});
}

/** Changes rows in one request (specification, endpoint 7), and returns them; undefined for one that is not there. Throws ServiceError. */
export async function updateRows(
	client: Client,
	subtable: Subtable,
	rows: ReadonlyMap<string, RowContent>,
	writing: Writing,
): Promise<Array<SavedRow | undefined>> {
	const { saved, savedRow } = await saveRows(client, subtable, rows, writing);
	return [...rows.keys()].map((rowId) =>
		saved?.has(rowId) === false ? undefined : savedRow(rowId, rowId),
	);
}

/** Deletes rows in one request (specification, endpoint 7), and returns why one of them was not deleted. Throws ServiceError. */
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
	const { kind, code, status = 0 } = error.details;
	return kind === 'rejected' || (kind === 'refused' && (code !== undefined || status >= 400));
}

/** Saves rows. Returns those of the subtable as the answer or, where it shows none, another read shows them, and what makes the result of one. */
async function saveRows(
	client: Client,
	subtable: Subtable,
	rows: ReadonlyMap<string, RowContent>,
	writing: Writing,
) {
	const { subtableId } = subtable;
	const values = new Map([...rows].map(([rowId, row]) => [rowId, row.values]));
	const changes = { ...noChanges(), subtables: new Map([[subtableId, values]]) };
	const files = [...rows].flatMap(([rowId, row]) =>
		row.files.map((file) => ({ ...file, rowId, subtableId })),
	);
	const given = [...rows].flatMap(([rowId, row]) =>
		(row.notes ?? []).map((note) => ({ ...note, rowId })),
	);
	const kinds = [...rows.values()].find((row) => row.kinds)?.kinds;
	const content = { changes, files, notes: given, kinds };
	const record = await updateRecord(client, subtable, content, writing);
	const shown = record.saved && rowsOf(record.saved, subtableId);
	const saved = shown ?? (await rowsNow(client, subtable));
	const savedRow = (sentAs: string, rowId?: string): SavedRow => {
		const found = saved?.get(rowId ?? '');
		const row = isJsonObject(found) ? found : undefined;
		const notes = record.notes?.filter((note) => note.rowId === sentAs);
		return { rowId, row, warning: record.warning, notes };
	};
	return { saved, savedRow };
}

/** Reads the rows; undefined when that fails: around a write it must not look like a failure of the write. */
async function rowsNow(client: Client, subtable: Subtable): Promise<JsonObject | undefined> {
	const content = await contentNow(client, subtable);
	return content && (rowsOf(content, subtable.subtableId) ?? new Map());
}

/** Adds to a warning that rows which were added are not shown. */
export function warningWith(warning = ''): string {
	const dropped =
		'The record does not show the new rows as they were written: a subtable that shows linked records drops new ones.';
	return `${warning} ${dropped}`.trim();
}

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
	const contentOf = (id: string) => {
		const row = saved.get(id);
		return JSON.stringify(isJsonObject(row) ? [...row].filter(([key]) => isFieldId(key)) : []);
	};
	const contents = new Set(holders.flat().map(contentOf));
	const ofNewest = new Set(newest.map(contentOf));
	// Of rows that are equal, the oldest were there before.
	if (inOrder && contents.size === ofNewest.size) return newest;
	return holders.map(([id, ...others], index) => {
		const isOnlyOne = others.length === 0 && id !== undefined && newest.includes(id);
		const isSought = holders.some((ids, other) => other !== index && ids.includes(id ?? ''));
		return isOnlyOne && !isSought ? id : undefined;
	});
}

function byNumber(left: string, right: string): number {
	return left.length - right.length || (left < right ? -1 : 1);
}

function holds(row: JsonValue | undefined, values: FieldValues): boolean {
	if (!isJsonObject(row)) return false;
	return [...values].every(([id, value]) => isSameInSomeKind(row.get(id) ?? '', value));
}

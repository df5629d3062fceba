import type { Client } from '../http/client';
import { ServiceError } from '../http/serviceError';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/orderedJson';
import { rowsOf } from '../read/record';
import type { RecordAddress } from '../values/sheetAddress';
import { joinedSentences } from '../values/text';
import { contentWithoutKinds, noChanges } from '../write/recordContent';
import type { FieldValues, RowContent, ValueNote } from '../write/recordContent';
import { updateRecord, type Writing } from '../write/records';
import { mayBeReadAs } from '../write/savedAsGiven';
import { StoredRecord } from '../write/storedRecord';
import { sheetKey } from '../read/memory/recordMemory';

/** Row IDs of subtables after the latest write of the run, by record and subtable. */
export type KnownRows = Map<string, ReadonlySet<string>>;

/** Address of a subtable of a record. */
export interface SubtableAddress extends RecordAddress {
	subtableId: string;
}

/** A row after a write. Parts that the service does not return are omitted. */
export interface SavedRow {
	rowId?: string;
	row?: JsonObject;
	warning?: string;
	notes?: readonly ValueNote[];
	/** UTC offset in hours of the times in the row, if one was requested. */
	offsetHours?: number;
}

/** The rows before a write that adds rows. */
interface RowsBefore {
	/** Row IDs after earlier writes of the run. The write updates them. */
	known: KnownRows;
	/** Returns the record before the write. Called if its rows are not known. If it returns undefined, the saved rows have no IDs. */
	loadRecord: () => Promise<JsonObject | undefined>;
}

/**
 * Adds rows to a record in one request (specification, endpoint 7). Returns the saved rows in the order of the input. Throws
 * ServiceError, also if the subtable then has fewer rows than were added, or if the service dropped a row and the request has
 * files. Without files, a dropped row gets a warning.
 *
 */
export async function addRows(
	client: Client,
	subtable: SubtableAddress,
	rows: readonly RowContent[],
	{ known, loadRecord, ...writing }: Writing & RowsBefore,
): Promise<SavedRow[]> {
	const { sheet, recordId, subtableId } = subtable;
	const place = [sheetKey(client, sheet), recordId, subtableId].join(' ');
	const before = known.get(place) ?? rowIdsIn(subtable, await loadRecord());
	const withIds = new Map(rows.map((row, index) => [`-${index + 1}`, row]));
	const fieldIds = rows.map(({ values }) => [...values.keys()]);
	const step = `add rows ${JSON.stringify([subtableId, fieldIds])}`;
	const { saved, savedRow } = await saveRows(client, subtable, withIds, { ...writing, step });
	if (!saved) return [...withIds.keys()].map((sentAs) => savedRow(sentAs));
	const newCount = [...saved.keys()].filter((id) => !before?.has(id)).length;
	const hasFiles = rows.some(({ files }) => files.length > 0);
	// A subtable that shows linked records drops new rows. If it shows enough other rows, and there are no files, only warn.
	if (saved.size < rows.length || (hasFiles && newCount < rows.length)) {
		throw new ServiceError({
			kind: 'refused',
			message: `The service did not add rows or files to the subtable ${subtableId} of record ${recordId}`,
			description:
				'Check the ID of the subtable, and that the user of the credential may write to it.',
		});
	}
	known.set(place, new Set(saved.keys()));
	const values = rows.map((row) => row.values);
	const isShifted = writing.offsetHours !== undefined;
	return newRowIds(saved, values, before, isShifted).map((id, index) => {
		const written = values[index] ?? new Map();
		const isNew = ([rowId, row]: [string, JsonValue]) =>
			!before?.has(rowId) && hasValues(row, written, isShifted);
		const isShown = id !== undefined || [...saved].some(isNew);
		const row = savedRow(`-${index + 1}`, id);
		return isShown ? row : { ...row, warning: withDroppedRows(row.warning) };
	});
}

/** Returns the row IDs of the subtable in a record; undefined without a record. A missing subtable has no rows. */
function rowIdsIn(
	{ subtableId }: SubtableAddress,
	record: JsonObject | undefined,
): ReadonlySet<string> | undefined {
	return record && new Set(rowsOf(record, subtableId)?.keys());
}

/**
 * Updates rows in one request (specification, endpoint 7). Returns the saved rows, or undefined for a row that does not exist.
 * Throws ServiceError.
 */
export async function updateRows(
	client: Client,
	subtable: SubtableAddress,
	rows: ReadonlyMap<string, RowContent>,
	writing: Writing,
): Promise<Array<SavedRow | undefined>> {
	const step = `change rows ${JSON.stringify([subtable.subtableId, ...rows.keys()])}`;
	const { saved, savedRow } = await saveRows(client, subtable, rows, { ...writing, step });
	return [...rows.keys()].map((rowId) =>
		saved?.has(rowId) === false ? undefined : savedRow(rowId, rowId),
	);
}

/**
 * Deletes rows in one request (specification, endpoint 7). Returns an error for each row that was not deleted, and the words of
 * the service (`warning`) for the others. Throws ServiceError.
 *
 * @param before the record before the deletion; undefined if it does not exist
 */
export async function deleteRows(
	client: Client,
	subtable: SubtableAddress,
	rowIds: readonly string[],
	{ before, ...writing }: Writing & { before: JsonObject | undefined },
): Promise<Array<ServiceError | Pick<SavedRow, 'warning'>>> {
	const { subtableId, recordId } = subtable;
	// If the record does not exist, the service rejects the request.
	const existing = rowIds.filter((rowId) => !before || rowsOf(before, subtableId)?.has(rowId));
	const absent = (rowId: string) => noSuchRow(subtable, { ...subtable, rowId });
	if (existing.length === 0) return rowIds.map(absent);
	const changes = { ...noChanges(), deletedRows: new Map([[subtableId, existing]]) };
	const step = `delete rows ${JSON.stringify([subtableId, ...existing])}`;
	const content = contentWithoutKinds(changes);
	const { saved, warning } = await updateRecord(client, subtable, content, { ...writing, step });
	const after = saved ? rowsOf(saved, subtableId) : await rowsAfter(client, subtable);
	return rowIds.map((rowId) => {
		if (!existing.includes(rowId)) return absent(rowId);
		if (!after?.has(rowId)) return { warning };
		const row = `Row ${rowId} of the subtable ${subtableId} of record ${recordId}`;
		const message = `${row} is still there, although the service confirmed its deletion`;
		const description = 'Check whether the user may delete rows.';
		return new ServiceError({ kind: 'refused', message, description });
	});
}

/**
 * Returns whether the service rejected a whole write because of its content, so that its parts can be sent one by one. `notFound`
 * may mean that one of the rows does not exist.
 */
export function isRefusedWhole(error: unknown): boolean {
	if (!(error instanceof ServiceError)) return false;
	const { kind, code, status = 0 } = error.details;
	if (kind === 'rejected' || kind === 'notFound') return true;
	return kind === 'refused' && (code !== undefined || status >= 400);
}

/**
 * Saves rows. Returns the rows of the subtable, from the answer or from another read, and a function that returns the result of a
 * row by its ID in the request and its ID after the write.
 */
async function saveRows(
	client: Client,
	subtable: SubtableAddress,
	rows: ReadonlyMap<string, RowContent>,
	writing: Writing & { step: string },
) {
	const { subtableId } = subtable;
	const values = new Map([...rows].map(([rowId, row]) => [rowId, row.values]));
	const changes = { ...noChanges(), subtables: new Map([[subtableId, values]]) };
	const files = [...rows].flatMap(([rowId, row]) =>
		row.files.map((file) => ({ ...file, rowId, subtableId })),
	);
	const rowNotes = [...rows].flatMap(([rowId, row]) =>
		(row.notes ?? []).map((note) => ({ ...note, rowId })),
	);
	// A row with empty values only has no kinds.
	const kinds = new Map([...rows.values()].flatMap((row) => [...row.kinds]));
	const content = { changes, files, notes: rowNotes, kinds };
	const record = await updateRecord(client, subtable, content, writing);
	const returnedRows = record.saved && rowsOf(record.saved, subtableId);
	const saved = returnedRows ?? (await rowsAfter(client, subtable));
	const savedRow = (sentAs: string, rowId?: string): SavedRow => {
		const found = saved?.get(rowId ?? '');
		const row = isJsonObject(found) ? found : undefined;
		const notes = record.notes?.filter((note) => note.rowId === sentAs);
		const offsetHours = returnedRows && record.offsetHours;
		return { rowId, row, warning: record.warning, notes, offsetHours };
	};
	return { saved, savedRow };
}

/** Loads the rows after a write. Returns undefined if that fails, because the write itself has succeeded. */
async function rowsAfter(
	client: Client,
	subtable: SubtableAddress,
): Promise<JsonObject | undefined> {
	const content = await new StoredRecord(client, subtable).after();
	return content && (rowsOf(content, subtable.subtableId) ?? new Map());
}

/** Returns a warning with a sentence that the record does not show its new rows. */
export function withDroppedRows(warning?: string): string {
	const dropped =
		'The record does not show the new rows as they were written: a subtable that shows linked records drops new ones.';
	return joinedSentences([warning, dropped]);
}

/** Returns the error for a row that does not exist. Without `subtableId`, in no subtable. `name` is the name of the subtable. */
export function noSuchRow(
	{ recordId }: RecordAddress,
	{ rowId, subtableId, name }: { rowId: string; subtableId?: string; name?: string },
	description?: string,
): ServiceError {
	const subtable = name === undefined ? `the subtable ${subtableId ?? ''}` : `'${name}'`;
	const place = subtableId === undefined ? 'the subtables' : subtable;
	return new ServiceError({
		kind: 'notFound',
		message: `There is no row ${rowId} in ${place} of record ${recordId}`,
		description,
		remedy: 'getRows',
	});
}

/**
 * Returns the IDs of new rows, in the order of the input. New rows are the rows that did not exist before the write, in ascending
 * order. If their number differs from the input, or if one of several rows has other values than its input, each row is
 * identified by its values. Its ID is undefined if that is not possible. Without `before`, all IDs are undefined.
 */
export function newRowIds(
	saved: JsonObject,
	rows: readonly FieldValues[],
	before?: ReadonlySet<string>,
	isShifted = false,
): Array<string | undefined> {
	if (!before) return rows.map(() => undefined);
	const ids = [...saved.keys()].filter((id) => /^\d+$/.test(id) && !before.has(id)).sort(byNumber);
	const has = (id: string, values: FieldValues) => hasValues(saved.get(id), values, isShifted);
	const isInOrder = rows.every((values, index) => has(ids[index] ?? '', values));
	if (ids.length === rows.length && (isInOrder || ids.length === 1)) return ids;
	const candidates = rows.map((values) => ids.filter((id) => has(id, values)));
	const isUnique = (id: string) => candidates.filter((list) => list.includes(id)).length === 1;
	return candidates.map(([id, ...otherIds]) =>
		id !== undefined && otherIds.length === 0 && isUnique(id) ? id : undefined,
	);
}

function byNumber(left: string, right: string): number {
	return left.length - right.length || (left < right ? -1 : 1);
}

/** Returns whether a saved row may have these values. `isShifted` is that of `mayBeReadAs`. */
export function hasValues(
	row: JsonValue | undefined,
	values: ReadonlyMap<string, JsonValue>,
	isShifted: boolean,
): boolean {
	if (!isJsonObject(row)) return false;
	return [...values].every(([id, value]) => mayBeReadAs(row.get(id) ?? '', value, isShifted));
}

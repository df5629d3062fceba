import { unfinishedCode } from '../http/errorCodes';
import { isJsonObject, type JsonObject } from '../json/orderedJson';
import { noChanges } from '../write/recordChanges';
import type { RecordContent, RecordFile, RowContent } from '../write/recordContent';
import { ServiceError } from '../http/serviceError';
import { formatSheetPath, type RecordAddress } from '../values/sheetAddress';
import { subtableKey } from '../values/subtableKeys';
import { newRowIds } from './subtableRow';
import type { Client } from '../http/client';
import { readingBy } from '../read/readOptions';
import { getRecord } from '../read/records';
import { updateRecord } from '../write/records';
import type { Writing } from '../write/writeOptions';

const byFieldId = readingBy('EID');

/** Ids of the rows that records were seen to hold. */
export class KnownRows {
	private readonly ids = new Map<string, ReadonlySet<string>>();

	/** Undefined when the rows of the subtable were not seen. */
	of(subtable: Subtable): ReadonlySet<string> | undefined {
		return this.ids.get(placeOf(subtable));
	}

	/** The rows that are there now, unless nobody told. */
	add(subtable: Subtable, rows: JsonObject | undefined): void {
		if (rows) this.ids.set(placeOf(subtable), new Set(rows.keys()));
	}
}

function placeOf({ sheet, recordId, subtableId }: Subtable): string {
	return JSON.stringify([formatSheetPath(sheet), recordId, subtableId]);
}

/** Where rows are. */
export interface Subtable extends RecordAddress {
	subtableId: string;
}

/** A row after a write, as far as the service told it. */
export interface SavedRow {
	rowId?: string;
	row?: JsonObject;
	warning?: string;
}

/** The rows that a record holds in a subtable, keyed by row id; undefined when it shows no such subtable. */
export function rowsOf(record: JsonObject, subtableId: string): JsonObject | undefined {
	const rows = record.get(subtableKey(subtableId));
	return isJsonObject(rows) ? rows : undefined;
}

/**
 * Adds rows to one record in one request (specification, endpoint 7). Files say little of which row is the
 * new one, as their names are often the same: for them the rows that are there are read before.
 *
 * @param known what earlier requests of the run have shown
 * @returns a row for each of those given, in their order
 * @throws ServiceError for every answer but `SUCCESS`, and when the service passed over the rows
 */
export async function addRows(
	client: Client,
	subtable: Subtable,
	rows: readonly RowContent[],
	writing: Writing,
	known = new KnownRows(),
): Promise<SavedRow[]> {
	if (rows.some(({ files }) => files.length > 0) && !known.of(subtable)) {
		known.add(subtable, await rowsNow(client, subtable));
	}
	const before = known.of(subtable) ?? new Set();
	const withIds = new Map(rows.map((row, index) => [`-${index + 1}`, row]));
	const { told, warning } = await save(client, subtable, contentOf(subtable, withIds), writing);
	const saved = told ?? (await rowsNow(client, subtable));
	const newRows = [...(saved?.keys() ?? [])].filter((rowId) => !before.has(rowId));
	if (saved && newRows.length < rows.length) throw notAdded(subtable);
	known.add(subtable, saved);
	const values = rows.map((row) => row.values);
	const ids = saved ? newRowIds(saved, values, before) : [];
	return rows.map((_, index) => savedRow(ids[index], saved, warning));
}

/**
 * Changes rows of one record in one request (specification, endpoint 7).
 *
 * @param rows row id → what to write
 * @returns a row for each of those given, in their order; undefined for one that is not there
 * @throws ServiceError for every answer but `SUCCESS`
 */
export async function updateRows(
	client: Client,
	subtable: Subtable,
	rows: ReadonlyMap<string, RowContent>,
	writing: Writing,
): Promise<Array<SavedRow | undefined>> {
	const { told, warning } = await save(client, subtable, contentOf(subtable, rows), writing);
	const saved = told ?? (await rowsNow(client, subtable));
	return [...rows.keys()].map((rowId) =>
		saved && !saved.has(rowId) ? undefined : savedRow(rowId, saved, warning),
	);
}

/**
 * Deletes rows of one record in one request (specification, endpoint 7, "Row deletion"). They are read
 * before: the service confirms the deletion of a row that is not there, too.
 *
 * @returns for each row, in their order, whether it was there and is no longer
 * @throws ServiceError for every answer but `SUCCESS`
 */
export async function deleteRows(
	client: Client,
	subtable: Subtable,
	rowIds: readonly string[],
	writing: Writing,
): Promise<boolean[]> {
	const { subtableId } = subtable;
	const record = await getRecord(client, subtable, byFieldId);
	const before = record && (rowsOf(record.content, subtableId) ?? new Map());
	// A record that is not there is for the service to refuse.
	const there = before ? rowIds.filter((rowId) => before.has(rowId)) : [...rowIds];
	if (there.length === 0) return rowIds.map(() => false);
	const deletedRows = new Map([[subtableId, there]]);
	const content = { changes: { ...noChanges(), deletedRows }, files: [] };
	const { told } = await save(client, subtable, content, writing);
	return rowIds.map((rowId) => there.includes(rowId) && told?.has(rowId) !== true);
}

/**
 * Whether the service refused a write for what is in it, and as a whole, so that its parts may be sent
 * one by one. What concerns the record, such as a lock, every part of it would meet again.
 */
export function isRefusedWhole(error: unknown): boolean {
	if (!(error instanceof ServiceError)) return false;
	const { code, status = 0 } = error.details;
	if (error.kind === 'rejected') return true;
	if (error.kind !== 'refused') return false;
	return code === undefined ? status >= 400 : code !== unfinishedCode;
}

/** What a record is to be written with for the sake of its rows: row id → what to write. */
function contentOf({ subtableId }: Subtable, rows: ReadonlyMap<string, RowContent>): RecordContent {
	const values = new Map([...rows].map(([rowId, row]) => [rowId, row.values]));
	const files = [...rows].flatMap(([rowId, row]) =>
		row.files.map((file): RecordFile => ({ ...file, rowId, subtableId })),
	);
	return { changes: { ...noChanges(), subtables: new Map([[subtableId, values]]) }, files };
}

/** Saves, and yields the rows that the answer tells of. */
async function save(
	client: Client,
	subtable: Subtable,
	content: RecordContent,
	writing: Writing,
): Promise<{ told?: JsonObject; warning?: string }> {
	const { saved, answer } = await updateRecord(client, subtable, content, writing);
	const warning = answer.get('warning');
	return {
		told: saved && rowsOf(saved, subtable.subtableId),
		...(typeof warning === 'string' && warning !== '' ? { warning } : {}),
	};
}

/** The rows as they stand after a write whose answer did not tell; undefined when nobody tells. */
async function rowsNow(client: Client, subtable: Subtable): Promise<JsonObject | undefined> {
	const record = await getRecord(client, subtable, byFieldId).catch(() => undefined);
	return record && (rowsOf(record.content, subtable.subtableId) ?? new Map());
}

function notAdded({ recordId, subtableId }: Subtable): ServiceError {
	return new ServiceError({
		kind: 'refused',
		message: `The service passed over what was to be added to the subtable ${subtableId} of record ${recordId}`,
		description:
			'Check the ID of the subtable, and that the user of the credential may write to it.',
	});
}

function savedRow(rowId: string | undefined, saved?: JsonObject, warning?: string): SavedRow {
	const row = rowId === undefined ? undefined : saved?.get(rowId);
	return {
		rowId,
		...(isJsonObject(row) ? { row } : {}),
		...(warning === undefined ? {} : { warning }),
	};
}

import { unfinishedCode } from '../wire/errorCodes';
import { isJsonObject } from '../wire/orderedJson';
import type { JsonObject } from '../wire/orderedJson';
import type { QueryParameter } from '../wire/query';
import { noChanges } from '../wire/recordChanges';
import type { FieldValues, RecordChanges } from '../wire/recordChanges';
import { ServiceError } from '../wire/serviceError';
import type { SheetAddress } from '../wire/sheetAddress';
import { newRowIds } from '../wire/subtableRow';
import type { Client } from './client';
import { getRecord, updateRecord } from './records';

/** Where rows are. */
export interface Subtable {
	sheet: SheetAddress;
	recordId: string;
	subtableId: string;
}

/** A row after a write, as far as the service told it. */
export interface SavedRow {
	rowId?: string;
	row?: JsonObject;
	/** The service's warning, when it gave one. */
	warning?: string;
}

/**
 * The rows of one record, keyed by row id, in the order of the service (specification, endpoint 2).
 *
 * @returns undefined when there is no such record
 * @throws ServiceError
 */
export async function readRows(
	client: Client,
	{ sheet, recordId, subtableId }: Subtable,
	parameters: readonly QueryParameter[],
): Promise<JsonObject | undefined> {
	const record = await getRecord(client, sheet, recordId, parameters);
	return record && rowsOf(record.content, subtableId);
}

/**
 * Adds rows to one record in one request (specification, endpoint 7).
 *
 * @returns a row for each of those given, in their order
 * @throws ServiceError for every answer but `SUCCESS`
 */
export async function addRows(
	client: Client,
	subtable: Subtable,
	rows: readonly FieldValues[],
	parameters: readonly QueryParameter[],
): Promise<SavedRow[]> {
	const withIds = new Map(rows.map((values, index) => [`-${index + 1}`, values]));
	const changes = { ...noChanges(), subtables: new Map([[subtable.subtableId, withIds]]) };
	const { saved, warning } = await save(client, subtable, changes, parameters);
	const ids = saved ? newRowIds(saved, rows) : [];
	return rows.map((_, index) => savedRow(ids[index], saved, warning));
}

/**
 * Changes rows of one record in one request (specification, endpoint 7).
 *
 * @param rows row id → the fields to change
 * @returns a row for each of those given, in their order
 * @throws ServiceError for every answer but `SUCCESS`
 */
export async function updateRows(
	client: Client,
	subtable: Subtable,
	rows: ReadonlyMap<string, FieldValues>,
	parameters: readonly QueryParameter[],
): Promise<SavedRow[]> {
	const subtables = new Map([[subtable.subtableId, new Map(rows)]]);
	const changes = { ...noChanges(), subtables };
	const { saved, warning } = await save(client, subtable, changes, parameters);
	return [...rows.keys()].map((rowId) => savedRow(rowId, saved, warning));
}

/**
 * Deletes rows of one record in one request (specification, endpoint 7, "Row deletion").
 *
 * @throws ServiceError for every answer but `SUCCESS`
 */
export async function deleteRows(
	client: Client,
	subtable: Subtable,
	rowIds: readonly string[],
	parameters: readonly QueryParameter[],
): Promise<void> {
	const deletedRows = new Map([[subtable.subtableId, [...rowIds]]]);
	await save(client, subtable, { ...noChanges(), deletedRows }, parameters);
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

async function save(
	client: Client,
	{ sheet, recordId, subtableId }: Subtable,
	changes: RecordChanges,
	parameters: readonly QueryParameter[],
): Promise<{ saved?: JsonObject; warning?: string }> {
	const { saved, answer } = await updateRecord(client, sheet, recordId, changes, [], parameters);
	const warning = answer.get('warning');
	return {
		saved: saved && rowsOf(saved, subtableId),
		...(typeof warning === 'string' && warning !== '' ? { warning } : {}),
	};
}

function savedRow(rowId: string | undefined, saved?: JsonObject, warning?: string): SavedRow {
	const row = rowId === undefined ? undefined : saved?.get(rowId);
	return {
		rowId,
		...(isJsonObject(row) ? { row } : {}),
		...(warning === undefined ? {} : { warning }),
	};
}

function rowsOf(record: JsonObject, subtableId: string): JsonObject {
	const rows = record.get(`_subtable_${subtableId}`);
	return isJsonObject(rows) ? rows : new Map();
}

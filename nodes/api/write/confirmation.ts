import { unconfirmed } from '../http/answer';
import type { Client } from '../http/client';
import { doubtfulNote } from '../http/failure';
import type { ServiceError } from '../http/serviceError';
import { isJsonObject, type JsonObject } from '../json/orderedJson';
import { rowsOf } from '../read/record';
import { storedFileName } from '../values/fileNames';
import type { RecordAddress } from '../values/sheetAddress';
import { isStoredRowId, type RecordContent, type RecordFile } from './recordContent';
import { notesOn } from './savedAsGiven';
import { StoredRecord } from './storedRecord';

/**
 * Reads a record after a write whose answer is `SUCCESS` with the words that something was not found, and returns it if it has
 * all sent values, rows and files, and none of the deleted rows. Throws ServiceError of kind `unconfirmed` otherwise.
 *
 * @param words words of the service, as plain text without secrets
 * @param isShifted whether the written times are of another time zone than the stored ones
 */
export async function confirmUpdate(
	client: Client,
	record: RecordAddress,
	content: RecordContent,
	{ words, isShifted }: { words: string; isShifted: boolean },
): Promise<JsonObject> {
	const stored = await new StoredRecord(client, record).after();
	if (stored && holds(stored, content, isShifted)) return stored;
	const description = stored
		? `${doubtfulNote} The record does not have all of the given values, so a part of them was not stored.`
		: doubtfulNote;
	throw outcomeUnknown(words).with({ description });
}

/** Returns the error for a write that the service did not confirm. `words` are plain text without secrets. */
export function outcomeUnknown(words: string): ServiceError {
	return unconfirmed(words).with({ isDoubtful: true, description: doubtfulNote });
}

function holds(stored: JsonObject, content: RecordContent, isShifted: boolean): boolean {
	const { changes, kinds, files } = content;
	const hasValues = notesOn(stored, { changes, kinds }, isShifted).length === 0;
	const isDeleted = [...changes.deletedRows].every(([subtableId, rowIds]) => {
		const rows = rowsOf(stored, subtableId);
		return !rowIds.some((rowId) => rows?.has(String(rowId)));
	});
	const hasRows = [...changes.subtables].every(([subtableId, rows]) => {
		const storedRows = rowsOf(stored, subtableId) ?? new Map();
		const isThere = (rowId: string) => !isStoredRowId(rowId) || storedRows.has(rowId);
		return storedRows.size >= rows.size && [...rows.keys()].every(isThere);
	});
	return hasValues && isDeleted && hasRows && files.every((file) => holdsFile(stored, file));
}

/** Returns whether the field of a file has a stored file with its name. The row of a file may be a new one, so all rows are searched. */
function holdsFile(stored: JsonObject, { fieldId, rowId, file }: RecordFile): boolean {
	const rows = [...stored.values()].filter(isJsonObject).flatMap((rows) => [...rows.values()]);
	const places = rowId === undefined ? [stored] : rows.filter(isJsonObject);
	const values = places.flatMap((place) => [place.get(fieldId)].flat());
	return values.some((value) => typeof value === 'string' && storedFileName(value) === file.name);
}

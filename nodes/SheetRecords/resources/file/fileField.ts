import type { Client } from '../../../api/http/client';
import { plainReading, readingBy } from '../../../api/read/readOptions';
import { getRecord } from '../../../api/read/records';
import { updateRecord } from '../../../api/write/records';
import { type SavedRecord } from '../../../api/write/records';
import { outcomeIsUnknown } from '../../../api/http/retry';
import { isInHeldRow, noSuchRow, rowsAt, updateWithRows } from '../../../api/rows/existingRows';
import type { HeldRow } from '../../../api/rows/existingRows';
import type { Writing } from '../../../api/write/writeOptions';
import type { FilePart } from '../../../api/values/formBody';
import type { JsonObject, JsonValue } from '../../../api/json/orderedJson';
import { noChanges, type RecordChanges } from '../../../api/write/recordChanges';
import type { FilePlace } from '../../../api/write/recordContent';
import { InputError } from '../../../api/values/inputError';
import { ServiceError } from '../../../api/http/serviceError';
import type { RecordAddress } from '../../../api/values/sheetAddress';
import { noSuchRecord } from '../../parameters/record';
import type { SheetFields } from '../../../ui/sheetFields';
import { isFileType, isSurelyFile } from '../../../api/values/fileValues';

/** A file field of a record, or of one of its rows, and the options of writing to it. */
export interface Target {
	client: Client;
	record: RecordAddress;
	place: FilePlace;
	writing: Writing;
}

/**
 * Uploads files to a field, beside those that it holds (specification, endpoint 7). Returns the record as it
 * was saved. Throws ServiceError for every answer but `SUCCESS`, and when the record has no such row.
 */
export async function addFiles(
	{ client, record, place, writing }: Target,
	parts: readonly FilePart[],
): Promise<SavedRecord> {
	const files = parts.map((file) => ({ ...place, file }));
	return await updateWithRows(client, record, { changes: noChanges(), files }, writing);
}

/**
 * Uploads files to a field in place of those that it holds. The service adds files to a field, so it is
 * emptied first; there is no way to do both at once.
 *
 * @returns the record as it was saved
 * @throws InputError when the field may hold something else than files; any other says
 *   what became of the files that were there
 */
export async function replaceFiles(
	target: Target,
	sheetFields: SheetFields,
	parts: readonly FilePart[],
): Promise<SavedRecord> {
	const { client, record, place, writing } = target;
	// A row that the upload creates holds nothing yet.
	if (place.rowId !== undefined && !isInHeldRow(place)) return await addFiles(target, parts);
	const reading = place.rowId === undefined ? plainReading('EID') : readingBy('EID');
	const found = await getRecord(client, record, reading);
	if (!found) throw noSuchRecord(record.recordId);
	const { value, emptied } = await heldValue(target, found.content);
	await expectFiles(place, value, sheetFields);
	await updateRecord(client, record, { changes: emptied, files: [] }, writing);
	return await addFiles(target, parts).catch((error: unknown) => {
		throw error instanceof ServiceError ? afterClearing(error, place) : error;
	});
}

/** What a record holds in the place of files, and the changes that empty it. */
async function heldValue(
	{ client, record, place }: Target,
	content: JsonObject,
): Promise<{ value: JsonValue; emptied: RecordChanges }> {
	const { fieldId } = place;
	const fields = new Map([[fieldId, '']]);
	if (!isInHeldRow(place)) {
		return { value: content.get(fieldId) ?? '', emptied: { ...noChanges(), fields } };
	}
	const [found, ...others] = await rowsAt(client, record, content, place);
	if (!found) throw noSuchRow(record, place);
	if (others.length > 0) throw severalRows(place, [found, ...others]);
	const subtables = new Map([[found.subtableId, new Map([[place.rowId, fields]])]]);
	return { value: found.row.get(fieldId) ?? '', emptied: { ...noChanges(), subtables } };
}

/**
 * Looks at the field before it is emptied: if it is none for files, its value would be lost and the
 * upload refused.
 */
async function expectFiles(
	place: FilePlace,
	value: JsonValue,
	sheetFields: SheetFields,
): Promise<void> {
	const values = (Array.isArray(value) ? value : [value]).filter((file) => file !== '');
	if (values.length === 0) return;
	const type = await sheetFields.typeAt(place);
	const isOther = type !== undefined && !isFileType(type);
	if (isOther || !values.every((file) => typeof file === 'string' && file.includes('@'))) {
		throw new InputError(
			`The field ${nameOf(place)} holds something else than files, so it was not emptied`,
			"Choose a file or image field, or set 'Upload Mode' to 'Add'.",
		);
	}
	if (type !== undefined || values.every(isSurelyFile)) return;
	throw new InputError(
		`The value of the field ${nameOf(place)} might be an e-mail address rather than a file, so it was not emptied`,
		"Choose a file or image field. If it is one, set 'Upload Mode' to 'Add', and remove its old files in the service.",
	);
}

function nameOf({ fieldId, rowId }: FilePlace): string {
	return rowId === undefined ? fieldId : `${fieldId} of row ${rowId}`;
}

function severalRows(place: FilePlace, rows: readonly HeldRow[]): InputError {
	const subtables = rows.map(({ subtableId }) => subtableId).join(', ');
	return new InputError(
		`It is not known of which subtable (${subtables}) the field ${nameOf(place)} is, so it was not emptied`,
		"Set 'Upload Mode' to 'Add', and remove its old files in the service.",
	);
}

function afterClearing(error: ServiceError, place: FilePlace): ServiceError {
	const { message, description } = error.details;
	const outcome = outcomeIsUnknown(error)
		? `The files of the field ${nameOf(place)} were removed, and it is not known whether the new ones were uploaded`
		: `The field ${nameOf(place)} is now empty: its files were removed, but the new ones were not uploaded`;
	return error.with({
		message: `${outcome}. ${message}`,
		description: `${description ?? ''} Run the upload again if they are missing.`.trim(),
	});
}

import type { Client } from '../../../api/http/client';
import { plainReadOptions, readOptionsBy } from '../../../api/read/readOptions';
import { getRecord } from '../../../api/read/records';
import { updateRecord, type SavedRecord, type Writing } from '../../../api/write/records';
import { outcomeIsUnknown } from '../../../api/http/policies';
import { isInExistingRow, noSuchRow, rowsAt, updateWithRows } from '../../../api/rows/existingRows';
import type { ExistingRow, RowPlace } from '../../../api/rows/existingRows';
import type { FilePart } from '../../../api/values/formBody';
import type { JsonObject, JsonValue } from '../../../api/json/orderedJson';
import { noChanges, type FilePlace } from '../../../api/write/recordContent';
import { InputError } from '../../../api/values/inputError';
import { ServiceError } from '../../../api/http/serviceError';
import type { RecordAddress } from '../../../api/values/sheetAddress';
import { noSuchRecord } from '../../parameters/record';
import { Schema } from '../../../api/schema/schema';
import { isFileType, isSurelyFile } from '../../../api/values/fileNames';

/** A file field of a record, or of one of its rows, and the options of writing to it. */
export interface Target {
	client: Client;
	record: RecordAddress;
	place: FilePlace;
	writing: Writing;
}

/** Uploads files to a field, beside those that it holds (specification, endpoint 7). Throws ServiceError. */
export async function addFiles(
	{ client, record, place, writing }: Target,
	parts: readonly FilePart[],
): Promise<SavedRecord> {
	const files = parts.map((file) => ({ ...place, file }));
	return await updateWithRows(client, record, { changes: noChanges(), files }, writing);
}

/**
 * Uploads files to a field in place of those that it holds. The service adds files to a field, so it is emptied first, in
 * a request of its own. Throws InputError when the field may hold something else than files; ServiceError, which says what
 * became of the files that were there.
 */
export async function replaceFiles(
	target: Target,
	parts: readonly FilePart[],
): Promise<SavedRecord> {
	const { client, record, place, writing } = target;
	const isInRow = isInExistingRow(place);
	// A row that the upload creates holds nothing yet.
	if (place.rowId !== undefined && !isInRow) return await addFiles(target, parts);
	const found = await getRecord(
		client,
		record,
		isInRow ? readOptionsBy('EID') : plainReadOptions('EID'),
	);
	if (!found) throw noSuchRecord(record.recordId);
	const existing = isInRow ? await existingRow(target, place, found.content) : undefined;
	const content = existing?.row ?? found.content;
	await expectFiles(target, content.get(place.fieldId) ?? '');
	const fields = new Map([[place.fieldId, '']]);
	const changes = existing
		? { subtables: new Map([[existing.subtableId, new Map([[place.rowId ?? '', fields]])]]) }
		: { fields };
	const emptied = { changes: { ...noChanges(), ...changes }, files: [] };
	await updateRecord(client, record, emptied, writing);
	return await addFiles(target, parts).catch((error: unknown) => {
		throw error instanceof ServiceError ? afterClearing(error, place) : error;
	});
}

/** Returns the row of a file field. Throws when there is none, or rows of several subtables may be meant. */
async function existingRow(
	{ client, record }: Target,
	place: RowPlace,
	content: JsonObject,
): Promise<ExistingRow> {
	const [found, ...others] = await rowsAt(client, record, content, place);
	if (!found) throw noSuchRow(record, place);
	if (others.length === 0) return found;
	const subtables = [found, ...others].map(({ subtableId }) => subtableId).join(', ');
	throw new InputError(
		`It is not known of which subtable (${subtables}) the field ${nameOf(place)} is, so it was not emptied`,
		"Set 'Upload Mode' to 'Add', and remove its old files in the service.",
	);
}

/** Throws InputError for a field whose value may be no files: it would be lost, and the upload refused. */
async function expectFiles({ client, record, place }: Target, value: JsonValue): Promise<void> {
	const values = [value].flat().filter((file) => file !== '');
	if (values.length === 0) return;
	const { fieldId, rowId } = place;
	const schema = new Schema(client, record.sheet);
	const type =
		rowId === undefined
			? (await schema.field(fieldId, true)).type
			: (await schema.fields()).find((field) => field.fieldId === fieldId)?.type;
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

import type { Client } from '../../../service/client';
import { plainReading } from '../../../service/reading';
import { getRecord, updateRecord } from '../../../service/records';
import type { RecordFile, SavedRecord } from '../../../service/records';
import { outcomeIsUnknown } from '../../../service/retry';
import type { Writing } from '../../../service/writing';
import { noChanges } from '../../../wire/recordChanges';
import { InputError } from '../../../wire/inputError';
import { ServiceError } from '../../../wire/serviceError';
import type { RecordAddress } from '../../../wire/sheetAddress';
import { noSuchRecord } from '../../parameters/record';
import type { SheetFields } from '../../sheetFields';
import { isFileType, isSurelyFile } from '../../../wire/fileValues';

/** A file field of a record, and the options of writing to it. */
export interface Target {
	client: Client;
	record: RecordAddress;
	fieldId: string;
	writing: Writing;
}

/**
 * Uploads files to a field, beside those that it holds (specification, endpoint 7).
 *
 * @returns the record as it was saved
 * @throws ServiceError for every answer but `SUCCESS`
 */
export async function addFiles(
	{ client, record, writing }: Target,
	files: RecordFile[],
): Promise<SavedRecord> {
	return await updateRecord(client, record, { changes: noChanges(), files }, writing);
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
	files: RecordFile[],
): Promise<SavedRecord> {
	const { client, record, fieldId, writing } = target;
	await expectFiles(target, sheetFields);
	const changes = { ...noChanges(), fields: new Map([[fieldId, '']]) };
	await updateRecord(client, record, { changes, files: [] }, writing);
	return await addFiles(target, files).catch((error: unknown) => {
		throw error instanceof ServiceError ? afterClearing(error, fieldId) : error;
	});
}

/**
 * Looks at the field before it is emptied: if it is none for files, its value would be lost and the
 * upload refused.
 */
async function expectFiles(
	{ client, record, fieldId }: Target,
	sheetFields: SheetFields,
): Promise<void> {
	const found = await getRecord(client, record, plainReading('EID'));
	if (!found) throw noSuchRecord(record.recordId);
	const value = found.content.get(fieldId) ?? '';
	const values = (Array.isArray(value) ? value : [value]).filter((file) => file !== '');
	if (values.length === 0) return;
	const { type } = await sheetFields.find(fieldId, true);
	const isOther = type !== undefined && !isFileType(type);
	if (isOther || !values.every((file) => typeof file === 'string' && file.includes('@'))) {
		throw new InputError(
			`The field ${fieldId} holds something else than files, so it was not emptied`,
			"Choose a file or image field, or set 'Upload Mode' to 'Add'.",
		);
	}
	if (type !== undefined || values.every(isSurelyFile)) return;
	throw new InputError(
		`The value of the field ${fieldId} might be an e-mail address rather than a file, so it was not emptied`,
		"Choose a file or image field. If it is one, set 'Upload Mode' to 'Add', and remove its old files in the service.",
	);
}

function afterClearing(error: ServiceError, fieldId: string): ServiceError {
	const { message, description } = error.details;
	const outcome = outcomeIsUnknown(error)
		? `The files of the field ${fieldId} were removed, and it is not known whether the new ones were uploaded`
		: `The field ${fieldId} is now empty: its files were removed, but the new ones were not uploaded`;
	return error.with({
		message: `${outcome}. ${message}`,
		description: `${description ?? ''} Run the upload again if they are missing.`.trim(),
	});
}

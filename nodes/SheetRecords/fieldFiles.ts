import { outcomeIsUnknown } from '../api/http/policies';
import { ServiceError } from '../api/http/serviceError';
import { getOrInsert } from '../api/json/objects';
import type { JsonObject, JsonValue } from '../api/json/orderedJson';
import { plain } from '../api/read/record';
import { readOptionsBy } from '../api/read/readOptions';
import { getRecord } from '../api/read/records';
import { isInExistingRow, rowsAt, updateWithRows } from '../api/rows/existingRows';
import { noSuchRow } from '../api/rows/subtableRows';
import { Schema } from '../api/schema/schema';
import { fileValuesOf, isFileType, isSurelyFile } from '../api/values/fileNames';
import { InputError } from '../api/values/inputError';
import type { RecordAddress } from '../api/values/sheetAddress';
import { noChanges, type FilePlace, type RecordContent } from '../api/write/recordContent';
import { updateRecord, type SavedRecord, type Writing } from '../api/write/records';
import { sheetName } from '../api/write/writtenRecords';
import type { Item } from './itemContext';
import { noSuchRecord } from './parameters/record';

/** Whether files come beside those that a field holds, or in their place. */
export type FilesMode = 'add' | 'replace';

/**
 * Updates a record (specification, endpoint 7). Files that replace others take two requests, since the service adds
 * files to a field: it is emptied first, once in a run, so that the files of all items for it replace what was there.
 * Throws InputError when a field may hold something else than files; ServiceError, which says what became of them.
 */
export async function updateWithFiles(
	item: Item,
	record: RecordAddress,
	content: RecordContent,
	{ filesMode, ...writing }: Writing & { filesMode?: FilesMode },
): Promise<SavedRecord> {
	const update = async () => await updateWithRows(item.client, record, content, writing);
	if (filesMode !== 'replace') return await update();
	const emptied = await emptyFields(item, record, content, writing);
	return await update().catch(async (error: unknown) => {
		const isLost = error instanceof ServiceError && emptied.length > 0;
		if (!isLost) throw error;
		const schema = new Schema(item.client, record.sheet);
		const names = await Promise.all(emptied.map(async (place) => await nameOf(schema, place)));
		throw afterEmptying(error, names);
	});
}

/** Empties the fields that new files are for, but for those that the run has emptied. Returns where they are. */
async function emptyFields(
	{ client, run }: Item,
	record: RecordAddress,
	{ files }: RecordContent,
	writing: Writing,
): Promise<FilePlace[]> {
	const sheet = sheetName(client, record.sheet);
	const nameOfPlace = ({ fieldId, rowId }: FilePlace) =>
		[sheet, record.recordId, fieldId, rowId].join(' ');
	// A row that the update creates holds nothing yet.
	const existing = files.filter((place) => place.rowId === undefined || isInExistingRow(place));
	const places = new Map(existing.map((place) => [nameOfPlace(place), place]));
	for (const name of run.emptiedFields) places.delete(name);
	if (places.size === 0) return [];
	for (const { file } of files) await requireReadable(file);
	const content = await contentOf(client, record);
	const changes = noChanges();
	const emptied: FilePlace[] = [];
	for (const place of places.values()) {
		const { fieldId, rowId = '' } = place;
		const row = rowOf(record, place, content);
		if (!(await holdsFiles(client, record, place, row?.row ?? content))) continue;
		const rows = row && getOrInsert(changes.subtables, row.subtableId, () => new Map());
		const fields = rows ? getOrInsert(rows, rowId, () => new Map()) : changes.fields;
		fields.set(fieldId, '');
		emptied.push(place);
	}
	if (emptied.length > 0) {
		await updateRecord(client, record, { changes, files: [] }, writing, 'emptying');
	}
	for (const name of places.keys()) run.emptiedFields.add(name);
	return emptied;
}

/** Returns the values of the files that a field holds. Throws InputError when it holds none, or something else. */
export async function fileValuesAt(
	client: Item['client'],
	record: RecordAddress,
	place: FilePlace,
): Promise<string[]> {
	const content = await contentOf(client, record);
	const row = rowOf(record, place, content);
	return fileValuesOf(plain((row?.row ?? content).get(place.fieldId) ?? ''));
}

/** Reads a record with its rows. Throws InputError when it is not there. */
async function contentOf(client: Item['client'], record: RecordAddress): Promise<JsonObject> {
	const found = await getRecord(client, record, readOptionsBy('EID'));
	if (!found) throw noSuchRecord(record.recordId);
	return found.content;
}

/** Reads the beginning of a file: nothing is given up for one that cannot be read. */
async function requireReadable({ stream }: RecordContent['files'][number]['file']): Promise<void> {
	const bytes = stream()[Symbol.asyncIterator]();
	await bytes.next();
	await bytes.return?.();
}

/** Returns the row of a file field, if it is in one. Throws when it is not there, or rows of several subtables may be meant. */
function rowOf(record: RecordAddress, place: FilePlace, content: JsonObject) {
	if (!isInExistingRow(place)) return undefined;
	const [found, ...others] = rowsAt(content, place);
	if (!found) throw noSuchRow(record, place);
	if (others.length === 0) return found;
	throw new InputError(
		`Several subtables have a row ${place.rowId}, and it is not known to which the field ${place.fieldId} belongs`,
		'Add the files, and remove old ones in the service.',
	);
}

/** Returns whether a field holds files. Throws InputError for a value that may be none, such as an e-mail address: it would be lost. */
async function holdsFiles(
	client: Item['client'],
	{ sheet }: RecordAddress,
	place: FilePlace,
	content: JsonObject,
): Promise<boolean> {
	const value: JsonValue = content.get(place.fieldId) ?? '';
	const values = [value].flat().filter((file) => file !== '');
	if (values.length === 0) return false;
	const { fieldId, rowId } = place;
	const schema = new Schema(client, sheet);
	const type =
		rowId === undefined
			? (await schema.field(fieldId, true)).type
			: (await schema.fields()).find((field) => field.fieldId === fieldId)?.type;
	const isFile = (value: JsonValue) =>
		type === undefined ? isSurelyFile(value) : isFileType(type) && isFileValue(value);
	if (values.every(isFile)) return true;
	throw new InputError(
		`The field ${await nameOf(schema, place)} may hold something else than files, so it was not emptied`,
		'Choose a file or image field. If it is one, add the files, and remove the old ones in the service.',
	);
}

function isFileValue(value: JsonValue): boolean {
	return typeof value === 'string' && value.includes('@');
}

async function nameOf(schema: Schema, { fieldId, rowId }: FilePlace): Promise<string> {
	const name = await schema.nameFor(fieldId);
	return rowId === undefined ? `'${name}'` : `'${name}' of row ${rowId}`;
}

function afterEmptying(error: ServiceError, names: readonly string[]): ServiceError {
	const { message, description } = error.details;
	const outcome = outcomeIsUnknown(error)
		? 'The old files were removed, and it is not known whether the new ones were uploaded'
		: 'The field is now empty: the old files were removed, but the new ones were not uploaded';
	return error.with({
		message: `${outcome} (${names.join(', ')}). ${message}`,
		description: `${description ?? ''} Run this again if they are missing.`.trim(),
	});
}

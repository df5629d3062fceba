import { outcomeIsUnknown } from '../../api/http/policies';
import { ServiceError } from '../../api/http/serviceError';
import type { JsonObject, JsonValue } from '../../api/json/orderedJson';
import { plain, rowsOf } from '../../api/read/record';
import { readOptionsBy } from '../../api/read/readOptions';
import { recordLoader } from '../../api/read/recordLoader';
import { isInStoredRow, rowsAt } from '../../api/rows/checkedRows';
import { noSuchRow } from '../../api/rows/subtableRows';
import { SheetFields } from '../../api/sheet/sheetFields';
import { kindOf } from '../../api/sheet/kinds/valueKinds';
import { fileValuesOf, isFileValue, isSurelyFile } from '../../api/values/fileNames';
import { InputError } from '../../api/values/inputError';
import { isBlank, shortened, textOf } from '../../api/values/text';
import type { RecordAddress, SheetAddress } from '../../api/values/sheetAddress';
import { subtableOf } from '../../api/values/subtableKeys';
import { isEmpty, noChanges, valuesAt, valuesOf } from '../../api/write/recordContent';
import type { FilePlace, RecordContent } from '../../api/write/recordContent';
import { updateRecord, type SavedRecord, type Writing } from '../../api/write/records';
import { StoredRecord } from '../../api/write/storedRecord';
import type { Item } from '../run/itemContext';
import { noSuchRecord } from '../parameters/record';
import { recordKey } from '../run/savedRecord';

/** Whether new files are added to the files of a field (`add`, the default), or replace them. */
export type FilesMode = 'add' | 'replace';

/** Returns an error of an upload. If old files were removed before it, the message of the ServiceError says so. */
export async function withEmptiedFields(
	error: unknown,
	{ client }: Item,
	sheet: SheetAddress,
	{ emptied, content }: { emptied: readonly FilePlace[]; content: RecordContent },
): Promise<unknown> {
	if (!(error instanceof ServiceError) || emptied.length === 0) return error;
	const sheetFields = new SheetFields(client, sheet);
	const names = await Promise.all(
		emptied.map(async (place) => await fileFieldLabel(sheetFields, place)),
	);
	const { message, description = '' } = error.details;
	const outcome = outcomeIsUnknown(error)
		? 'The old files were removed, and it is unknown whether the new ones were uploaded'
		: 'The field is now empty: the old files were removed, but the new ones were not uploaded';
	const otherValues = isEmpty(content.changes) ? '' : ' Other values may be saved.';
	return error.with({
		message: `${outcome} (${names.join(', ')}). ${message}`,
		description: `${description}${otherValues} Run this again if they are missing.`.trim(),
	});
}

/** Stores for the run that the file fields of a new record have no old files. Later items for the record add their files. */
export async function addFilesOfNewRecord(
	item: Item,
	sheet: SheetAddress,
	{ files }: RecordContent,
	{ recordId, saved }: SavedRecord,
): Promise<void> {
	const record = { sheet, recordId };
	const hasRowFiles = files.some(({ rowId }) => rowId !== undefined);
	const stored = new StoredRecord(item.client, record);
	const content = saved ?? (hasRowFiles ? await stored.after() : undefined) ?? new Map();
	for (const { fieldId, rowId } of files) {
		const rowIds = rowId === undefined ? [undefined] : rowIdsIn(content);
		for (const id of rowIds) addEmptied(item, record, { fieldId, rowId: id });
	}
}

/** Does the same for the new rows of a record. Later items for the record may match them with their own rows. */
export async function addFilesOfNewRows(
	item: Item,
	stored: StoredRecord,
	{ files }: RecordContent,
	{ saved }: SavedRecord,
): Promise<void> {
	const inNewRows = files.filter((file) => file.rowId !== undefined && !isInStoredRow(file));
	if (inNewRows.length === 0) return;
	const before = rowIdsIn(await contentOf(stored));
	const after = saved ?? (await stored.after()) ?? new Map();
	const newRowIds = rowIdsIn(after).filter((rowId) => !before.includes(rowId));
	for (const { fieldId } of inNewRows) {
		for (const rowId of newRowIds) addEmptied(item, stored.address, { fieldId, rowId });
	}
}

/** Returns the IDs of all rows of a record. */
function rowIdsIn(content: JsonObject): string[] {
	const subtableIds = [...content.keys()].flatMap((key) => subtableOf(key) ?? []);
	return subtableIds.flatMap((id) => [...(rowsOf(content, id)?.keys() ?? [])]);
}

/** Stores a file field of a record or row that had no files before this run. */
function addEmptied(item: Item, record: RecordAddress, place: FilePlace): void {
	emptiedFieldsOf(item, record).set(placeKey(place), undefined);
}

/** Returns the file fields of a record that all attempts of the run have emptied. */
function emptiedFieldsOf(item: Item, record: RecordAddress) {
	return item.run.journal.ofRecord(recordKey(item, record)).emptiedFields;
}

/** Returns the key of a file field in `emptiedFields`. */
function placeKey({ fieldId, rowId }: FilePlace): string {
	return [fieldId, rowId].join(' ');
}

/** Result of emptying fields. */
interface EmptiedFields extends Pick<SavedRecord, 'notes' | 'warning'> {
	/** Fields whose files were removed for the item, now or in an earlier attempt. */
	places: FilePlace[];
}

/**
 * Empties the fields of the new files, because the service only adds files to a field. In an execution, including all attempts of
 * Retry On Fail, only the first item with files for a field empties it. So the files of all items replace the old ones together.
 * Sends the values of the item, too: if the service rejects one of them, the old files stay.
 * Throws InputError if a field may contain other values than files, and ServiceError.
 */
export async function emptyFields(
	item: Item,
	stored: StoredRecord,
	{ files, kinds, changes: given }: RecordContent,
	writing: Writing,
): Promise<EmptiedFields> {
	const { client } = item;
	const record = stored.address;
	const emptiedFields = emptiedFieldsOf(item, record);
	// A new row has no files yet.
	const isExisting = (place: FilePlace) => place.rowId === undefined || isInStoredRow(place);
	const existing = files.filter(isExisting);
	const places = new Map(existing.map((place) => [placeKey(place), place]));
	const emptied = [...places]
		.filter(([key]) => emptiedFields.get(key) === item.index)
		.map(([, place]) => place);
	for (const key of emptiedFields.keys()) places.delete(key);
	if (places.size === 0) return { places: emptied };
	await requireReadable(files);
	const storedContent = await contentOf(stored);
	const changes = noChanges();
	for (const { value, ...place } of valuesOf(given)) {
		if (isExisting(place)) valuesAt(changes, place).set(place.fieldId, value);
	}
	const removed = new Set<FilePlace>();
	for (const place of places.values()) {
		const { row, subtableId } = rowAt(record, place, storedContent);
		if (!(await hasFiles(new SheetFields(client, record.sheet), place, row))) continue;
		valuesAt(changes, { ...place, subtableId }).set(place.fieldId, '');
		removed.add(place);
	}
	const step = `empty ${JSON.stringify([...places.keys()])}`;
	const content = { changes, files: [], kinds };
	const emptying: Pick<SavedRecord, 'notes' | 'warning'> =
		removed.size > 0 ? await updateRecord(client, record, content, { ...writing, step }) : {};
	for (const [key, place] of places) {
		emptiedFields.set(key, removed.has(place) ? item.index : undefined);
	}
	const { notes = [], warning } = emptying;
	const removedKeys = [...removed].map(placeKey);
	const kept = notes.filter(({ fieldId = '', rowId }) =>
		removedKeys.includes(placeKey({ fieldId, rowId })),
	);
	return { places: [...emptied, ...removed], notes: kept, warning };
}

/** Reads the first bytes of each file, because the old files must stay if a new one is not readable. Throws errors of reading. */
async function requireReadable(files: RecordContent['files']): Promise<void> {
	for (const { file } of files) {
		const bytes = file.stream()[Symbol.asyncIterator]();
		await bytes.next();
		await bytes.return?.();
	}
}

/**
 * Loads a record and returns the values of the files in a field. Throws InputError if the record does not exist, or if the field
 * contains no files or other values. Throws ServiceError, and the errors of `rowAt`.
 */
export async function fileValuesAt(
	client: Item['client'],
	record: RecordAddress,
	place: FilePlace,
): Promise<string[]> {
	const loader = recordLoader(client, record.sheet, readOptionsBy('EID'));
	const content = await loader.loadAndDrop(client, record.recordId);
	if (!content) throw noSuchRecord(record.recordId);
	const { row } = rowAt(record, place, content);
	const value = plain(row.get(place.fieldId) ?? '');
	const noFile = async (reason: string, advice: string) => {
		const field = await fileFieldLabel(new SheetFields(client, record.sheet), place);
		return new InputError(
			`The field ${field} of record ${record.recordId} contains no file${reason}`,
			advice,
		);
	};
	const values = [value].flat().filter((element) => !isBlank(element));
	if (values.length === 0) {
		throw await noFile('', 'Upload a file first, or skip records without a file with an If node.');
	}
	const other = values.map(textOf).find((text) => !isFileValue(text));
	if (other === undefined) return fileValuesOf(value);
	throw await noFile(`, but '${shortened(other, 80)}'`, 'Choose a file or image field.');
}

/** Returns a stored record with its rows. Throws InputError if it does not exist. */
async function contentOf(stored: StoredRecord): Promise<JsonObject> {
	const content = await stored.before();
	if (!content) throw noSuchRecord(stored.address.recordId);
	return content;
}

/**
 * Returns the record or, for a file field of a row, that row. Throws ServiceError if the row does not exist, and InputError if
 * several subtables have a row with this ID and the field does not show which of them is meant.
 */
function rowAt(
	record: RecordAddress,
	place: FilePlace,
	content: JsonObject,
): { row: JsonObject; subtableId?: string } {
	if (!isInStoredRow(place)) return { row: content };
	const rows = rowsAt(content, place);
	const [row] = rows;
	if (!row) throw noSuchRow(record, place);
	if (rows.length === 1) return row;
	throw new InputError(
		`Several subtables have a row ${place.rowId}, and it is unknown which of them has the field ${place.fieldId}`,
		'Add the files, and remove the old files in the sheet.',
	);
}

/**
 * Returns whether a field contains files. Throws InputError if a value may be something else, such as an e-mail address,
 * because it would be lost.
 */
async function hasFiles(
	sheetFields: SheetFields,
	place: FilePlace,
	row: JsonObject,
): Promise<boolean> {
	const values = [row.get(place.fieldId) ?? ''].flat().filter((value) => value !== '');
	if (values.length === 0) return false;
	const field = (await sheetFields.load()).byId(place.fieldId);
	const kind = kindOf(field ?? {});
	const isFile = (value: JsonValue) =>
		kind.is('unknown') ? isSurelyFile(value) : kind.is('file') && isFileValue(textOf(value));
	if (values.every(isFile)) return true;
	throw new InputError(
		`The field ${await fileFieldLabel(sheetFields, place)} may contain values that are not files, so it was not cleared`,
		'Choose a file or image field. If it is one, add the files, and remove the old files in the sheet.',
	);
}

async function fileFieldLabel(
	sheetFields: SheetFields,
	{ fieldId, rowId }: FilePlace,
): Promise<string> {
	const name = await sheetFields.nameFor(fieldId);
	return rowId === undefined ? `'${name}'` : `'${name}' of row ${rowId}`;
}

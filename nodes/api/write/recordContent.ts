import type { FilePart, FormPart } from '../values/formBody';
import { formFields, unusedRowIds, type FieldValues, type RecordChanges } from './recordChanges';
import { InputError } from '../values/inputError';
import { rowFieldName } from '../values/subtableKeys';
import { getOrInsert } from '../json/objects';

/** The field that a file goes to: of the record or, with the row's id, of one of its rows. */
export interface FilePlace {
	fieldId: string;
	/** Negative for a row that is created in the same request. */
	rowId?: string;
	/** The subtable of the row, where it is known: those of a record may have rows of the same id. */
	subtableId?: string;
}

/** Whether the id is that of a row that is there, and not one for a new row. */
export function isExistingRow(rowId: string): boolean {
	return !rowId.startsWith('-');
}

/** A file for a file field. */
export interface RecordFile extends FilePlace {
	file: FilePart;
}

/** What is written to a record. */
export interface RecordContent {
	changes: RecordChanges;
	files: readonly RecordFile[];
}

/** What is written to one row of a subtable; the files are all of that row. */
export interface RowContent {
	values: FieldValues;
	files: readonly RecordFile[];
}

/**
 * The same content for a new record: it has no rows yet, so those of another record become new ones, and their
 * files go with them. Throws InputError when a file may be for rows of several subtables.
 */
export function forNewRecord({ changes, files }: RecordContent): RecordContent {
	const ofFiles = files.flatMap(({ rowId }) => rowId ?? []);
	const ofRows = [...changes.subtables.values()].flatMap((rows) => [...rows.keys()]);
	const newRowIds = unusedRowIds(new Set([...ofRows, ...ofFiles]));
	const newIds = new Map<string, string>();
	const newId = (rowId: string, subtableId: string | undefined) => {
		if (!isExistingRow(rowId)) return rowId;
		const row = JSON.stringify([subtableId, rowId]);
		return getOrInsert(newIds, row, () => newRowIds.next().value);
	};
	const subtables = [...changes.subtables].map(([subtableId, rows]) => {
		const renamed = [...rows].map(([rowId, values]) => [newId(rowId, subtableId), values] as const);
		return [subtableId, new Map(renamed)] as const;
	});
	return {
		changes: { ...changes, subtables: new Map(subtables) },
		files: files.map((file) =>
			file.rowId === undefined
				? file
				: { ...file, rowId: newId(file.rowId, file.subtableId ?? holderOf(changes, file)) },
		),
	};
}

/** The subtable of a row that a file is for, where nothing else tells it. */
function holderOf({ subtables }: RecordChanges, { fieldId, rowId = '' }: FilePlace) {
	const [holder, ...others] = [...subtables].flatMap(([id, rows]) => (rows.has(rowId) ? [id] : []));
	if (others.length === 0) return holder;
	throw new InputError(
		`The file of ${rowFieldName(fieldId, rowId)} may be for a row of several subtables: ${[holder, ...others].join(', ')}`,
		'The service does not tell to which of them the field belongs.',
		'numberNewRows',
	);
}

/**
 * The parts of a form that says the content (specification, endpoints 6 and 7): a file is the part of its
 * field, or of `<field id>_<row id>`; several files repeat the name.
 */
export function formParts({ changes, files }: RecordContent): FormPart[] {
	const fileParts = files.map(({ fieldId, rowId, file }): FormPart => [
		rowId === undefined ? fieldId : rowFieldName(fieldId, rowId),
		file,
	]);
	return [...formFields(changes), ...fileParts];
}

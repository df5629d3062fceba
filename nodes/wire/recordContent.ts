import type { FilePart, FormPart } from './formBody';
import { formFields, unusedRowIds } from './recordChanges';
import type { FieldValues, RecordChanges } from './recordChanges';
import { rowFieldName } from './subtableKeys';

/** The field that a file goes to: of the record or, with the row's id, of one of its rows. */
export interface FilePlace {
	fieldId: string;
	/** Negative for a row that is created in the same request. */
	rowId?: string;
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
 * The same content for a new record: it has no rows yet, so those of another record become new ones, and
 * their files go with them.
 */
export function forNewRecord({ changes, files }: RecordContent): RecordContent {
	const ofFiles = files.flatMap(({ rowId }) => rowId ?? []);
	const rowIds = [
		...[...changes.subtables.values()].flatMap((rows) => [...rows.keys()]),
		...ofFiles,
	];
	const newRowIds = unusedRowIds(new Set(rowIds));
	const newIds = new Map<string, string>();
	for (const rowId of new Set(rowIds)) {
		newIds.set(rowId, rowId.startsWith('-') ? rowId : newRowIds.next().value);
	}
	const newId = (rowId: string) => newIds.get(rowId) ?? rowId;
	const subtables = [...changes.subtables].map(([subtableId, rows]) => {
		const renamed = [...rows].map(([rowId, values]) => [newId(rowId), values] as const);
		return [subtableId, new Map(renamed)] as const;
	});
	return {
		changes: { ...changes, subtables: new Map(subtables) },
		files: files.map((file) =>
			file.rowId === undefined ? file : { ...file, rowId: newId(file.rowId) },
		),
	};
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

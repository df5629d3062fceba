import { getOrInsert } from '../json/objects';
import { numberOrText } from '../read/record';
import type { FieldKinds } from '../sheet/kinds/valueKinds';
import type { FieldValue } from '../sheet/kinds/valueChecks';
import type { FilePart, FormPart } from '../values/formBody';
import { InputError } from '../values/inputError';
import { deletionKey, rowFieldName, subtableKey } from '../values/subtableKeys';

export type { FieldValue };

/** Field ID → value, in the order of the input. */
export type FieldValues = Map<string, FieldValue>;

/** The changes of a write to one record (specification, endpoints 6 and 7). */
export interface RecordChanges {
	fields: FieldValues;
	/** Subtable ID → row ID → values. New rows have negative IDs. */
	subtables: Map<string, Map<string, FieldValues>>;
	/** Subtable ID → IDs of the rows to delete. */
	deletedRows: Map<string, string[]>;
}

export function noChanges(): RecordChanges {
	return { fields: new Map(), subtables: new Map(), deletedRows: new Map() };
}

export function isEmpty({ fields, subtables, deletedRows }: RecordChanges): boolean {
	return fields.size === 0 && subtables.size === 0 && deletedRows.size === 0;
}

/** Yields all values to write, with their places. */
export function* valuesOf(changes: RecordChanges): Generator<FilePlace & { value: FieldValue }> {
	for (const [fieldId, value] of changes.fields) yield { fieldId, value };
	for (const [subtableId, rows] of changes.subtables) {
		for (const [rowId, values] of rows) {
			for (const [fieldId, value] of values) yield { fieldId, rowId, subtableId, value };
		}
	}
}

/** Returns the values of the record, or of the row at a place. */
export function valuesAt(
	{ fields, subtables }: RecordChanges,
	{ subtableId, rowId }: Pick<FilePlace, 'rowId' | 'subtableId'>,
): FieldValues {
	if (subtableId === undefined || rowId === undefined) return fields;
	const rows = getOrInsert(subtables, subtableId, () => new Map());
	return getOrInsert(rows, rowId, () => new Map());
}

/** Yields -1, -2, …, without the IDs that are already used. */
export function* unusedRowIds(used: ReadonlySet<string>): Generator<string, never> {
	for (let rowId = -1; ; rowId--) if (!used.has(String(rowId))) yield String(rowId);
}

/** A field of the record or, with a row ID, of one of its rows. */
export interface FilePlace {
	fieldId: string;
	/** Negative for a new row. */
	rowId?: string;
	/** Subtable of the row, if known. Rows of different subtables may have the same ID. */
	subtableId?: string;
}

/** Returns whether the ID is that of an existing row, not of a new one. */
export function isStoredRowId(rowId: string): boolean {
	return !rowId.startsWith('-');
}

export interface RecordFile extends FilePlace {
	file: FilePart;
}

/** Reason why a value is left out of a write, or why a written value may not be saved. */
export type NoteReason =
	| ('emptyRow' | 'filledIn' | 'file' | 'masked' | 'html' | 'shifted' | 'unknown')
	| ('noChoice' | 'noSwitch' | 'notDeleted' | 'notKept' | 'noRow' | 'unusedChoice')
	| ('longNumber' | 'objectText');

const sentReasons: readonly NoteReason[] = [
	'longNumber',
	'noChoice',
	'noSwitch',
	'objectText',
	'unusedChoice',
];

/** Returns whether a note is on a value that is sent, although it may be a mistake. */
export function isSentNote(reason: NoteReason): boolean {
	return sentReasons.includes(reason);
}

/** A note about a value, with its place. */
export interface ValueNote extends Partial<FilePlace> {
	/** Name of the field for the user, or the ID of a sent field. */
	name: string;
	reason: NoteReason;
	/** The value to compare with the saved one. If omitted, any saved value is accepted. */
	value?: unknown;
}

export interface RecordContent {
	changes: RecordChanges;
	files: readonly RecordFile[];
	/** Kinds of the sheet's fields. Values of fields without a kind are compared as values of an unknown kind. */
	kinds: FieldKinds;
	/** Values of the item that are not sent. The saved record shows whether they are lost. */
	notes?: readonly ValueNote[];
	/** ID of the record that the item was read from. Row IDs belong to this record. */
	sourceRecordId?: string;
	/** Rows (see `rowPlace`) that the user entered beside the item. Their IDs belong to the record that is written. */
	enteredRows?: ReadonlySet<string>;
	/** Whether the stored record was read, and rows to delete were checked. */
	isCompared?: boolean;
	/** Set if rows are matched with stored rows. Otherwise rows are identified by their IDs. */
	rowRules?: RowRules;
}

/** The part of a content that is sent. */
export type SentContent = Pick<RecordContent, 'changes' | 'files'>;

/** Returns a content without values that need the kinds of their fields: deletions of rows, emptied fields, files. */
export function contentWithoutKinds(
	changes: RecordChanges,
	files: readonly RecordFile[] = [],
): RecordContent {
	return { changes, files, kinds: new Map() };
}

/** Rules for matching rows without IDs with the rows of a record. */
export interface RowRules {
	/** `replace` deletes stored rows that no row of the input matches. */
	mode: 'replace' | 'upsert';
	/** Subtable ID → IDs of the match fields. */
	matchFields: ReadonlyMap<string, readonly string[]>;
}

/** The content for a single row of a subtable. */
export interface RowContent extends Pick<RecordContent, 'files' | 'kinds' | 'notes'> {
	values: FieldValues;
}

/** Returns a text that identifies a row of a record. */
export function rowPlace(subtableId: string | undefined, rowId: string): string {
	return JSON.stringify([subtableId, rowId]);
}

/** Returns the content for a record. If the item was read from another record, the rows of that record become new rows. */
export function contentFor(recordId: string, content: RecordContent): RecordContent {
	const { sourceRecordId = recordId } = content;
	return sourceRecordId === recordId ? content : forNewRecord(content, content.enteredRows);
}

/**
 * Returns the content for a new record. Rows with IDs of another record become new rows, with their files, except the `kept` ones.
 * Keeps deletions.
 */
export function forNewRecord(content: RecordContent, kept?: ReadonlySet<string>): RecordContent {
	const { changes, files, notes = [] } = content;
	const ofRows = [...changes.subtables.values()].flatMap((rows) => [...rows.keys()]);
	const newRowIds = unusedRowIds(new Set([...ofRows, ...files.flatMap(({ rowId = [] }) => rowId)]));
	const newIds = new Map<string, string>();
	const newId = (rowId: string, subtableId: string | undefined) => {
		const row = rowPlace(subtableId, rowId);
		if (!isStoredRowId(rowId) || kept?.has(row)) return rowId;
		return getOrInsert(newIds, row, () => newRowIds.next().value);
	};
	const subtables = [...changes.subtables].map(([subtableId, rows]) => {
		const renamed = [...rows].map(([rowId, values]) => [newId(rowId, subtableId), values] as const);
		return [subtableId, new Map(renamed)] as const;
	});
	return {
		...content,
		notes: notes.map((note) => ({ ...note, rowId: undefined })),
		changes: { ...changes, subtables: new Map(subtables) },
		files: files.map((file) =>
			file.rowId === undefined
				? file
				: { ...file, rowId: newId(file.rowId, file.subtableId ?? subtableOfFile(changes, file)) },
		),
	};
}

/**
 * Returns the ID of the subtable that has the row of a file, for a file without `subtableId`; undefined if no subtable has it.
 * Throws InputError if several subtables have a row with this ID.
 */
export function subtableOfFile({ subtables }: RecordChanges, place: FilePlace) {
	const subtableIds = [...subtables]
		.filter(([, rows]) => rows.has(place.rowId ?? ''))
		.map(([subtableId]) => subtableId);
	if (subtableIds.length < 2) return subtableIds[0];
	throw new InputError(
		`The file of ${partName(place)} may be for a row of several subtables: ${subtableIds.join(', ')}`,
		'The service does not show to which of them the field belongs.',
		'numberNewRows',
	);
}

/**
 * Returns the content with the IDs under which new rows are sent: -N … -1, in the order of the input. Some services store new rows
 * in the order of the body, others by their number. With these IDs, both store them in the order of the input. Rows that only have
 * a file come last, by their IDs in the input: -1, -2, …
 */
export function withSentRowIds({ changes, files }: SentContent): SentContent {
	const subtableIdOf = (file: RecordFile) => file.subtableId ?? subtableOfFile(changes, file);
	const inChanges = [...changes.subtables].flatMap(([subtableId, rows]) =>
		[...rows.keys()].map((rowId) => ({ rowId, key: rowPlace(subtableId, rowId) })),
	);
	const inFiles = files.flatMap((file) => {
		const { rowId } = file;
		return rowId === undefined ? [] : [{ rowId, key: rowPlace(subtableIdOf(file), rowId) }];
	});
	inFiles.sort((left, right) => Number(right.rowId) - Number(left.rowId));
	const newRows = [...inChanges, ...inFiles].filter(({ rowId }) => !isStoredRowId(rowId));
	const keys = [...new Set(newRows.map(({ key }) => key))];
	const sentIds = new Map(keys.map((key, index) => [key, String(index - keys.length)]));
	const sentId = (subtableId: string | undefined, rowId: string) =>
		sentIds.get(rowPlace(subtableId, rowId)) ?? rowId;
	const subtables = [...changes.subtables].map(([subtableId, rows]) => {
		const sent = [...rows].map(([rowId, values]) => [sentId(subtableId, rowId), values] as const);
		return [subtableId, new Map(sent)] as const;
	});
	const sentFiles = files.map((file) => {
		const { rowId } = file;
		return rowId === undefined ? file : { ...file, rowId: sentId(subtableIdOf(file), rowId) };
	});
	return { changes: { ...changes, subtables: new Map(subtables) }, files: sentFiles };
}

/** Returns the JSON body of a write (specification, endpoints 6 and 7). */
export function jsonBody({ fields, subtables, deletedRows }: RecordChanges): string {
	const body = Object.fromEntries<unknown>(fields);
	for (const [subtableId, rows] of subtables) {
		body[subtableKey(subtableId)] = Object.fromEntries(
			[...rows].map(([rowId, values]) => [rowId, Object.fromEntries(values)]),
		);
	}
	for (const [subtableId, rowIds] of deletedRows) {
		body[deletionKey(subtableId)] = rowIds.map(numberOrText);
	}
	return JSON.stringify(body);
}

/** Returns the name of the form part for a field. */
export function partName({ fieldId, rowId }: FilePlace): string {
	return rowId === undefined ? fieldId : rowFieldName(fieldId, rowId);
}

function partsOfValue(name: string, value: FieldValue): FormPart[] {
	if (!Array.isArray(value)) return [[name, String(value)]];
	// Send an empty part to clear a selection: without any part it would stay unchanged.
	if (value.length === 0) return [[name, '']];
	return value.map((element) => [name, element]);
}

/** Returns the content as parts of a form (specification, endpoints 6 and 7). Several choices or files of a field are parts with the same name. */
export function formParts({ changes, files }: SentContent): FormPart[] {
	const values = [...valuesOf(changes)].flatMap((place) =>
		partsOfValue(partName(place), place.value),
	);
	const deletions = [...changes.deletedRows].flatMap(([subtableId, rowIds]) =>
		partsOfValue(deletionKey(subtableId).slice(1), rowIds),
	);
	const fileParts = files.map((place): FormPart => [partName(place), place.file]);
	return [...values, ...deletions, ...fileParts];
}

import { getOrInsert } from '../json/objects';
import { numberOrText } from '../read/record';
import type { FieldKinds, FieldValue } from '../schema/valueKinds';
import type { FilePart, FormPart } from '../values/formBody';
import { InputError } from '../values/inputError';
import { deletionKey, rowFieldName, subtableKey } from '../values/subtableKeys';

export type { FieldValue };

/** Field id → value, in the order of the input. */
export type FieldValues = Map<string, FieldValue>;

/** What a write changes in one record (specification, endpoints 6 and 7). */
export interface RecordChanges {
	fields: FieldValues;
	/** Subtable id → row id → values; rows to be created have negative ids. */
	subtables: Map<string, Map<string, FieldValues>>;
	/** Subtable id → ids of the rows to delete. */
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

/** -1, -2, …, without the ids that are used already. */
export function* unusedRowIds(used: ReadonlySet<string>): Generator<string, never> {
	for (let rowId = -1; ; rowId--) if (!used.has(String(rowId))) yield String(rowId);
}

/** A field of the record or, with the row's id, of one of its rows. */
export interface FilePlace {
	fieldId: string;
	/** Negative for a row that is created in the same request. */
	rowId?: string;
	/** The subtable of the row, where it is known: those of a record may have rows of the same id. */
	subtableId?: string;
}

/** Whether the id is that of an existing row, and not of a new one. */
export function isExistingRow(rowId: string): boolean {
	return !rowId.startsWith('-');
}

export interface RecordFile extends FilePlace {
	file: FilePart;
}

/** Why a value is left out of a write, or what may have become of one that is written. */
export type NoteReason =
	| ('filledIn' | 'file' | 'masked' | 'html' | 'shifted' | 'unknown')
	| ('noChoice' | 'notDeleted' | 'notKept' | 'noRow' | 'unusedChoice');

/** What is to be known of a value, by the name that the user knows, and where it is. */
export interface ValueNote extends Partial<FilePlace> {
	/** The id of what was sent. */
	name: string;
	reason: NoteReason;
	/** Where it is missing, any value will do. */
	value?: unknown;
}

export interface RecordContent {
	changes: RecordChanges;
	files: readonly RecordFile[];
	/** Kinds of the sheet's fields. A field without a kind is compared to the letter. */
	kinds?: FieldKinds;
	/** Values of the item that are not sent: the saved record shows whether they are lost. */
	notes?: readonly ValueNote[];
	/** The record that the item was read from: row ids are those of its rows. */
	sourceRecordId?: string;
	/** Whether it was compared with the record, and has only what differs. */
	isCompared?: boolean;
	/** Without them, rows are identified by their ids alone. */
	rowRules?: RowRules;
}

/** How rows without ids are matched with the rows of a record. */
export interface RowRules {
	/** `replace` deletes rows that no given row matches. */
	mode: 'replace' | 'upsert';
	/** Subtable id → the ids of the fields to match on. */
	matchFields: ReadonlyMap<string, readonly string[]>;
}

/** What is written to one row of a subtable; the files are all of that row. */
export interface RowContent extends Pick<RecordContent, 'files' | 'kinds' | 'notes'> {
	values: FieldValues;
}

/** Returns the content for a record: rows of another one, from which the item was read, become new ones. */
export function contentFor(recordId: string, content: RecordContent): RecordContent {
	const { sourceRecordId = recordId } = content;
	return sourceRecordId === recordId ? content : forNewRecord(content);
}

/** Returns the content for a new record: rows that have ids of another record become new ones, with their files. */
export function forNewRecord(content: RecordContent): RecordContent {
	const { changes, files, notes = [] } = content;
	const ofRows = [...changes.subtables.values()].flatMap((rows) => [...rows.keys()]);
	const newRowIds = unusedRowIds(new Set([...ofRows, ...files.flatMap(({ rowId = [] }) => rowId)]));
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
		...content,
		notes: notes.map((note) => ({ ...note, rowId: undefined })),
		changes: { ...changes, subtables: new Map(subtables) },
		files: files.map((file) =>
			file.rowId === undefined
				? file
				: { ...file, rowId: newId(file.rowId, file.subtableId ?? holderOf(changes, file)) },
		),
	};
}

/** Returns the subtable whose changed row a file is for. Throws InputError when rows of several have its id. */
export function holderOf({ subtables }: RecordChanges, place: FilePlace) {
	const holders = [...subtables].filter(([, rows]) => rows.has(place.rowId ?? ''));
	const [holder, ...others] = holders.map(([subtableId]) => subtableId);
	if (others.length === 0) return holder;
	throw new InputError(
		`The file of ${partName(place)} may be for a row of several subtables: ${[holder, ...others].join(', ')}`,
		'The service does not show to which of them the field belongs.',
		'numberNewRows',
	);
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

/** Returns the name of a form's part that writes a field. */
export function partName({ fieldId, rowId }: FilePlace): string {
	return rowId === undefined ? fieldId : rowFieldName(fieldId, rowId);
}

function partsOf(name: string, value: FieldValue): FormPart[] {
	if (!Array.isArray(value)) return [[name, String(value)]];
	// No part at all would leave the selection as it is.
	if (value.length === 0) return [[name, '']];
	return value.map((element) => [name, element]);
}

/** Returns the content as the parts of a form (specification, endpoints 6 and 7): several choices or files repeat the name. */
export function formParts({ changes, files }: RecordContent): FormPart[] {
	const values = [...valuesOf(changes)].flatMap((one) => partsOf(partName(one), one.value));
	const deletions = [...changes.deletedRows].flatMap(([subtableId, rowIds]) =>
		partsOf(deletionKey(subtableId).slice(1), rowIds),
	);
	const ofFiles = files.map((one): FormPart => [partName(one), one.file]);
	return [...values, ...deletions, ...ofFiles];
}

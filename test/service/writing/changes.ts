import { isDateTime, longDateTime } from '../data/dates';
import { holdsSeveral, type Field, type FieldValue } from '../data/field';
import type { Row } from '../data/record';
import type { Sheet, Subtable } from '../data/sheet';
import type { UploadedFile } from '../http/body';
import { unknownField } from '../http/query';
import { ServiceError } from '../http/serviceError';
import type { Switches } from '../switches';

/** Changes of a write by field ID. Rows are keyed by subtable ID and the row ID of the request. */
export interface RecordChanges {
	values: Row;
	rows: Map<string, Map<number, Row>>;
	deletedRows: Map<string, number[]>;
	files: FileChange[];
}

export interface FileChange {
	fieldId: string;
	row?: { subtableId: string; rowId: number };
	file: UploadedFile;
}

/** Collects changes. Throws if the sheet does not have the field or subtable (code 201). */
export class ChangeCollector {
	readonly changes: RecordChanges = {
		values: new Map(),
		rows: new Map(),
		deletedRows: new Map(),
		files: [],
	};

	constructor(
		private readonly sheet: Sheet,
		private readonly unknownField: Switches['unknownBodyField'],
	) {}

	/** Sets the texts of a field. A field with a single value takes the last text. */
	setField(fieldId: string, texts: string[]): void {
		const field = this.sheet.field(fieldId);
		if (field) this.changes.values.set(fieldId, fieldValue(field, texts));
		else this.refuse(fieldId);
	}

	setRowField(subtable: Subtable, rowId: number, fieldId: string, texts: string[]): void {
		const field = subtable.fields.find(({ id }) => id === fieldId);
		if (field) this.row(subtable.id, rowId).set(fieldId, fieldValue(field, texts));
		else this.refuse(fieldId);
	}

	/** Returns the changes of a row. A new row is created even if no field is set. */
	row(subtableId: string, rowId: number): Row {
		const rows = this.changes.rows.get(subtableId) ?? new Map<number, Row>();
		this.changes.rows.set(subtableId, rows);
		const row = rows.get(rowId) ?? new Map<string, FieldValue>();
		rows.set(rowId, row);
		return row;
	}

	deleteRow(subtableId: string, rowIdText: string): void {
		if (!this.sheet.subtable(subtableId)) return this.refuse(subtableId);
		const rowIds = this.changes.deletedRows.get(subtableId) ?? [];
		this.changes.deletedRows.set(subtableId, [...rowIds, readRowId(rowIdText)]);
	}

	/** Adds an upload to the field `<field_id>`, or to `<field_id>_<row_id>` of a row, which may be new. */
	addFile(file: UploadedFile): void {
		const ofRow = readRowFieldName(file.fieldName);
		const found = ofRow
			? this.sheet.subtableField(ofRow.fieldId)
			: { field: this.sheet.field(file.fieldName), subtable: undefined };
		if (!found?.field) return this.refuse(file.fieldName);
		const { field, subtable } = found;
		if (field.type !== 'file') {
			throw new ServiceError('parameters', `Field ${field.id} takes no file.`);
		}
		const row = ofRow && subtable ? { subtableId: subtable.id, rowId: ofRow.rowId } : undefined;
		if (row) this.row(row.subtableId, row.rowId);
		this.changes.files.push({ fieldId: field.id, row, file });
	}

	refuse(name: string): void {
		if (this.unknownField === 'refused') throw unknownField(name);
	}
}

/** Parses the form field name `<field_id>_<row_id>`. Returns undefined for other names. */
export function readRowFieldName(name: string): { fieldId: string; rowId: number } | undefined {
	const [, fieldId, rowId] = /^(\d+)_(-?\d+)$/.exec(name) ?? [];
	return fieldId === undefined ? undefined : { fieldId, rowId: Number(rowId) };
}

/** Parses a row ID, which is negative for a new row. Throws for other texts (code 201). */
export function readRowId(text: string): number {
	if (/^-?\d+$/.test(text)) return Number(text);
	throw new ServiceError('parameters', `Invalid row id: ${text}`);
}

function fieldValue(field: Field, texts: string[]): FieldValue {
	const stored = texts.map((text) => storableText(field, text));
	if (holdsSeveral(field)) return stored.filter((text) => text !== '');
	return stored.at(-1) ?? '';
}

/** Returns the text to store: times with seconds, because some clients send `HH:mm`. */
function storableText(field: Field, text: string): string {
	if (field.type === 'dateTime' && isDateTime(text)) return longDateTime(text) ?? text;
	return text;
}

import type { Call } from '../call';
import type { AccountData } from '../data/accountData';
import { textsOf, type Field, type FieldValue } from '../data/field';
import type { Row, SheetRecord } from '../data/record';
import type { Sheet } from '../data/sheet';
import type { StoredFile } from '../data/storedFiles';
import { ServiceError } from '../http/serviceError';
import type { Switches } from '../switches';
import type { FileChange, RecordChanges } from './changes';

/** Merges changes into a draft. An empty value clears a field. Returns the uploads, which must be stored with the draft. */
export function applyChanges(
	changes: RecordChanges,
	draft: SheetRecord,
	sheet: Sheet,
	{ data, switches }: Call['state'],
): StoredFile[] {
	const ownFiles = changes.files.filter(({ row }) => row === undefined);
	const uploads = mergeFields(draft.values, sheet.fields, changes.values, ownFiles, data);
	for (const [subtableId, rowIds] of deletionsOf(changes, switches)) {
		for (const rowId of rowIds) draft.rows(subtableId).delete(rowId);
	}
	for (const [subtableId, rows] of changes.rows) {
		for (const [rowId, values] of inStoredOrder(rows, switches)) {
			const files = changes.files.filter(
				({ row }) => row?.subtableId === subtableId && row.rowId === rowId,
			);
			const row = rowToChange(draft.rows(subtableId), rowId);
			if (!row && switches.unknownRows === 'passedOver') continue;
			if (!row) throw unknownRow(subtableId, rowId);
			const fields = sheet.subtable(subtableId)?.fields ?? [];
			uploads.push(...mergeFields(row, fields, values, files, data));
			const isDropped = sheet.subtable(subtableId)?.showsLinkedRecords;
			if (rowId >= 0 || isDropped) continue;
			draft.rows(subtableId).set(newRowId(sheet, draft, subtableId, switches), row);
		}
	}
	return uploads;
}

/** Returns the rows of a subtable with the new rows in their stored order. */
function inStoredOrder(rows: ReadonlyMap<number, Row>, { newRowOrder }: Switches) {
	if (newRowOrder === 'bodyOrder') return rows;
	return [...rows].sort(([left], [right]) => Math.min(left, 0) - Math.min(right, 0));
}

/** Returns the rows to delete. Some services do not delete rows in a request that also changes rows. */
function deletionsOf({ deletedRows, rows }: RecordChanges, { deletionsWithRows }: Switches) {
	if (rows.size === 0 || deletedRows.size === 0 || deletionsWithRows === 'together') {
		return deletedRows;
	}
	if (deletionsWithRows === 'passedOver') return [];
	throw new ServiceError('parameters', 'Rows cannot be deleted together with other rows.');
}

/** Merges fields of a record or of a row. Uploads are added to the files of a field. */
function mergeFields(
	stored: Row,
	fields: readonly Field[],
	values: Row,
	files: readonly FileChange[],
	data: AccountData,
): StoredFile[] {
	for (const [fieldId, value] of values) {
		// A text beside an upload does not clear the field. Replacing a file takes two writes.
		if (files.some((file) => file.fieldId === fieldId)) continue;
		const field = fields.find(({ id }) => id === fieldId);
		if (field?.type === 'file') keepOnlyStored(fieldId, value, stored);
		stored.set(fieldId, value);
	}
	return files.map(({ fieldId, file }) => {
		const upload = data.prepareFile(file.fileName, file.mimeType, file.content);
		stored.set(fieldId, [...textsOf(stored.get(fieldId)), upload.value]);
		return upload;
	});
}

/** Throws if a text adds a file to the field: without an upload, files can only be removed. */
function keepOnlyStored(fieldId: string, value: FieldValue, stored: Row): void {
	const present = textsOf(stored.get(fieldId));
	const unknownText = textsOf(value).find((text) => !present.includes(text));
	if (unknownText !== undefined) {
		throw new ServiceError(
			'parameters',
			`Field ${fieldId} takes files only as multipart form data.`,
		);
	}
}

/** Returns the row with this ID, or a new row for a negative ID. The service assigns the ID of a new row. */
function rowToChange(rows: Map<number, Row>, rowId: number): Row | undefined {
	return rowId < 0 ? new Map() : rows.get(rowId);
}

function unknownRow(subtableId: string, rowId: number): ServiceError {
	return new ServiceError('parameters', `Subtable ${subtableId} has no row ${rowId}.`);
}

function newRowId(
	sheet: Sheet,
	draft: SheetRecord,
	subtableId: string,
	{ rowNumbers }: Switches,
): number {
	if (rowNumbers === 'bySheet') return sheet.takeRowId();
	return Math.max(0, ...draft.rows(subtableId).keys()) + 1;
}

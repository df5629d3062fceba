import type { AccountData } from '../data/accountData';
import { textsOf, type FieldValue } from '../data/field';
import type { Row, SheetRecord } from '../data/record';
import type { Sheet } from '../data/sheet';
import type { StoredFile } from '../data/storedFile';
import { errorCodes, ServiceError } from '../http/serviceError';
import type { RecordChanges } from './changes';

/**
 * Merges changes into a draft: what is not named stays as it is, an empty value clears. Returns the
 * uploaded files, to be kept when the draft is.
 */
export function applyChanges(
	changes: RecordChanges,
	draft: SheetRecord,
	sheet: Sheet,
	data: AccountData,
): StoredFile[] {
	const uploadedTo = new Set(changes.files.map(({ fieldId }) => fieldId));
	for (const [fieldId, value] of changes.values) {
		// A text beside an upload does not clear: to replace a file takes two writes.
		if (uploadedTo.has(fieldId)) continue;
		if (sheet.field(fieldId)?.type === 'file') keepOnlyStored(fieldId, value, draft);
		draft.set(fieldId, value);
	}
	const uploads = changes.files.map(({ fieldId, file }) => {
		const stored = data.prepareFile(file.fileName, file.mimeType, file.content);
		draft.set(fieldId, [...textsOf(draft.value(fieldId)), stored.value]);
		return stored;
	});
	for (const [subtableId, rowIds] of changes.deletedRows) {
		for (const rowId of rowIds) draft.rows(subtableId).delete(rowId);
	}
	for (const [subtableId, rows] of changes.rows) {
		for (const [rowId, values] of rows) mergeRow(subtableId, rowId, values, draft, sheet);
	}
	return uploads;
}

/** Without an upload a file field can lose files, not gain any. */
function keepOnlyStored(fieldId: string, value: FieldValue, draft: SheetRecord): void {
	const present = textsOf(draft.value(fieldId));
	const stranger = textsOf(value).find((text) => !present.includes(text));
	if (stranger !== undefined) {
		throw new ServiceError(
			errorCodes.parameters,
			`Field ${fieldId} takes files only as multipart form data.`,
		);
	}
}

/** A negative row id makes a new row, whose own id the service gives. */
function mergeRow(
	subtableId: string,
	rowId: number,
	values: Row,
	draft: SheetRecord,
	sheet: Sheet,
): void {
	const rows = draft.rows(subtableId);
	const row: Row | undefined = rowId < 0 ? new Map() : rows.get(rowId);
	if (!row) {
		throw new ServiceError(errorCodes.parameters, `Subtable ${subtableId} has no row ${rowId}.`);
	}
	for (const [fieldId, value] of values) row.set(fieldId, value);
	if (rowId < 0) rows.set(sheet.takeRowId(), row);
}

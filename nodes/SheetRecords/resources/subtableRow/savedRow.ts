import type { IDataObject } from 'n8n-workflow';
import type { SavedRow, Subtable } from '../../../service/subtableRows';
import { numberOrText, rowJson } from '../../../wire/record';

/** The output for a row that was written; without its id when the service left a doubt about it. */
export function savedRowJson(
	{ recordId }: Subtable,
	{ rowId, row, warning }: SavedRow,
): IDataObject {
	const ids = rowId === undefined ? {} : { _rowId: numberOrText(rowId) };
	return {
		_recordId: numberOrText(recordId),
		...(rowId !== undefined && row ? rowJson(rowId, row) : ids),
		...(warning === undefined ? {} : { _warning: warning }),
	};
}

import type { Client } from '../../../service/client';
import type { SavedRow, Subtable } from '../../../service/subtableRows';
import type { IDataObject } from 'n8n-workflow';
import { numberOrText } from '../../../wire/record';
import { rowJson } from '../../../wire/subtableRow';
import type { ItemParameters } from '../../itemParameters';
import { readRecordId } from '../../parameters/recordId';
import { readSubtableId } from '../../parameters/subtableId';

/**
 * The subtable of the record that the item chose.
 *
 * @throws ServiceError of kind `input`
 */
export function readSubtable(item: ItemParameters, client: Client): Subtable {
	const sheet = item.sheet(client.connection);
	const recordId = readRecordId(item, client.connection, sheet);
	return { sheet, recordId, subtableId: readSubtableId(item) };
}

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

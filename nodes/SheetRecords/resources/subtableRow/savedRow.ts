import type { IDataObject } from 'n8n-workflow';
import type { SavedRow, Subtable } from '../../../api/rows/subtableRows';
import { withNames, type OutputKeys } from '../../savedRecord';
import { ServiceError } from '../../../api/http/serviceError';
import { numberOrText, rowJson } from '../../../api/read/record';

/** The output for a row that was written; without its id when the service left a doubt about it. */
export async function savedRowJson(
	keys: OutputKeys,
	{ recordId, subtableId }: Subtable,
	{ rowId, row, warning }: SavedRow,
): Promise<IDataObject> {
	const ids = rowId === undefined ? {} : { _rowId: numberOrText(rowId) };
	const named = row && (await withNames(keys, row, subtableId));
	return {
		_recordId: numberOrText(recordId),
		...(named && rowId !== undefined ? rowJson(rowId, named) : ids),
		...(warning === undefined ? {} : { _warning: warning }),
	};
}

/** The error of a row that is not there. */
export function noSuchRow({ recordId, subtableId }: Subtable, rowId: string): ServiceError {
	return new ServiceError({
		kind: 'notFound',
		message: `There is no row ${rowId} in the subtable ${subtableId} of record ${recordId}`,
		description: "It may have been deleted. 'Get Many' of this resource returns the rows' IDs.",
	});
}

import { noSuchRow } from '../../../api/rows/existingRows';
import { deleteRows } from '../../../api/rows/subtableRows';
import { notice } from '../../../ui/parameter';
import { numberOrText } from '../../../api/read/record';
import { batchOperation } from '../../operation';
import { rowIdParameter, subtableParameter } from '../../parameters/subtable';
import { rowDeletionOptions } from '../../parameters/writeOptions';
import { rowsTogether } from './rowsTogether';

export const deleteOne = batchOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete a subtable row',
	description: 'Delete a row of a subtable for good. Rows of one record go in one request.',
	parameters: {
		subtable: subtableParameter,
		rowId: rowIdParameter,
		notice: notice('deletionNotice', 'Deleting a row cannot be undone'),
		writing: rowDeletionOptions,
	},
	prepare: (group) =>
		rowsTogether(group, async ({ client }, { subtable, writing }, rows) => {
			const rowIds = rows.map(({ rowId }) => rowId);
			const deleted = await deleteRows(client, subtable, rowIds, writing);
			const _recordId = numberOrText(subtable.recordId);
			return rowIds.map((rowId, index) =>
				deleted[index]
					? { deleted: true, _recordId, _rowId: numberOrText(rowId) }
					: noSuchRow(subtable, { rowId, ...subtable }),
			);
		}),
});

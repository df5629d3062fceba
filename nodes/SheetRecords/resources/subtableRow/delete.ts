import { sheetParameter } from '../../../shared/sheet';
import { deleteRows, noSuchRow } from '../../../service/subtableRows';
import { numberOrText } from '../../../wire/record';
import type { Operation } from '../../operation';
import { recordIdParameter } from '../../parameters/recordId';
import { readRowId, rowIdParameter, subtableIdParameter } from '../../parameters/subtableId';
import { plainWriteOptions, writeParameters } from '../../parameters/writeOptions';
import { readSubtable } from './readSubtable';
import { rowsTogether } from './rowsTogether';
import type { RowPlan } from './rowsTogether';

interface DeletedRow extends RowPlan {
	rowId: string;
}

export const deleteOne: Operation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete a subtable row',
	description: 'Delete a row of a subtable for good. Rows of one record go in one request.',
	parameters: [
		sheetParameter,
		recordIdParameter,
		subtableIdParameter,
		rowIdParameter,
		{
			displayName: 'Deleting a row cannot be undone',
			name: 'deletionNotice',
			type: 'notice',
			default: '',
		},
		plainWriteOptions,
	],
	begin: (items) =>
		rowsTogether<DeletedRow>(
			items,
			async (item, client) => {
				const subtable = await readSubtable(item, client);
				return { subtable, rowId: readRowId(item), parameters: writeParameters(item) };
			},
			async (client, plans) => {
				const [first] = plans;
				if (!first) return [];
				const rowIds = plans.map(({ rowId }) => rowId);
				const { subtable, parameters } = first;
				const deleted = await deleteRows(client, subtable, rowIds, parameters);
				const _recordId = numberOrText(subtable.recordId);
				return rowIds.map((rowId, index) =>
					deleted[index]
						? { deleted: true, _recordId, _rowId: numberOrText(rowId) }
						: noSuchRow(subtable, rowId),
				);
			},
		),
};

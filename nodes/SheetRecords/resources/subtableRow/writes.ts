import { numberOrText } from '../../../api/read/record';
import { readOptionsBy } from '../../../api/read/readOptions';
import { recordsByIds } from '../../../api/read/recordsByIds';
import { addRows, deleteRows, noSuchRow, updateRows } from '../../../api/rows/subtableRows';
import type { KnownRows } from '../../../api/rows/subtableRows';
import { notice } from '../../../ui/parameter';
import { batchOperation } from '../../operation';
import { rowIdParameter, subtableParameter } from '../../parameters/record';
import { rowValuesParameter } from '../../parameters/recordValues';
import { rowDeletionOptions, rowOptions } from '../../parameters/writeOptions';
import { savedRowJson } from '../../savedRecord';
import { rowsTogether } from './rowsTogether';

export const add = batchOperation({
	value: 'add',
	name: 'Add',
	action: 'Add a subtable row',
	description:
		'Add a row to a subtable of a record and return it as saved. Rows of one record go in one request.',
	parameters: { subtable: subtableParameter, values: rowValuesParameter, writing: rowOptions },
	prepare(group) {
		const known: KnownRows = new Map();
		return rowsTogether(group, async (item, { subtable, writing }, rows) => {
			const contents = rows.map(({ values }) => values);
			const saved = await addRows(item.client, subtable, contents, writing, known);
			return await Promise.all(
				saved.map(async (row, index) => {
					const naming = rows[index]?.writing.naming;
					return await savedRowJson({ item, sheet: subtable.sheet, naming }, subtable, row);
				}),
			);
		});
	},
});

export const update = batchOperation({
	value: 'update',
	name: 'Update',
	action: 'Update a subtable row',
	description:
		'Change the given fields of a row, leave the others, and return the row as saved. Rows of one record go in one request.',
	parameters: {
		subtable: subtableParameter,
		rowId: rowIdParameter,
		values: rowValuesParameter,
		writing: rowOptions,
	},
	prepare: (group) =>
		rowsTogether(group, async (item, { subtable, writing }, rows) => {
			const changes = new Map(rows.map(({ rowId, values }) => [rowId, values]));
			const saved = await updateRows(item.client, subtable, changes, writing);
			return await Promise.all(
				rows.map(async ({ rowId, writing: { naming } }, index) => {
					const row = saved[index];
					if (!row) return noSuchRow(subtable, { ...subtable, rowId });
					return await savedRowJson({ item, sheet: subtable.sheet, naming }, subtable, row);
				}),
			);
		}),
});

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
	prepare(group) {
		const recordsOf = group(({ client }, { subtable: { sheet, recordId } }) =>
			recordsByIds(client, sheet, readOptionsBy('EID')).expect(recordId),
		);
		return rowsTogether(group, async (item, first, rows) => {
			const { subtable, writing } = first;
			const records = await recordsOf(item, first);
			const rowIds = rows.map(({ rowId }) => rowId);
			// The service confirms the deletion of a row that does not exist, too.
			const before = await records.content(item.client, subtable.recordId);
			const deleted = await deleteRows(item.client, subtable, rowIds, writing, before);
			const _recordId = numberOrText(subtable.recordId);
			return rowIds.map((rowId, index) =>
				deleted[index]
					? { deleted: true, _recordId, _rowId: numberOrText(rowId) }
					: noSuchRow(subtable, { ...subtable, rowId }),
			);
		});
	},
});

import { noSuchRow } from '../../../api/rows/existingRows';
import { updateRows } from '../../../api/rows/subtableRows';
import { batchOperation } from '../../operation';
import { rowValuesParameter } from '../../parameters/rowValues';
import { rowIdParameter, subtableParameter } from '../../parameters/subtable';
import { rowOptions } from '../../parameters/writeOptions';
import { rowsTogether } from './rowsTogether';
import { savedRowJson } from '../../savedRecord';

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
					const keys = { item, sheet: subtable.sheet, naming };
					return row
						? await savedRowJson(keys, subtable, row)
						: noSuchRow(subtable, { rowId, ...subtable });
				}),
			);
		}),
});

import { noSuchRow } from '../../../api/rows/existingRows';
import { updateRows } from '../../../api/rows/subtableRows';
import { jointOperation } from '../../operation';
import { rowValuesParameter } from '../../parameters/rowValues';
import { rowIdParameter, subtableParameter } from '../../parameters/subtable';
import { rowOptions } from '../../parameters/writeOptions';
import { rowsTogether } from './rowsTogether';
import { savedRowJson } from '../../savedRecord';

export const update = jointOperation({
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
	begin: (items, read) =>
		rowsTogether(items, read, async ({ item, client }, { subtable, writing }, rows) => {
			const changes = new Map(rows.map(({ rowId, values }) => [rowId, values]));
			const saved = await updateRows(client, subtable, changes, writing);
			return await Promise.all(
				rows.map(async ({ rowId, writing: { naming } }, index) => {
					const row = saved[index];
					const keys = { item, client, sheet: subtable.sheet, naming };
					return row
						? await savedRowJson(keys, subtable, row)
						: noSuchRow(subtable, { rowId, ...subtable });
				}),
			);
		}),
});

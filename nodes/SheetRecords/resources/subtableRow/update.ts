import { updateRows } from '../../../service/subtableRows';
import { jointOperation } from '../../operation';
import { rowValuesParameter } from '../../parameters/rowValues';
import { rowIdParameter, subtableParameter } from '../../parameters/subtable';
import { rowOptions } from '../../parameters/writeOptions';
import { rowsTogether } from './rowsTogether';
import { noSuchRow, savedRowJson } from './savedRow';

export const update = jointOperation({
	value: 'update',
	name: 'Update',
	action: 'Update a subtable row',
	description:
		'Change the given fields of a row, leave the others, and return the row as saved, by field IDs. Rows of one record go in one request.',
	parameters: {
		subtable: subtableParameter,
		rowId: rowIdParameter,
		values: rowValuesParameter,
		writing: rowOptions,
	},
	begin: (items, read) =>
		rowsTogether(items, read, async (client, { subtable, writing }, rows) => {
			const changes = new Map(rows.map(({ rowId, values }) => [rowId, values]));
			const saved = await updateRows(client, subtable, changes, writing);
			return rows.map(({ rowId }, index) => {
				const row = saved[index];
				return row ? savedRowJson(subtable, row) : noSuchRow(subtable, rowId);
			});
		}),
});

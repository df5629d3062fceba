import { addRows, type KnownRows } from '../../../api/rows/subtableRows';
import { batchOperation } from '../../operation';
import { rowValuesParameter } from '../../parameters/rowValues';
import { subtableParameter } from '../../parameters/subtable';
import { rowOptions } from '../../parameters/writeOptions';
import { rowsTogether } from './rowsTogether';
import { savedRowJson } from '../../savedRecord';

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
					const keys = { item, sheet: subtable.sheet, naming };
					return await savedRowJson(keys, subtable, row);
				}),
			);
		});
	},
});

import { addRows, type KnownRows } from '../../../api/rows/subtableRows';
import { jointOperation } from '../../operation';
import { rowValuesParameter } from '../../parameters/rowValues';
import { subtableParameter } from '../../parameters/subtable';
import { rowOptions } from '../../parameters/writeOptions';
import { rowsTogether } from './rowsTogether';
import { savedRowJson } from '../../savedRecord';

export const add = jointOperation({
	value: 'add',
	name: 'Add',
	action: 'Add a subtable row',
	description:
		'Add a row to a subtable of a record and return it as saved. Rows of one record go in one request.',
	parameters: { subtable: subtableParameter, values: rowValuesParameter, writing: rowOptions },
	begin(items, read) {
		const known: KnownRows = new Map();
		return rowsTogether(items, read, async ({ item, client }, { subtable, writing }, rows) => {
			const contents = rows.map(({ values }) => values);
			const saved = await addRows(client, subtable, contents, writing, known);
			return await Promise.all(
				saved.map(async (row, index) => {
					const naming = rows[index]?.writing.naming;
					const keys = { item, client, sheet: subtable.sheet, naming };
					return await savedRowJson(keys, subtable, row);
				}),
			);
		});
	},
});

import { sheetParameter } from '../../../shared/sheet';
import { addRows } from '../../../service/subtableRows';
import type { FieldValues } from '../../../wire/recordChanges';
import type { Operation } from '../../operation';
import { recordIdParameter } from '../../parameters/recordId';
import { readRowValues, rowValueParameters } from '../../parameters/rowValues';
import { subtableIdParameter } from '../../parameters/subtableId';
import { updateOptions, writeParameters } from '../../parameters/writeOptions';
import { SheetFields } from '../../sheetFields';
import { readSubtable } from './readSubtable';
import { rowsTogether } from './rowsTogether';
import type { RowPlan } from './rowsTogether';
import { savedRowJson } from './savedRow';

interface NewRow extends RowPlan {
	values: FieldValues;
}

export const add: Operation = {
	value: 'add',
	name: 'Add',
	action: 'Add a subtable row',
	description:
		'Add a row to a subtable of a record and return it as saved, by field IDs. Rows of one record go in one request.',
	parameters: [
		sheetParameter,
		recordIdParameter,
		subtableIdParameter,
		...rowValueParameters,
		updateOptions,
	],
	begin: (items) =>
		rowsTogether<NewRow>(
			items,
			async (item, client) => {
				const subtable = await readSubtable(item, client);
				const parameters = writeParameters(item);
				const fields = new SheetFields(client, subtable.sheet);
				const values = await readRowValues(item, fields, subtable.subtableId);
				return { subtable, values, parameters };
			},
			async (client, plans) => {
				const [first] = plans;
				if (!first) return [];
				const rows = plans.map(({ values }) => values);
				const saved = await addRows(client, first.subtable, rows, first.parameters);
				return saved.map((row) => savedRowJson(first.subtable, row));
			},
		),
};

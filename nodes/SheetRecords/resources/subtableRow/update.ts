import { sheetParameter } from '../../../shared/sheet';
import { noSuchRow, updateRows } from '../../../service/subtableRows';
import type { FieldValues } from '../../../wire/recordChanges';
import type { Operation } from '../../operation';
import { recordIdParameter } from '../../parameters/recordId';
import { readRowValues, rowValueParameters } from '../../parameters/rowValues';
import { readRowId, rowIdParameter, subtableIdParameter } from '../../parameters/subtableId';
import { updateOptions, writeParameters } from '../../parameters/writeOptions';
import { SheetFields } from '../../sheetFields';
import { readSubtable } from './readSubtable';
import { rowsTogether } from './rowsTogether';
import type { RowPlan } from './rowsTogether';
import { savedRowJson } from './savedRow';

interface ChangedRow extends RowPlan {
	rowId: string;
	values: FieldValues;
}

export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update a subtable row',
	description:
		'Change the given fields of a row, leave the others, and return the row as saved, by field IDs. Rows of one record go in one request.',
	parameters: [
		sheetParameter,
		recordIdParameter,
		subtableIdParameter,
		rowIdParameter,
		...rowValueParameters,
		updateOptions,
	],
	begin: (items) =>
		rowsTogether<ChangedRow>(
			items,
			async (item, client) => {
				const subtable = await readSubtable(item, client);
				const rowId = readRowId(item);
				const parameters = writeParameters(item);
				const fields = new SheetFields(client, subtable.sheet);
				const values = await readRowValues(item, fields, subtable.subtableId);
				return { subtable, rowId, values, parameters };
			},
			async (client, plans) => {
				const [first] = plans;
				if (!first) return [];
				const rows = new Map(plans.map(({ rowId, values }) => [rowId, values]));
				const { subtable, parameters } = first;
				const saved = await updateRows(client, subtable, rows, parameters);
				return plans.map(({ rowId }, index) => {
					const row = saved[index];
					return row ? savedRowJson(subtable, row) : noSuchRow(subtable, rowId);
				});
			},
		),
};

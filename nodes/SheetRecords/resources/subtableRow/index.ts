import { isJsonObject } from '../../../api/json/orderedJson';
import { numberOrText, rowJson, rowsOf } from '../../../api/read/record';
import { readOptionsBy } from '../../../api/read/readOptions';
import { recordsByIds } from '../../../api/read/recordsByIds';
import { addRows, deleteRows, noSuchRow, updateRows } from '../../../api/rows/subtableRows';
import type { KnownRows } from '../../../api/rows/subtableRows';
import { ItemKeys } from '../../../api/schema/fieldNames';
import { Schema } from '../../../api/schema/schema';
import { namingOption, typingOptions } from '../../../ui/options';
import { notice, optionsCollection } from '../../../ui/parameter';
import { valueTypes } from '../../../ui/recordOutput';
import { batchOperation, type Resource } from '../../operation';
import { limitParameter } from '../../parameters/list';
import { noSuchRecord, rowIdParameter, subtableParameter } from '../../parameters/record';
import { rowValuesParameter } from '../../parameters/recordValues';
import { rowDeletionOptions, rowOptions } from '../../parameters/writeOptions';
import { savedRowJson } from '../../savedRecord';
import { rowsTogether } from './rowsTogether';

const add = batchOperation({
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

const update = batchOperation({
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

const deleteOne = batchOperation({
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
			const failures = await deleteRows(item.client, subtable, rowIds, writing, before);
			const _recordId = numberOrText(subtable.recordId);
			return rowIds.map(
				(rowId, index) =>
					failures[index] ?? { deleted: true, _recordId, _rowId: numberOrText(rowId) },
			);
		});
	},
});

const getAll = batchOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many subtable rows',
	description: 'Get the rows of a subtable of a record, in their order',
	parameters: {
		subtable: subtableParameter,
		limit: limitParameter,
		options: optionsCollection({ naming: namingOption, ...typingOptions }),
	},
	prepare(group) {
		const recordsOf = group(({ client }, { subtable: { sheet, recordId }, options }) =>
			recordsByIds(client, sheet, readOptionsBy(options.naming)).expect(recordId),
		);
		return async (item, wanted) => {
			const { subtable, limit, options } = wanted;
			const { sheet, recordId, subtableId } = subtable;
			const schema = new Schema(item.client, sheet);
			const types = await valueTypes(schema, options);
			const content = await (await recordsOf(item, wanted)).take(item.client, recordId);
			if (!content) throw noSuchRecord(recordId);
			const rows = rowsOf(content, subtableId);
			if (!rows) await schema.requireSubtable(subtableId);
			const _recordId = numberOrText(recordId);
			const keys = new ItemKeys();
			const shape = options.naming === 'EID' ? {} : keys;
			const json = [...(rows ?? [])].slice(0, limit).flatMap(([rowId, row]) => {
				if (!isJsonObject(row)) return [];
				const typed = types ? types.row(subtableId, row) : row;
				return [{ _recordId, ...rowJson(rowId, typed, shape, subtableId) }];
			});
			return await keys.named(json, async () => await schema.namedFields());
		};
	},
});

export const subtableRow: Resource = {
	value: 'subtableRow',
	name: 'Subtable Row',
	description: 'A row of a subtable inside a record',
	defaultOperation: add,
	operations: [add, deleteOne, getAll, update],
};

import { isJsonObject } from '../../api/json/orderedJson';
import { numberOrText, rowJson, rowsOf } from '../../api/read/record';
import { readOptionsBy } from '../../api/read/readOptions';
import { recordsByIds } from '../../api/read/recordsByIds';
import { addRow, deleteRow, updateRow } from '../../api/rows/subtableRows';
import type { KnownRows } from '../../api/rows/subtableRows';
import { ItemKeys } from '../../api/schema/fieldNames';
import { Schema } from '../../api/schema/schema';
import { namingOption, typingOptions } from '../../ui/options';
import { notice, optionsCollection } from '../../ui/parameter';
import { valueTypes } from '../../ui/recordOutput';
import { batchOperation, operation, type Resource } from '../operation';
import { limitParameter } from '../parameters/list';
import { noSuchRecord, rowIdParameter, subtableParameter } from '../parameters/record';
import { rowValuesParameter } from '../parameters/recordValues';
import { rowDeletionOptions, rowOptions } from '../parameters/writeOptions';
import { savedRowJson } from '../savedRecord';

const add = batchOperation({
	value: 'add',
	name: 'Add',
	action: 'Add a subtable row',
	description:
		'Add a row to a subtable of a record and return it as saved. Record: Update writes many rows of a record at once.',
	parameters: { subtable: subtableParameter, values: rowValuesParameter, writing: rowOptions },
	prepare() {
		const known: KnownRows = new Map();
		return async (item, { subtable, values, writing }) => {
			const saved = await addRow(item.client, subtable, values, writing, known);
			return await savedRowJson({ item, ...subtable, ...writing }, subtable, saved);
		};
	},
});

const update = operation({
	value: 'update',
	name: 'Update',
	action: 'Update a subtable row',
	description: 'Change the given fields of a row, leave the others, and return the row as saved',
	parameters: {
		subtable: subtableParameter,
		rowId: rowIdParameter,
		values: rowValuesParameter,
		writing: rowOptions,
	},
	async run(item, { subtable, rowId, values, writing }) {
		const saved = await updateRow(item.client, subtable, rowId, values, writing);
		return await savedRowJson({ item, ...subtable, ...writing }, subtable, saved);
	},
});

const deleteOne = batchOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete a subtable row',
	description: 'Delete a row of a subtable for good',
	parameters: {
		subtable: subtableParameter,
		rowId: rowIdParameter,
		notice: notice('deletionNotice', 'Deleting a row cannot be undone'),
		writing: rowDeletionOptions,
	},
	prepare(group) {
		const known: KnownRows = new Map();
		const recordsOf = group(({ client }, { subtable: { sheet, recordId } }) =>
			recordsByIds(client, sheet, readOptionsBy('EID')).expect(recordId),
		);
		return async (item, wanted) => {
			const { client } = item;
			const { subtable, rowId, writing } = wanted;
			const { recordId } = subtable;
			const records = await recordsOf(item, wanted);
			const read = async () => await records.content(client, recordId);
			await deleteRow(client, subtable, rowId, writing, known, read);
			return { deleted: true, _recordId: numberOrText(recordId), _rowId: numberOrText(rowId) };
		};
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
			const types = await valueTypes(schema, options, item.run.hints.untyped);
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
			return await keys.named(json, async () => await schema.keyedFields());
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

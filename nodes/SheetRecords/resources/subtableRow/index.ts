import type { IDataObject } from 'n8n-workflow';
import { CachePart } from '../../../api/http/runCache';
import { fallbackTo, type ServiceError } from '../../../api/http/serviceError';
import { isJsonObject } from '../../../api/json/orderedJson';
import { numberOrText, rowJson, rowsOf } from '../../../api/read/record';
import { readOptionsBy, type ReadOptions } from '../../../api/read/readOptions';
import { recordLoader } from '../../../api/read/recordLoader';
import { addRows, deleteRows, noSuchRow, updateRows } from '../../../api/rows/subtableRows';
import { isRefusedWhole, type SavedRow, type Subtable } from '../../../api/rows/subtableRows';
import { ItemKeys } from '../../../api/schema/fieldNames';
import { Schema } from '../../../api/schema/schema';
import { formatSheetPath } from '../../../api/values/sheetAddress';
import type { RowContent } from '../../../api/write/recordContent';
import { writingParameters, type Writing } from '../../../api/write/records';
import { namingOption, typingOptions } from '../../../shared/parameters/options';
import { notice, optionsCollection, type Parameters } from '../../../shared/parameters/parameter';
import { valueTypes } from '../../../shared/output/recordOutput';
import type { Item, ItemContext } from '../../run/itemContext';
import { batchOperation } from '../../run/operation';
import type { Operation, OperationTexts, Resource } from '../../run/operation';
import type { ItemResults } from '../../run/operationResult';
import { limitParameter } from '../../parameters/list';
import { noSuchRecord, rowIdParameter, subtableParameter } from '../../parameters/record';
import { rowValuesParameter } from '../../parameters/recordValues';
import { rowDeletionOptions, rowOptions } from '../../parameters/writeOptions';
import { savedRowJson } from '../../run/savedRecord';

/** What is written into a row of a record, or which row is deleted. */
interface WantedRow {
	subtable: Subtable;
	rowId?: string;
	values?: RowContent;
	writing: Writing & { naming?: ReadOptions['naming'] };
}

type RowResult = IDataObject | ServiceError;

/** An operation that sends what items want of rows of one record together. */
interface RowOperation<Row extends WantedRow> extends OperationTexts {
	parameters: Parameters<Row, ItemContext>;
	/** Called for each row before the first is sent. */
	expect?: (item: Item, row: Row) => void;
	/** Sends rows in the turn of the first of them. Returns of each, in their order, its item or what went wrong. */
	send: (item: Item, first: Row, rows: readonly Row[]) => Promise<RowResult[]>;
}

/** The rows of items by the items' numbers. */
interface Batch<Row> {
	rows: Map<number, Row>;
	sent?: Promise<ItemResults>;
}

/** Few enough that an answer comes soon and a refusal names its row. */
const mostRows = 100;

function rowOperation<Row extends WantedRow>(definition: RowOperation<Row>): Operation {
	const { expect, send, ...others } = definition;
	const latest = new CachePart<Batch<Row>>();
	return batchOperation({
		...others,
		group(item, row: Row) {
			expect?.(item, row);
			const { sheet, recordId, subtableId } = row.subtable;
			const where = [formatSheetPath(sheet), recordId, subtableId];
			const name = JSON.stringify([...where, writingParameters(row.writing)]);
			const batches = item.client.cache.part(latest);
			const current = batches.get(name);
			const batch: Batch<Row> = current && hasRoomFor(current, row) ? current : { rows: new Map() };
			batch.rows.set(item.index, row);
			batches.set(name, batch);
			return batch;
		},
		async run(item, row, group) {
			const sendThese = async (rows: ReadonlyMap<number, Row>): Promise<ItemResults> => {
				const results = await send(item, row, [...rows.values()]);
				return new Map([...rows.keys()].map((index, place) => [index, results[place] ?? {}]));
			};
			const batch = await group();
			batch.sent ??= sendThese(batch.rows);
			return await batch.sent.catch(async (error: unknown) => {
				if (batch.rows.size < 2 || !isRefusedWhole(error)) throw error;
				// Nothing was saved: by itself, a row that is refused does not take the others along.
				return await sendThese(new Map([[item.index, row]]));
			});
		},
	});
}

/**
 * A row that is there already is changed again afterwards, in the order of the items. One with files goes alone: a large
 * upload that fails, or of which nobody knows whether it arrived, is its own item's only.
 */
function hasRoomFor({ rows }: Batch<WantedRow>, wanted: WantedRow): boolean {
	const others = [...rows.values()];
	const isThere = others.some(({ rowId }) => rowId !== undefined && rowId === wanted.rowId);
	const hasFiles = [wanted, ...others].some(({ values }) => values && values.files.length > 0);
	return others.length < mostRows && !isThere && !hasFiles;
}

/** Returns the items of rows that were written. */
async function savedItems(
	item: Item,
	rows: readonly WantedRow[],
	saved: ReadonlyArray<SavedRow | undefined>,
): Promise<RowResult[]> {
	const results = rows.map(async ({ subtable, rowId = '', writing: { naming } }, index) => {
		const row = saved[index];
		if (!row) return noSuchRow(subtable, { ...subtable, rowId });
		return await savedRowJson({ item, sheet: subtable.sheet, naming }, subtable, row);
	});
	return await Promise.all(results);
}

/** Returns the run's loader of the records that rows belong to. */
function recordsOf({ client }: Item, { sheet }: Subtable, naming?: ReadOptions['naming']) {
	return recordLoader(client, sheet, readOptionsBy(naming ?? 'EID'));
}

/** Row IDs of subtables after the latest write of the run, by record and subtable. */
const knownRows = new CachePart<ReadonlySet<string>>();

const add = rowOperation({
	value: 'add',
	name: 'Add',
	action: 'Add a subtable row',
	description:
		'Add a row to a subtable of a record and return it as saved. Rows of one record are sent in one request.',
	parameters: { subtable: subtableParameter, values: rowValuesParameter, writing: rowOptions },
	expect: (item, { subtable }) => void recordsOf(item, subtable).enqueue(subtable.recordId),
	async send(item, { subtable, writing }, rows) {
		const { client } = item;
		const contents = rows.map(({ values }) => values);
		const known = client.cache.part(knownRows);
		const loadRecord = async () => {
			const loading = recordsOf(item, subtable).load(client, subtable.recordId, 'recent');
			return await loading.catch(fallbackTo(undefined));
		};
		const saved = await addRows(client, subtable, contents, writing, known, loadRecord);
		return await savedItems(item, rows, saved);
	},
});

const update = rowOperation({
	value: 'update',
	name: 'Update',
	action: 'Update a subtable row',
	description:
		'Update the given fields of a row and return the row as saved. Rows of one record are sent in one request.',
	parameters: {
		subtable: subtableParameter,
		rowId: rowIdParameter,
		values: rowValuesParameter,
		writing: rowOptions,
	},
	async send(item, { subtable, writing }, rows) {
		const changes = new Map(rows.map(({ rowId, values }) => [rowId, values]));
		return await savedItems(item, rows, await updateRows(item.client, subtable, changes, writing));
	},
});

const deleteOne = rowOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete a subtable row',
	description:
		'Delete a row of a subtable permanently. Rows of one record are sent in one request.',
	parameters: {
		subtable: subtableParameter,
		rowId: rowIdParameter,
		notice: notice('deletionNotice', 'Deleting a row cannot be undone'),
		writing: rowDeletionOptions,
	},
	expect: (item, { subtable }) => void recordsOf(item, subtable).enqueue(subtable.recordId),
	async send(item, { subtable, writing }, rows) {
		const rowIds = rows.map(({ rowId }) => rowId);
		// The service confirms the deletion of a row that does not exist, too.
		const before = await recordsOf(item, subtable).load(item.client, subtable.recordId);
		const failures = await deleteRows(item.client, subtable, rowIds, writing, before);
		const _recordId = numberOrText(subtable.recordId);
		return rowIds.map(
			(rowId, index) =>
				failures[index] ?? { deleted: true, _recordId, _rowId: numberOrText(rowId) },
		);
	},
});

const getAll = batchOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many subtable rows',
	description: 'Get the rows of a subtable of a record in the order of the sheet',
	parameters: {
		subtable: subtableParameter,
		limit: limitParameter,
		options: optionsCollection({ naming: namingOption, ...typingOptions }),
	},
	group: (item, { subtable, options: { naming } }) =>
		recordsOf(item, subtable, naming).enqueue(subtable.recordId),
	async run({ client }, { subtable, limit, options }, group) {
		const { sheet, recordId, subtableId } = subtable;
		const schema = new Schema(client, sheet);
		const types = await valueTypes(schema, options);
		const content = await (await group()).loadOnce(client, recordId);
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
	},
});

export const subtableRow: Resource = {
	value: 'subtableRow',
	name: 'Subtable Row',
	description: 'Row of a subtable of a record',
	defaultOperation: add,
	operations: [add, deleteOne, getAll, update],
};

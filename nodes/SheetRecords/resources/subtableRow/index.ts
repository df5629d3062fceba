import type { IDataObject } from 'n8n-workflow';
import { codeSentence } from '../../../api/http/errorCodes';
import { CachePart } from '../../../api/http/runCache';
import { fallbackTo, ServiceError, type FailureKind } from '../../../api/http/serviceError';
import { isJsonObject } from '../../../api/json/orderedJson';
import { numberOrText, rowJson, rowsOf } from '../../../api/read/record';
import { readOptionsBy, type ReadOptions } from '../../../api/read/readOptions';
import { recordLoader } from '../../../api/read/recordLoader';
import { addRows, deleteRows, noSuchRow, updateRows } from '../../../api/rows/subtableRows';
import {
	isRefusedWhole,
	type SavedRow,
	type SubtableAddress,
} from '../../../api/rows/subtableRows';
import { ItemKeys } from '../../../api/sheet/fieldNames';
import { SheetFields } from '../../../api/sheet/sheetFields';
import { formatSheetPath } from '../../../api/values/sheetAddress';
import { noChanges, type RowContent } from '../../../api/write/recordContent';
import { writingParameters, type Writing } from '../../../api/write/records';
import { recordExists } from '../../../api/write/storedRecord';
import {
	firstReadingOptions,
	namingOption,
	typingOptions,
} from '../../../shared/parameters/options';
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
import { noteNewerValues, requireNewestValues, writtenTexts } from '../../run/recordHistory';
import { recordKey, savedRowJson } from '../../run/savedRecord';

/** A row to add, update or delete. */
interface RowWrite {
	subtable: SubtableAddress;
	rowId?: string;
	values?: RowContent;
	writing: Writing & { naming?: ReadOptions['naming'] };
}

type RowResult = IDataObject | ServiceError;

/** Definition of an operation that sends the rows of one record in one request. */
interface RowOperation<Row extends RowWrite> extends OperationTexts {
	parameters: Parameters<Row, ItemContext>;
	/** Enqueues the record of a row for loading. Called for every row before the first batch is sent. */
	enqueue?: (item: Item, row: Row) => void;
	/** Sends all rows of the batch when its first item runs. Returns one output or error per row, in input order. */
	send: (item: Item, first: Row, rows: readonly Row[]) => Promise<RowResult[]>;
}

/** Rows that are sent together, by item index: consecutive rows of one subtable of a record, with the same write parameters. */
interface Batch<Row> {
	rows: Map<number, Row>;
	/** Write parameters in one text. */
	writing: string;
	sent?: Promise<ItemResults>;
	/** Whether the record exists. Set if the batch was rejected. */
	hasRecord?: Promise<boolean>;
}

/** Maximum number of rows per request. Larger requests take long, and their errors do not show which row was rejected. */
const maxRowsPerRequest = 100;

function rowOperation<Row extends RowWrite>(definition: RowOperation<Row>): Operation {
	const { enqueue, send, ...parametersAndTexts } = definition;
	const latest = new CachePart<Batch<Row>>();
	return batchOperation({
		...parametersAndTexts,
		addToBatch(item, row: Row) {
			requireNewestValues(item, recordKey(item, row.subtable), () => textsOf(row));
			enqueue?.(item, row);
			const { sheet, recordId, subtableId } = row.subtable;
			const place = JSON.stringify([formatSheetPath(sheet), recordId, subtableId]);
			const writing = JSON.stringify(writingParameters(row.writing));
			const batches = item.client.cache.part(latest);
			const current = batches.get(place);
			const isContinued = current?.writing === writing && hasRoomFor(current, row);
			const batch: Batch<Row> = isContinued ? current : { rows: new Map(), writing };
			batch.rows.set(item.index, row);
			batches.set(place, batch);
			return batch;
		},
		async run(item, row, getBatch) {
			const sendThese = async (rows: ReadonlyMap<number, Row>): Promise<ItemResults> => {
				const all = [...rows];
				const sent = await send(item, row, [...rows.values()]);
				const results = sent.map(async (result, position) => {
					const [index, sentRow] = all[position] ?? [item.index, row];
					if (!(result instanceof Error)) {
						const key = recordKey(item, sentRow.subtable);
						noteNewerValues({ run: item.run, index }, key, () => textsOf(sentRow));
					}
					return [index, await namedIfMissing(result, item, sentRow)] as const;
				});
				return new Map(await Promise.all(results));
			};
			const batch = await getBatch();
			batch.sent ??= sendThese(batch.rows);
			const sendAlone = async (error: unknown) => {
				if (batch.rows.size < 2 || !isRefusedWhole(error)) throw error;
				batch.hasRecord ??= hasRecord(item, row.subtable, error);
				if (!(await batch.hasRecord)) throw error;
				// The batch was rejected as a whole. Send each row by itself, so that only the rejected rows fail.
				return await sendThese(new Map([[item.index, row]]));
			};
			return await batch.sent.catch(sendAlone).catch(async (error: unknown) => {
				throw await namedIfMissing(error, item, row);
			});
		},
	});
}

/** Returns what a row changes in its record, for the attempts of Retry On Fail. */
function textsOf({ subtable: { subtableId }, rowId = '-', values }: RowWrite) {
	const ofRow = values && new Map([[subtableId, new Map([[rowId, values.values]])]]);
	const deletedRows = new Map(values ? [] : [[subtableId, [rowId]]]);
	return writtenTexts({ ...noChanges(), subtables: ofRow ?? new Map(), deletedRows });
}

/** Kinds of errors with which the service may say that a row does not exist. */
const missingRowKinds: readonly FailureKind[] = ['notFound', 'refused'];

/** Returns the result of a row. If it is the error that the row does not exist, its message names the subtable. */
async function namedIfMissing<Result>(
	result: Result,
	{ client }: Item,
	{ subtable, rowId = '' }: RowWrite,
): Promise<Result | ServiceError> {
	if (!(result instanceof ServiceError) || rowId === '') return result;
	if (!missingRowKinds.includes(result.kind)) return result;
	const { remedy, serviceMessage = '', status, code } = result.details;
	const isOfRow = new RegExp(`\\bno (?:such )?row\\b.*\\b${rowId}\\b`, 'i').test(serviceMessage);
	if (remedy !== 'getRows' && !isOfRow) return result;
	const { subtableId, sheet } = subtable;
	const name = await new SheetFields(client, sheet).subtableName(subtableId);
	const missing = noSuchRow(subtable, { subtableId, rowId, name });
	const description = code === undefined ? undefined : codeSentence(code);
	return missing.with({ status, code, serviceMessage: serviceMessage || undefined, description });
}

/** Returns whether the record of a rejected batch exists. It is read only if the error may mean that the record is missing. */
async function hasRecord(
	{ client }: Item,
	record: SubtableAddress,
	error: unknown,
): Promise<boolean> {
	const mayBeMissing = error instanceof ServiceError && error.kind === 'notFound';
	return !mayBeMissing || (await recordExists(client, record).catch(fallbackTo(true)));
}

/**
 * Returns whether a row can be added to a batch. A second change of the same row goes into the next batch, to keep the order of
 * the items. A row with files is sent alone, so that a failed or uncertain upload only concerns its own item.
 */
function hasRoomFor({ rows }: Batch<RowWrite>, row: RowWrite): boolean {
	const batched = [...rows.values()];
	const isBatched = batched.some(({ rowId }) => rowId !== undefined && rowId === row.rowId);
	const hasFiles = [row, ...batched].some(({ values }) => values && values.files.length > 0);
	return batched.length < maxRowsPerRequest && !isBatched && !hasFiles;
}

/** Returns the outputs of written rows. */
async function savedItems(
	item: Item,
	rows: readonly RowWrite[],
	saved: ReadonlyArray<SavedRow | undefined>,
): Promise<RowResult[]> {
	const results = rows.map(async ({ subtable, rowId = '', writing: { naming } }, index) => {
		const row = saved[index];
		if (!row) return noSuchRow(subtable, { ...subtable, rowId });
		return await savedRowJson({ item, sheet: subtable.sheet, naming }, subtable, row);
	});
	return await Promise.all(results);
}

/** Returns the run's loader for the records of a subtable. Without `naming`, the keys of fields are their IDs. */
function loaderOf({ client }: Item, { sheet }: SubtableAddress, naming?: ReadOptions['naming']) {
	return recordLoader(client, sheet, readOptionsBy(naming ?? 'EID'));
}

/** Row IDs of subtables after the latest write of the run, by record and subtable. */
const knownRows = new CachePart<ReadonlySet<string>>();

const add = rowOperation({
	value: 'add',
	name: 'Add',
	action: 'Add a subtable row',
	description:
		'Add a row to a subtable of a record and return it as saved. To change a row, use Subtable Row: Update.',
	parameters: { subtable: subtableParameter, values: rowValuesParameter, writing: rowOptions },
	enqueue: (item, { subtable }) => void loaderOf(item, subtable).enqueue(subtable.recordId),
	async send(item, { subtable, writing }, rows) {
		const { client } = item;
		const contents = rows.map(({ values }) => values);
		const known = client.cache.part(knownRows);
		const loadRecord = async () => {
			const loading = loaderOf(item, subtable).load(client, subtable.recordId, 'recent');
			return await loading.catch(fallbackTo(undefined));
		};
		const saved = await addRows(client, subtable, contents, { ...writing, known, loadRecord });
		return await savedItems(item, rows, saved);
	},
});

const update = rowOperation({
	value: 'update',
	name: 'Update',
	action: 'Update a subtable row',
	description:
		'Update the given fields of a row and return the row as saved. To add a row, use Subtable Row: Add.',
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
		'Delete a row of a subtable permanently. To delete the whole record, use Record: Delete.',
	parameters: {
		subtable: subtableParameter,
		rowId: rowIdParameter,
		notice: notice('deletionNotice', 'Deleting a row cannot be undone'),
		writing: rowDeletionOptions,
	},
	enqueue: (item, { subtable }) => void loaderOf(item, subtable).enqueue(subtable.recordId),
	async send(item, { subtable, writing }, rows) {
		const rowIds = rows.map(({ rowId }) => rowId);
		// Load the rows first, because the service also confirms the deletion of a row that does not exist.
		const loader = loaderOf(item, subtable);
		const before = await loader.load(item.client, subtable.recordId, 'recent');
		const results = await deleteRows(item.client, subtable, rowIds, { ...writing, before });
		const _recordId = numberOrText(subtable.recordId);
		return results.map((result, index) => {
			if (result instanceof ServiceError) return result;
			const warned = result.warning === undefined ? {} : { _warning: result.warning };
			return { deleted: true, _recordId, _rowId: numberOrText(rowIds[index] ?? ''), ...warned };
		});
	},
});

/** Returns the hint for a record without rows, if it is not known whether the sheet has the subtable. */
function unknownSubtableSentence(subtableId: string): string {
	return `The service does not show whether the sheet has the subtable ${subtableId}. If it has, the record has no rows in it.`;
}

const getAll = batchOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many subtable rows',
	description:
		'Get the rows of a subtable of a record in the order of the sheet. For the record with its rows, use Record: Get.',
	parameters: {
		subtable: subtableParameter,
		limit: limitParameter,
		options: optionsCollection({ naming: namingOption, ...typingOptions }, firstReadingOptions),
	},
	addToBatch: (item, { subtable, options: { naming } }) =>
		loaderOf(item, subtable, naming).enqueue(subtable.recordId),
	async run({ client, run }, { subtable, limit, options }, getBatch) {
		const { sheet, recordId, subtableId } = subtable;
		const sheetFields = new SheetFields(client, sheet);
		const types = await valueTypes(sheetFields, options, run.hints.untyped);
		const content = await (await getBatch()).loadAndDrop(client, recordId);
		if (!content) throw noSuchRecord(recordId);
		const rows = rowsOf(content, subtableId);
		// A record omits an empty subtable, so only a subtable that the sheet lacks is an error.
		if (!rows && (await sheetFields.hasSubtable(subtableId)) === undefined) {
			run.hints.warnings.add(unknownSubtableSentence(subtableId));
		} else if (!rows) {
			await sheetFields.requireSubtable(subtableId);
		}
		const _recordId = numberOrText(recordId);
		const keys = new ItemKeys();
		const shape = options.naming === 'EID' ? {} : keys;
		const json = [...(rows ?? [])].slice(0, limit).flatMap(([rowId, row]) => {
			if (!isJsonObject(row)) return [];
			const typed = types ? types.row(subtableId, row) : row;
			return [{ _recordId, ...rowJson(rowId, typed, shape, subtableId) }];
		});
		return await keys.withOutputKeys(json, sheetFields);
	},
});

export const subtableRow: Resource = {
	value: 'subtableRow',
	name: 'Subtable Row',
	description: 'Row of a subtable of a record',
	defaultOperation: add,
	operations: [add, deleteOne, getAll, update],
};

import type { IDataObject } from 'n8n-workflow';
import { isRefusedWhole, type Subtable } from '../../../api/rows/subtableRows';
import { writingParameters, type Writing } from '../../../api/write/records';
import type { RowContent } from '../../../api/write/recordContent';
import type { ServiceError } from '../../../api/http/serviceError';
import { formatSheetPath } from '../../../api/values/sheetAddress';
import type { Item } from '../../itemContext';
import type { GroupItems, RunItem } from '../../operation';
import type { ItemResults } from '../../operationResult';

interface WantedRow {
	subtable: Subtable;
	rowId?: string;
	/** What is written into it, where something is. */
	values?: RowContent;
	writing: Writing;
}

type RowResult = IDataObject | ServiceError;

interface Batch<Row> {
	rows: Row[];
	itemIndexes: number[];
	sent?: Promise<RowResult[]>;
}

/** Few enough that an answer comes soon and a refusal names its row. */
const mostRows = 100;

/** Runs an operation on rows so that those of one record share a request. `send` yields the results of rows, or what went wrong, in the turn of the first. */
export function rowsTogether<Row extends WantedRow>(
	group: GroupItems<Row>,
	send: (item: Item, first: Row, rows: readonly Row[]) => Promise<RowResult[]>,
): RunItem<Row> {
	const latest = new Map<string, Batch<Row>>();
	const batchOf = group((item, row) => {
		const { sheet, recordId, subtableId } = row.subtable;
		const where = [item.authentication, formatSheetPath(sheet), recordId, subtableId];
		const name = JSON.stringify([...where, writingParameters(row.writing)]);
		const current = latest.get(name);
		const isShared = current && hasRoomFor(current, row);
		const batch: Batch<Row> = isShared ? current : { rows: [], itemIndexes: [] };
		batch.rows.push(row);
		batch.itemIndexes.push(item.index);
		latest.set(name, batch);
		return batch;
	});
	return async (item, row) => {
		const batch = await batchOf(item, row);
		batch.sent ??= send(item, row, batch.rows);
		return await batch.sent.then(
			(results) => resultsOf(batch.itemIndexes, results),
			async (error: unknown) => {
				if (batch.rows.length < 2 || !isRefusedWhole(error)) throw error;
				// Nothing was saved: by itself, a row that is refused does not take the others along.
				return resultsOf([item.index], await send(item, row, [row]));
			},
		);
	};
}

/**
 * A row that is there already is changed again afterwards, in the order of the items. One with files goes
 * alone: a large upload that fails, or of which nobody knows whether it arrived, is its own item's only.
 */
function hasRoomFor<Row extends WantedRow>({ rows, sent }: Batch<Row>, wanted: Row): boolean {
	const { rowId } = wanted;
	const isThere = rowId !== undefined && rows.some((row) => row.rowId === rowId);
	const isOpen = !sent && rows.length < mostRows;
	const hasFiles = [wanted, ...rows].some(({ values }) => values && values.files.length > 0);
	return isOpen && !isThere && !hasFiles;
}

function resultsOf(itemIndexes: readonly number[], results: readonly RowResult[]): ItemResults {
	return new Map(itemIndexes.map((index, place) => [index, results[place] ?? {}]));
}

import type { IDataObject } from 'n8n-workflow';
import { isRefusedWhole, type Subtable } from '../../../api/rows/subtableRows';
import { writingParameters, type Writing } from '../../../api/write/writeOptions';
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

/** Sends rows of one record in the turn of an item, whose row says where and how. */
type SendRows<Row> = (item: Item, first: Row, rows: readonly Row[]) => Promise<RowResult[]>;

/** Few enough that an answer comes soon and a refusal names its row. */
const mostRows = 100;

/**
 * Runs an operation on rows so that those of one record share a request.
 *
 * When the service refuses the request as a whole, nothing was saved: then each row is sent by itself,
 * so that one row that is refused does not take the others along.
 *
 * @param send sends rows of one record, and yields a result, or what went wrong, for each
 */
export function rowsTogether<Row extends WantedRow>(
	group: GroupItems<Row>,
	send: SendRows<Row>,
): RunItem<Row> {
	const latest = new Map<string, Batch<Row>>();
	const batchOf = group((item, row) => {
		const name = groupOf(item, row);
		const current = latest.get(name);
		const batch = current?.hasRoomFor(row) ? current : new Batch<Row>(send);
		latest.set(name, batch);
		return batch.add(item, row);
	});
	return async (item, row) => {
		const batch = await batchOf(item, row);
		return await batch.results(item, row);
	};
}

class Batch<Row extends WantedRow> {
	private readonly rows: Row[] = [];
	private readonly itemIndexes: number[] = [];
	private sent?: Promise<RowResult[]>;

	constructor(private readonly send: SendRows<Row>) {}

	add({ index }: Item, row: Row): this {
		this.itemIndexes.push(index);
		this.rows.push(row);
		return this;
	}

	/**
	 * A row that is there already is changed again afterwards, in the order of the items. One with files goes
	 * alone: a large upload that fails, or of which nobody knows whether it arrived, is its own item's only.
	 */
	hasRoomFor(wanted: Row): boolean {
		const { rowId } = wanted;
		const isThere = rowId !== undefined && this.rows.some((row) => row.rowId === rowId);
		const isOpen = !this.sent && this.rows.length < mostRows;
		return isOpen && !isThere && ![wanted, ...this.rows].some(hasFiles);
	}

	/** Results for all items of the batch, or after a refusal of all for the given one. */
	async results(item: Item, row: Row): Promise<ItemResults> {
		this.sent ??= this.send(item, row, this.rows);
		return await this.sent.then(
			(results) => resultsOf(this.itemIndexes, results),
			async (error: unknown) => {
				if (this.rows.length < 2 || !isRefusedWhole(error)) throw error;
				return resultsOf([item.index], await this.send(item, row, [row]));
			},
		);
	}
}

function hasFiles({ values }: WantedRow): boolean {
	return values !== undefined && values.files.length > 0;
}

function resultsOf(itemIndexes: readonly number[], results: readonly RowResult[]): ItemResults {
	return new Map(itemIndexes.map((index, place) => [index, results[place] ?? {}]));
}

function groupOf({ authentication }: Item, { subtable, writing }: WantedRow): string {
	const { sheet, recordId, subtableId } = subtable;
	const where = [formatSheetPath(sheet), recordId, subtableId];
	return JSON.stringify([authentication, ...where, writingParameters(writing)]);
}

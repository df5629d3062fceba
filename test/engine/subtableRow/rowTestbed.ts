import type { INodeParameters } from 'n8n-workflow';
import { orders, type ReferenceService } from '../../service';
import { onOrder, type RecordTestbed } from '../recordTestbed';

const { lines } = orders.subtables;

/** The parameters of an operation on the lines of the order that each item names in `order`. */
export function onLines(operation: string, more: INodeParameters = {}): INodeParameters {
	return {
		resource: 'subtableRow',
		...onOrder(operation, '={{ $json.order }}'),
		subtableId: lines.id,
		...more,
	};
}

/** The row as JSON, as the editor stores it: a text, or an expression. */
export function rowAsJson(row: string | object): INodeParameters {
	return { inputMode: 'json', rowJson: typeof row === 'string' ? row : JSON.stringify(row) };
}

/** The item's member `row` as the row's JSON. */
export const rowOfItem = rowAsJson('={{ JSON.stringify($json.row) }}');

/** The rows of an order as the service holds them: row id → article and quantity. */
export function linesOf(
	{ data }: ReferenceService,
	orderId: number,
): Array<[id: number, article: unknown, quantity: unknown]> {
	const { article, quantity } = lines.fields;
	return [...data.record(orders, orderId).rows(lines.id)].map(([id, row]) => [
		id,
		row.get(article),
		row.get(quantity),
	]);
}

/** The ids of the rows of an order, in their order. */
export function rowIdsOf(service: ReferenceService, orderId: number): number[] {
	return linesOf(service, orderId).map(([id]) => id);
}

/** The rows that each request wrote: row id → field id → value. */
export function rowsSent({ writes }: RecordTestbed): object[] {
	return writes.map(({ body }) => Object(body)[`_subtable_${lines.id}`]);
}

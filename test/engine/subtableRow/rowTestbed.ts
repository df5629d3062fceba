import type { INodeParameters } from 'n8n-workflow';
import { orders, type ReferenceService } from '../../service';
import { onOrder, type RecordTestbed } from '../recordTestbed';

const { lines } = orders.subtables;

/** Returns the parameters of an operation on the lines of the order in each item's `order`. */
export function onLines(operation: string, overrides: INodeParameters = {}): INodeParameters {
	return {
		resource: 'subtableRow',
		...onOrder(operation, '={{ $json.order }}'),
		subtableId: lines.id,
		...overrides,
	};
}

/** Returns the row as JSON, as stored by the editor: a text or an expression. */
export function rowAsJson(row: string | object): INodeParameters {
	return { inputMode: 'json', rowJson: typeof row === 'string' ? row : JSON.stringify(row) };
}

/** Parameters that use the item's property `row` as the JSON of the row. */
export const rowOfItem = rowAsJson('={{ JSON.stringify($json.row) }}');

/** Returns the stored rows of an order: row ID, article and quantity. */
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

/** Returns the IDs of the rows of an order, in their order. */
export function rowIdsOf(service: ReferenceService, orderId: number): number[] {
	return linesOf(service, orderId).map(([id]) => id);
}

/** Returns the rows of each write: row ID → field ID → value. */
export function rowsSent({ writes }: RecordTestbed): object[] {
	return writes.map(({ body }) => Object(body)[`_subtable_${lines.id}`]);
}

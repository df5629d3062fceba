import type { INodeParameters } from 'n8n-workflow';

import { orders, type ReferenceService } from '../../service';
import { recordId, sheet } from '../recordTestbed';

/** Parameters that export a record of the orders. */
export function exportOrder(id: number | string, more: INodeParameters = {}): INodeParameters {
	return {
		resource: 'document',
		operation: 'export',
		sheet: sheet(orders),
		recordId: recordId(id),
		...more,
	};
}

/** A custom print report of the template that the orders have. */
export function report(fileFormat: string, more: INodeParameters = {}): INodeParameters {
	return {
		format: 'customPrint',
		templateId: orders.templates.customPrint,
		fileFormat,
		...more,
	};
}

/** The number of an order, which is its title. */
export function orderNumber({ data }: ReferenceService, id: number): string {
	return data.record(orders, id).text(orders.fields.orderNumber);
}

import type { INodeParameters } from 'n8n-workflow';
import { orders, type ReferenceService } from '../../service';
import { onOrder } from '../recordTestbed';

export function exportOrder(id: number | string, overrides: INodeParameters = {}): INodeParameters {
	return { resource: 'document', ...onOrder('export', id), ...overrides };
}

export function report(fileFormat: string, overrides: INodeParameters = {}): INodeParameters {
	return {
		format: 'customPrint',
		templateId: orders.templates.customPrint,
		fileFormat,
		...overrides,
	};
}

export function orderNumber({ data }: ReferenceService, id: number): string {
	return data.record(orders, id).text(orders.fields.orderNumber);
}

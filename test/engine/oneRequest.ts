import type { INodeParameters } from 'n8n-workflow';

import { customers, orders } from '../service';
import { recordId, sheet } from './recordTestbed';

/** One request that asks: `GET` of the first order. */
export function readOrder(more: INodeParameters = {}): INodeParameters {
	return { operation: 'get', sheet: sheet(orders), recordId: recordId(1), ...more };
}

/** One request that changes something: `POST` of a customer, with field ids, so that nothing is looked up. */
export function createCustomer(name = 'New', more: INodeParameters = {}): INodeParameters {
	const { customerNumber, name: nameField } = customers.fields;
	return {
		operation: 'create',
		sheet: sheet(customers),
		inputMode: 'json',
		recordJson: JSON.stringify({ [customerNumber]: 'C-9999', [nameField]: name }),
		...more,
	};
}

export const session: INodeParameters = { authentication: 'session' };

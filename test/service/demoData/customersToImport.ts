import { customers } from './identifiers';

const { fields } = customers;

/** What the customers' import finds: one that is there already, in another city, and a new one. */
export const customersToImport: Array<Record<string, string>> = [
	{ [fields.customerNumber]: 'C-0002', [fields.city]: 'Reykjavík' },
	{ [fields.customerNumber]: 'C-0901', [fields.name]: 'Imported & Sons', [fields.city]: 'Porto' },
];

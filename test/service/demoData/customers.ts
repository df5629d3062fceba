import type { SheetDefinition } from '../data/sheet';
import { fieldTable, fillHourly } from './fieldTable';
import { cityName, companyName, dayText, pick } from './words';

const customerCount = 300;

const categories = ['Retail', 'Wholesale', 'Online', 'Public'];

const table = fieldTable({
	/** `C-0001` … `C-0300`. */
	customerNumber: ['1100001', 'Customer Number', 'text', { required: true, onListing: true }],
	name: ['1100002', 'Name', 'text', { required: true, onListing: true }],
	city: ['1100003', 'City', 'text', { onListing: true }],
	email: ['1100004', 'E-mail', 'email'],
	since: ['1100005', 'Customer Since', 'date'],
	/** Some values are numbers of twenty digits. */
	creditLimit: ['1100006', 'Credit Limit', 'number'],
	categories: ['1100007', 'Categories', 'multipleSelection', { choices: categories }],
});

/** 300 customers, record IDs 1 to 300. */
export const customers = {
	path: 'sales/customers',
	folderName: 'Sales',
	index: 2,
	name: 'Customers',
	fields: table.ids,
	/** Sets the categories to Public. A button of the orders has the same ID. */
	buttons: { makePublic: '4' },
	/** Source of the import, which is disabled at first. */
	importUrl: 'https://exports.example/customers.json',
};

const { fields } = customers;

/** Records at the import URL: an existing customer with another city, and a new customer. */
export const customersToImport: Array<Record<string, string>> = [
	{ [fields.customerNumber]: 'C-0002', [fields.city]: 'Reykjavík' },
	{ [fields.customerNumber]: 'C-0901', [fields.name]: 'Imported & Sons', [fields.city]: 'Porto' },
];

/** Returns the customer with this counter (from 1). Counters beyond the last customer start again at the first. */
export function customer(counter: number): { number: string; name: string; city: string } {
	const position = ((counter - 1) % customerCount) + 1;
	return {
		number: `C-${String(position).padStart(4, '0')}`,
		name: companyName(position),
		city: cityName(position),
	};
}

export const customersSheet: SheetDefinition = {
	...customers,
	fields: table.fields,
	keyFieldId: fields.customerNumber,
	titleFieldId: fields.name,
	rights: { Sales: 'write', Readers: 'read' },
	actionButtons: [
		{
			id: customers.buttons.makePublic,
			name: 'Make Public',
			runnableBy: ['Sales'],
			press: (record) => {
				record.set(fields.categories, ['Public']);
				return 'The customer is public.';
			},
		},
	],
	periodicImport: { enabled: false, url: customers.importUrl },
	fill: (sheet) =>
		fillHourly(sheet, customerCount, Date.UTC(2021, 0, 4, 8), (counter) => {
			const { number, name, city } = customer(counter);
			return {
				[fields.customerNumber]: number,
				[fields.name]: name,
				[fields.city]: city,
				[fields.email]: `office${counter}@customer.example`,
				[fields.since]: dayText(-counter),
				[fields.creditLimit]: creditLimit(counter),
				[fields.categories]: chosenCategories(counter),
			};
		}),
};

/** Returns the credit limit. Every tenth limit has too many digits for a JavaScript number. */
function creditLimit(counter: number): string {
	return counter % 10 === 0
		? `1234567890123456${String(7000 + counter)}`
		: String(counter * 250 + 0.5);
}

/** Returns no category, one, or two. */
function chosenCategories(counter: number): string[] {
	const first = pick(categories, counter);
	const second = pick(categories, counter + 1);
	return [first, second].slice(0, counter % 3);
}

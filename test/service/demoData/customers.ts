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
	/** Some are numbers of twenty digits. */
	creditLimit: ['1100006', 'Credit Limit', 'number'],
	categories: ['1100007', 'Categories', 'multipleSelection', { choices: categories }],
});

/** 300 customers, record ids 1 to 300. */
export const customers = {
	path: 'sales/customers',
	folderName: 'Sales',
	index: 2,
	name: 'Customers',
	fields: table.ids,
	/** Sets the categories to Public; its number is also that of a button of the orders. */
	buttons: { makePublic: '4' },
	/** Where the import reads from; it is turned off at first. */
	importUrl: 'https://exports.example/customers.json',
};

const { fields } = customers;

/** What the import finds: one that is there already, in another city, and a new one. */
export const customersToImport: Array<Record<string, string>> = [
	{ [fields.customerNumber]: 'C-0002', [fields.city]: 'Reykjavík' },
	{ [fields.customerNumber]: 'C-0901', [fields.name]: 'Imported & Sons', [fields.city]: 'Porto' },
];

/** The customer with the given counter, from 1 on; counters beyond the last begin again. */
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

/** Every tenth limit is too long for a JavaScript number. */
function creditLimit(counter: number): string {
	return counter % 10 === 0
		? `1234567890123456${String(7000 + counter)}`
		: String(counter * 250 + 0.5);
}

/** None, one or two. */
function chosenCategories(counter: number): string[] {
	const first = pick(categories, counter);
	const second = pick(categories, counter + 1);
	return [first, second].slice(0, counter % 3);
}

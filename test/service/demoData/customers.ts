import type { Sheet, SheetDefinition } from '../data/sheet';
import { customers } from './identifiers';
import { cityName, companyName, dayText, pick } from './words';

const { fields } = customers;

const customerCount = 300;

const categories = ['Retail', 'Wholesale', 'Online', 'Public'];

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
	keyFieldId: fields.customerNumber,
	titleFieldId: fields.name,
	rights: { Sales: 'write', Readers: 'read' },
	fields: [
		{
			id: fields.customerNumber,
			name: 'Customer Number',
			type: 'text',
			required: true,
			onListing: true,
		},
		{ id: fields.name, name: 'Name', type: 'text', required: true, onListing: true },
		{ id: fields.city, name: 'City', type: 'text', onListing: true },
		{ id: fields.email, name: 'E-mail', type: 'email' },
		{ id: fields.since, name: 'Customer Since', type: 'date' },
		{ id: fields.creditLimit, name: 'Credit Limit', type: 'number' },
		{ id: fields.categories, name: 'Categories', type: 'multipleSelection', choices: categories },
	],
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
	fill: fillCustomers,
};

function fillCustomers(sheet: Sheet): void {
	for (let counter = 1; counter <= customerCount; counter += 1) {
		const { number, name, city } = customer(counter);
		const at = Date.UTC(2021, 0, 4, 8) + counter * 60 * 60 * 1000;
		sheet
			.add({ at, user: 'ada.admin@acme.example' }, counter)
			.set(fields.customerNumber, number)
			.set(fields.name, name)
			.set(fields.city, city)
			.set(fields.email, `office${counter}@customer.example`)
			.set(fields.since, dayText(-counter))
			.set(fields.creditLimit, creditLimit(counter))
			.set(fields.categories, chosenCategories(counter));
	}
}

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

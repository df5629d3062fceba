import type { AccountData } from '../data/accountData';
import type { Row, SheetRecord } from '../data/record';
import type { Sheet, SheetDefinition } from '../data/sheet';
import { customer, customers } from './customers';
import { fieldTable } from './fieldTable';
import { addCommentsAndMails, buttonsOf } from './orderDetails';
import { dayText, pick } from './words';

export const statuses = ['Open', 'Confirmed', 'Shipped', 'Cancelled'];
const tags = ['Fragile', 'Gift', 'Export', 'Repeat, large', 'Bulk'];

const ofLines = fieldTable({
	article: ['3000001', 'Article', 'text'],
	quantity: [
		...(['3000002', 'Quantity', 'number'] as const),
		{ rule: { expression: /^\d+$/, message: 'the quantity must be a whole number' } },
	],
	unitPrice: ['3000003', 'Unit Price', 'number'],
	amount: ['3000004', 'Amount', 'number', { computed: true }],
});

/** A link to the customers, which loads name and city. */
const link = {
	sheet: customers,
	keyFieldId: customers.fields.customerNumber,
	loads: [
		{ from: customers.fields.name, to: '1000003' },
		{ from: customers.fields.city, to: '1000004' },
	],
};

const table = fieldTable({
	/** `SO-00001` … in order of creation. Key field and title. */
	orderNumber: ['1000001', 'Order Number', 'autoNumber', { onListing: true }],
	customerNumber: ['1000002', 'Customer Number', 'link', { required: true, onListing: true, link }],
	customerName: ['1000003', 'Customer Name', 'text', { onListing: true }],
	city: ['1000004', 'City', 'text'],
	/** An ID that sorts before the others as a number, but after them as a text. */
	reference: ['512', 'Reference', 'text'],
	orderDate: ['1000005', 'Order Date', 'date', { onListing: true }],
	deliveryTime: ['1000006', 'Delivery Time', 'dateTime'],
	status: [
		...(['1000007', 'Status', 'singleSelection'] as const),
		{ choices: statuses, defaultValue: 'Open', onListing: true },
	],
	tags: ['1000008', 'Tags', 'multipleSelection', { choices: tags }],
	total: ['1000009', 'Total', 'number', { computed: true, onListing: true }],
	express: ['1000010', 'Express', 'checkbox', { defaultValue: 'No' }],
	remark: ['1000011', 'Remark', 'text'],
	/** Two fields have the name `Note`. Keyed by name, the second one is `Note2`. */
	note: ['1000012', 'Note', 'text'],
	secondNote: ['1000013', 'Note', 'text'],
	internalMargin: [
		...(['1000014', 'Internal Margin', 'maskedText'] as const),
		{ unmaskedFor: ['SYSAdmin', 'Finance'] },
	],
	contract: ['1000015', 'Contract', 'file'],
	description: ['1000016', 'Description', 'richText'],
	workflowStamp: ['1000017', 'Workflow Stamp', 'text', { readOnly: true }],
	shippingLabel: ['1000018', 'Shipping Label', 'text', { computed: true }],
	/** Tests remove the name of this field (`unname`). */
	unnamed: ['1000019', 'Old Code', 'text', { hidden: true }],
});

/** 2,500 orders, record IDs 1 to 2,500. Some were not created in the order of their IDs. */
export const orders = {
	path: 'sales/orders',
	folderName: 'Sales',
	index: 1,
	name: 'Orders',
	fields: table.ids,
	subtables: { lines: { id: '2000001', name: 'Order Lines', fields: ofLines.ids } },
	views: { open: '77' },
	/** Mail merge and custom print documents need a template of the sheet. */
	templates: { mailMerge: '3', customPrint: '12' },
	buttons: { ship: '4', cancel: '11', clearMargin: '27' },
};

const { fields } = orders;
const { lines } = orders.subtables;

const hour = 60 * 60 * 1000;
const articles = [
	'Desk lamp',
	'Office chair',
	'Notebook A5',
	'Tea, green',
	'USB cable 2 m',
	'Vase',
];

/** Texts that break wrong encoding: commas, percent signs, quotes, line breaks, emoji, markup. */
export const remarks = [
	'',
	'Deliver before noon, please',
	'Price list says 50%25 off',
	'He said "leave it at the door"',
	'First line\nSecond line',
	'Thank you 🎉',
	'100% cotton & <b>soft</b>',
];

const employees = ['max.member@acme.example', 'ada.admin@acme.example'];

/** Stores the contracts: every fiftieth order has one. Returns their field values by counter of the order. */
export function storeContracts(data: AccountData, count: number): Map<number, string> {
	const contracts = new Map<number, string>();
	for (let counter = 50; counter <= count; counter += 50) {
		const content = Buffer.from(`%PDF-1.4\n% Contract of order ${counter}\n%%EOF\n`);
		const value = data.storeFile(`contract ${counter}@acme.pdf`, 'application/pdf', content);
		contracts.set(counter, value);
	}
	return contracts;
}

/** Adds `count` orders with their rows and sets the stored contracts. */
export function fillOrders(sheet: Sheet, count: number, contracts: Map<number, string>): void {
	const step = Math.min(3 * hour, (7500 * hour) / count);
	for (let counter = 1; counter <= count; counter += 1) {
		const created = {
			at: Date.UTC(2023, 0, 2, 8) + Math.round((counter * step) / 1000) * 1000,
			user: pick(employees, counter),
		};
		fillOrder(sheet.add(created, recordId(counter, count)), counter, sheet);
	}
	for (const [counter, contract] of contracts) {
		sheet.record(recordId(counter, count)).set(fields.contract, contract);
	}
	addCommentsAndMails(sheet);
}

/** Returns the record ID. In every block of ten, the fourth and the eighth order have swapped IDs. */
function recordId(counter: number, count: number): number {
	const lastDigit = counter % 10;
	if (lastDigit === 4 && counter + 4 <= count) return counter + 4;
	return lastDigit === 8 ? counter - 4 : counter;
}

function fillOrder(record: SheetRecord, counter: number, sheet: Sheet): void {
	const { number, name, city } = customer(counter * 7);
	const day = Math.floor(counter / 8);
	record.starred = counter % 20 === 0;
	record.locked = counter % 40 === 3;
	record
		.set(fields.orderNumber, sheet.takeAutoNumber(record))
		.set(fields.customerNumber, number)
		.set(fields.customerName, name)
		.set(fields.city, city)
		.set(fields.reference, `REF-${counter % 97}`)
		.set(fields.orderDate, dayText(day))
		.set(fields.deliveryTime, `${dayText(day + 2)} 22:${twoDigits((counter * 5) % 60)}:00`)
		.set(fields.status, pick(statuses, counter))
		.set(fields.tags, tags.slice(counter % 5, (counter % 5) + (counter % 3)))
		.set(fields.express, counter % 6 === 0 ? 'Yes' : 'No')
		.set(fields.remark, pick(remarks, counter))
		.set(fields.note, counter % 9 === 0 ? `Call ${name}` : '')
		.set(fields.secondNote, counter % 9 === 0 ? 'Shelf 4' : '')
		.set(fields.internalMargin, `${10 + (counter % 30)}%`)
		.set(fields.description, counter % 4 === 0 ? '[b]Handle with care[/b]\nSee <label>' : '');
	addLines(record, counter, sheet);
	calculateOrder(record);
}

/** Adds none to three lines. The lines of every seventh order are not in the order of their IDs. */
function addLines(record: SheetRecord, counter: number, sheet: Sheet): void {
	const rows = Array.from({ length: counter % 4 }, (_, position): [number, Row] => [
		sheet.takeRowId(),
		new Map([
			[lines.fields.article, pick(articles, counter + position, 5)],
			[lines.fields.quantity, String(1 + ((counter + position) % 12))],
			[lines.fields.unitPrice, (2.5 + ((counter * 3 + position) % 40) * 1.25).toFixed(2)],
		]),
	]);
	if (counter % 7 === 0) rows.reverse();
	if (rows.length > 0) record.subtables.set(lines.id, new Map(rows));
}

/** Calculates the amounts (quantity × unit price), the total (sum of the amounts) and the label (name and city). */
function calculateOrder(record: SheetRecord): void {
	let total = 0;
	for (const row of record.subtables.get(lines.id)?.values() ?? []) {
		const amount = Number(row.get(lines.fields.quantity)) * Number(row.get(lines.fields.unitPrice));
		row.set(lines.fields.amount, money(amount));
		total += amount;
	}
	record.set(fields.total, money(total));
	const label = [record.text(fields.customerName), record.text(fields.city)];
	record.set(fields.shippingLabel, label.filter(Boolean).join(', '));
}

function twoDigits(number: number): string {
	return String(number).padStart(2, '0');
}

function money(amount: number): string {
	return Number.isFinite(amount) ? amount.toFixed(2) : '';
}

export const ordersSheet: SheetDefinition = {
	...orders,
	keyFieldId: fields.orderNumber,
	autoNumberPrefix: 'SO-',
	rights: { Sales: 'write', Readers: 'read' },
	sharedViews: {
		[orders.views.open]: [{ fieldId: fields.status, operator: 'eq', value: 'Open' }],
	},
	defaultFilter: [
		{ fieldId: fields.status, operator: 'eq', value: 'Open' },
		{ fieldId: fields.status, operator: 'eq', value: 'Confirmed' },
	],
	fields: table.fields,
	subtables: [{ ...lines, fields: ofLines.fields }],
	actionButtons: buttonsOf(orders),
	formulas: calculateOrder,
	workflow: (record, user) => record.set(fields.workflowStamp, `Checked for ${user}`),
};

import type { AccountData } from '../data/accountData';
import type { Row, SheetRecord } from '../data/record';
import type { Sheet, SheetDefinition } from '../data/sheet';
import { customer } from './customers';
import { customers, orders } from './identifiers';
import { attachTalk, orderButtons } from './orderDetails';
import { dayText, pick } from './words';

const { fields } = orders;
const { lines } = orders.subtables;

const hour = 60 * 60 * 1000;
export const statuses = ['Open', 'Confirmed', 'Shipped', 'Cancelled'];
const tags = ['Fragile', 'Gift', 'Export', 'Repeat, large', 'Bulk'];
const articles = [
	'Desk lamp',
	'Office chair',
	'Notebook A5',
	'Tea, green',
	'USB cable 2 m',
	'Vase',
];

/** Texts that trip up encoding: commas, percent signs, quotes, line breaks, emoji, markup. */
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

/** Files that orders hold: every fiftieth order has a contract. */
export function storeContracts(data: AccountData, count: number): Map<number, string> {
	const contracts = new Map<number, string>();
	for (let counter = 50; counter <= count; counter += 50) {
		const content = Buffer.from(`%PDF-1.4\n% Contract of order ${counter}\n%%EOF\n`);
		const value = data.storeFile(`contract ${counter}@acme.pdf`, 'application/pdf', content);
		contracts.set(counter, value);
	}
	return contracts;
}

/** Makes so many orders, each with its rows, and gives them their contracts, which are stored already. */
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
	attachTalk(sheet);
}

/** In every block of ten, the fourth and the eighth order have changed ids. */
function recordId(counter: number, count: number): number {
	const place = counter % 10;
	if (place === 4 && counter + 4 <= count) return counter + 4;
	return place === 8 ? counter - 4 : counter;
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

/** None to three lines. Every seventh order has its lines out of the order of their ids. */
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

/** Amounts are quantity × unit price, the total is their sum, the label is name and city. */
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
	fields: [
		{ id: fields.orderNumber, name: 'Order Number', type: 'autoNumber', onListing: true },
		{
			id: fields.customerNumber,
			name: 'Customer Number',
			type: 'link',
			required: true,
			onListing: true,
			link: {
				sheet: customers,
				keyFieldId: customers.fields.customerNumber,
				loads: [
					{ from: customers.fields.name, to: fields.customerName },
					{ from: customers.fields.city, to: fields.city },
				],
			},
		},
		{ id: fields.customerName, name: 'Customer Name', type: 'text', onListing: true },
		{ id: fields.city, name: 'City', type: 'text' },
		{ id: fields.reference, name: 'Reference', type: 'text' },
		{ id: fields.orderDate, name: 'Order Date', type: 'date', onListing: true },
		{ id: fields.deliveryTime, name: 'Delivery Time', type: 'dateTime' },
		{
			id: fields.status,
			name: 'Status',
			type: 'singleSelection',
			choices: statuses,
			defaultValue: 'Open',
			onListing: true,
		},
		{ id: fields.tags, name: 'Tags', type: 'multipleSelection', choices: tags },
		{ id: fields.total, name: 'Total', type: 'number', computed: true, onListing: true },
		{ id: fields.express, name: 'Express', type: 'checkbox', defaultValue: 'No' },
		{ id: fields.remark, name: 'Remark', type: 'text' },
		{ id: fields.note, name: 'Note', type: 'text' },
		{ id: fields.secondNote, name: 'Note', type: 'text' },
		{
			id: fields.internalMargin,
			name: 'Internal Margin',
			type: 'maskedText',
			unmaskedFor: ['SYSAdmin', 'Finance'],
		},
		{ id: fields.contract, name: 'Contract', type: 'file' },
		{ id: fields.description, name: 'Description', type: 'richText' },
		{ id: fields.workflowStamp, name: 'Workflow Stamp', type: 'text', readOnly: true },
		{ id: fields.shippingLabel, name: 'Shipping Label', type: 'text', computed: true },
		{ id: fields.unnamed, name: 'Old Code', type: 'text', hidden: true },
	],
	subtables: [
		{
			id: lines.id,
			name: lines.name,
			fields: [
				{ id: lines.fields.article, name: 'Article', type: 'text' },
				{
					id: lines.fields.quantity,
					name: 'Quantity',
					type: 'number',
					rule: { expression: /^\d+$/, message: 'the quantity must be a whole number' },
				},
				{ id: lines.fields.unitPrice, name: 'Unit Price', type: 'number' },
				{ id: lines.fields.amount, name: 'Amount', type: 'number', computed: true },
			],
		},
	],
	actionButtons: orderButtons,
	formulas: calculateOrder,
	workflow: (record, user) => record.set(fields.workflowStamp, `Checked for ${user}`),
};

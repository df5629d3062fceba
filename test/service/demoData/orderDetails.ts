import type { ActionButton, Sheet } from '../data/sheet';
import { ServiceError } from '../http/serviceError';
import type { orders } from './orders';

/** Action buttons of the orders. Each one changes the record visibly. */
export const buttonsOf = ({ buttons, fields }: typeof orders): ActionButton[] => [
	{
		id: buttons.ship,
		name: 'Mark as Shipped',
		runnableBy: ['Sales'],
		press: (record, user) => {
			if (record.text(fields.status) === 'Cancelled') {
				throw new ServiceError('execution', 'A cancelled order cannot be shipped.');
			}
			record.set(fields.status, 'Shipped').set(fields.workflowStamp, `Shipped by ${user}`);
			return `Order ${record.text(fields.orderNumber)} is on its way.`;
		},
	},
	{
		id: buttons.cancel,
		name: 'Cancel "at once" & for good 🛑',
		runnableBy: ['Sales', 'Readers'],
		press: (record) => {
			record.set(fields.status, 'Cancelled');
			return '';
		},
	},
	{
		id: buttons.clearMargin,
		name: 'Clear Margin',
		runnableBy: ['Finance'],
		press: (record) => {
			record.set(fields.internalMargin, '');
			return 'Margin cleared.';
		},
	},
];

const user = 'max.member@acme.example';

/** Adds comments, edits, e-mails and an approval to the first orders. */
export function addCommentsAndMails(sheet: Sheet): void {
	const first = sheet.records.get(1);
	const second = sheet.records.get(2);
	if (!first || !second) return;
	first.comments = [
		{ id: 1, author: user, text: 'Is this urgent?', attachment: '', at: Date.UTC(2023, 1, 1, 9) },
		{
			id: 2,
			author: 'ada.admin@acme.example',
			text: 'Yes, "very" 🙂',
			attachment: '',
			at: Date.UTC(2023, 1, 1, 9, 30),
		},
	];
	first.history = [
		{ at: first.created.at, type: 'Create', user, detail: '' },
		{ at: Date.UTC(2023, 1, 2), type: 'Update', user, detail: 'Status: Open → Confirmed' },
	];
	first.updated = { at: Date.UTC(2023, 1, 2), user };
	second.approval = { status: 'Waiting', approver: 'ada.admin@acme.example' };
	second.conversation = [
		{
			from: 'office@customer.example',
			subject: 'Where is my order?',
			text: 'It was due yesterday.',
			at: Date.UTC(2023, 1, 3, 10),
		},
	];
}

import type { ActionButton } from '../data/sheet';
import { ServiceError } from '../http/serviceError';
import { orders } from './identifiers';

const { buttons, fields } = orders;

/** The buttons of the orders, each with an effect that can be seen in the record. */
export const orderButtons: ActionButton[] = [
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

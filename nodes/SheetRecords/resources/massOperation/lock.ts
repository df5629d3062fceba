import { choiceParameter } from '../../../ui/parameter';
import { massOperation } from './massOperation';
import { massOperationOptions } from './massOperationOptions';

export const lock = massOperation({
	value: 'lock',
	name: 'Lock or Unlock',
	action: 'Lock or unlock many records',
	description: 'Lock many records against editing, or unlock them',
	what: {
		action: choiceParameter({
			displayName: 'Action',
			name: 'lockAction',
			type: 'options',
			options: [
				{ name: 'Lock', value: 'lock' },
				{ name: 'Unlock', value: 'unlock' },
			],
			default: 'lock',
			description: 'What to do with the selected records',
		}),
	},
	first: 'what',
	options: massOperationOptions,
	operation: ({ action }) => ({ type: 'massLock', body: { action } }),
});

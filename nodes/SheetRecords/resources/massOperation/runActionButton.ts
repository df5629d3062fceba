import { numberOrText } from '../../../api/read/record';
import { buttonIdParameter } from '../../parameters/buttonId';
import { massOperation } from './massOperation';
import { massOperationOptions } from './massOperationOptions';

export const runActionButton = massOperation({
	value: 'runActionButton',
	name: 'Run Action Button',
	action: 'Run an action button on many records',
	description: 'Press an action button on many records',
	what: { buttonId: buttonIdParameter },
	first: 'what',
	options: massOperationOptions,
	operation: ({ buttonId }) => ({
		type: 'massActionButton',
		body: { buttonId: numberOrText(buttonId) },
	}),
});

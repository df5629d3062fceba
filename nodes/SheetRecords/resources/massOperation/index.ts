import { numberOrText } from '../../../api/read/record';
import { choiceParameter, verbatimTextParameter } from '../../../ui/parameter';
import { buttonIdParameter } from '../actionButton';
import type { Resource } from '../../operation';
import { searchReplace, update } from './fieldChanges';
import { massOperation as massOperationOf } from './massOperation';

const approve = massOperationOf({
	value: 'approve',
	name: 'Approve or Reject',
	action: 'Approve or reject many records',
	description: 'Decide on the approval of many records',
	what: {
		action: choiceParameter({
			displayName: 'Action',
			name: 'approvalAction',
			choices: { approve: 'Approve', reject: 'Reject' },
			default: 'approve',
			description: 'The decision on each of the selected records',
		}),
		comment: verbatimTextParameter({
			displayName: 'Comment',
			name: 'comment',
			typeOptions: { rows: 2 },
			description: 'The reason for the decision. May be empty.',
		}),
	},
	operation: ({ action, comment }) => ({
		type: 'massApproval',
		body: { action, ...(comment === '' ? {} : { comment }) },
	}),
});

const lock = massOperationOf({
	value: 'lock',
	name: 'Lock or Unlock',
	action: 'Lock or unlock many records',
	description: 'Lock many records against editing, or unlock them',
	what: {
		action: choiceParameter({
			displayName: 'Action',
			name: 'lockAction',
			choices: { lock: 'Lock', unlock: 'Unlock' },
			default: 'lock',
			description: 'What to do with the selected records',
		}),
	},
	operation: ({ action }) => ({ type: 'massLock', body: { action } }),
});

const runActionButton = massOperationOf({
	value: 'runActionButton',
	name: 'Run Action Button',
	action: 'Run an action button on many records',
	description: 'Press an action button on many records',
	what: { buttonId: buttonIdParameter },
	operation: ({ buttonId }) => ({
		type: 'massActionButton',
		body: { buttonId: numberOrText(buttonId) },
	}),
});

export const massOperation: Resource = {
	value: 'massOperation',
	name: 'Mass Operation',
	description: 'The same change to many records at once, carried out by the service',
	defaultOperation: update,
	operations: [approve, lock, runActionButton, searchReplace, update],
};

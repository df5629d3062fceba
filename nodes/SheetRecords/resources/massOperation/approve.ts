import { choiceParameter, verbatimTextParameter } from '../../../ui/parameter';
import { massOperation } from './massOperation';
import { massOperationOptions } from './massOperationOptions';

export const approve = massOperation({
	value: 'approve',
	name: 'Approve or Reject',
	action: 'Approve or reject many records',
	description: 'Decide on the approval of many records',
	what: {
		action: choiceParameter({
			displayName: 'Action',
			name: 'approvalAction',
			type: 'options',
			options: [
				{ name: 'Approve', value: 'approve' },
				{ name: 'Reject', value: 'reject' },
			],
			default: 'approve',
			description: 'The decision on each of the selected records',
		}),
		comment: verbatimTextParameter({
			displayName: 'Comment',
			name: 'comment',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			description: 'The reason for the decision. May be empty.',
		}),
	},
	first: 'what',
	options: massOperationOptions,
	operation: ({ action, comment }) => ({
		type: 'massApproval',
		body: { action, ...(comment === '' ? {} : { comment }) },
	}),
});

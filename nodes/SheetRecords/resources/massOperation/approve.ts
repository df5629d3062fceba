import type { INodeProperties } from 'n8n-workflow';
import { sheetParameter } from '../../../shared/sheet';
import type { Operation } from '../../operation';
import { massOperationOptions } from '../../parameters/massOperation';
import { selectionParameters } from '../../parameters/selection';
import { waitParameter } from '../../parameters/taskWaiting';
import { massOperationRun } from './massOperationRun';

const parameters: INodeProperties[] = [
	sheetParameter,
	{
		displayName: 'Action',
		name: 'approvalAction',
		type: 'options',
		options: [
			{ name: 'Approve', value: 'approve' },
			{ name: 'Reject', value: 'reject' },
		],
		default: 'approve',
		description: 'The decision on each of the selected records',
	},
	...selectionParameters,
	{
		displayName: 'Comment',
		name: 'comment',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		description: 'The reason for the decision. May be empty.',
	},
	waitParameter,
	massOperationOptions,
];

export const approve: Operation = {
	value: 'approve',
	name: 'Approve or Reject',
	action: 'Approve or reject many records',
	description: 'Decide on the approval of many records',
	parameters,
	begin: (items) =>
		massOperationRun(items, parameters, (item) => {
			const comment = item.verbatimText('comment');
			const action = item.choice('approvalAction', 'Action', ['approve', 'reject']);
			return {
				operation: {
					type: 'massApproval',
					body: { action, ...(comment === '' ? {} : { comment }) },
				},
			};
		}),
};

import { sheetParameter } from '../../../shared/sheet';
import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../../operation';
import { massOperationOptions } from '../../parameters/massOperation';
import { selectionParameters } from '../../parameters/selection';
import { waitParameter } from '../../parameters/taskWaiting';
import { massOperationRun } from './massOperationRun';

const parameters: INodeProperties[] = [
	sheetParameter,
	{
		displayName: 'Action',
		name: 'lockAction',
		type: 'options',
		options: [
			{ name: 'Lock', value: 'lock' },
			{ name: 'Unlock', value: 'unlock' },
		],
		default: 'lock',
		description: 'What to do with the selected records',
	},
	...selectionParameters,
	waitParameter,
	massOperationOptions,
];

export const lock: Operation = {
	value: 'lock',
	name: 'Lock or Unlock',
	action: 'Lock or unlock many records',
	description: 'Lock many records against editing, or unlock them',
	parameters,
	begin: (items) =>
		massOperationRun(items, parameters, (item) => ({
			operation: {
				type: 'massLock',
				body: { action: item.choice('lockAction', 'Action', ['lock', 'unlock']) },
			},
		})),
};

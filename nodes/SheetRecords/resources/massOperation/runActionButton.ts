import type { INodeProperties } from 'n8n-workflow';
import { sheetParameter } from '../../../shared/sheet';
import { numberOrText } from '../../../wire/record';
import type { Operation } from '../../operation';
import { buttonIdParameter, readButtonId } from '../../parameters/buttonId';
import { massOperationOptions } from '../../parameters/massOperation';
import { selectionParameters } from '../../parameters/selection';
import { waitParameter } from '../../parameters/taskWaiting';
import { massOperationRun } from './massOperationRun';

const parameters: INodeProperties[] = [
	sheetParameter,
	buttonIdParameter,
	...selectionParameters,
	waitParameter,
	massOperationOptions,
];

export const runActionButton: Operation = {
	value: 'runActionButton',
	name: 'Run Action Button',
	action: 'Run an action button on many records',
	description: 'Press an action button on many records',
	parameters,
	begin: (items) =>
		massOperationRun(items, parameters, (item) => ({
			operation: {
				type: 'massActionButton',
				body: { buttonId: numberOrText(readButtonId(item)) },
			},
		})),
};

import type { Resource } from '../../operation';
import { getAll } from './getAll';
import { run } from './run';

export const actionButton: Resource = {
	value: 'actionButton',
	name: 'Action Button',
	description: 'A button of a sheet that does something with a record',
	defaultOperation: run,
	operations: [getAll, run],
};

import type { Resource } from '../../operation';
import { get } from './get';
import { wait } from './wait';

export const task: Resource = {
	value: 'task',
	name: 'Task',
	description: 'A mass operation that the service carries out',
	defaultOperation: wait,
	operations: [get, wait],
};

import { getTask } from '../../../service/tasks';
import type { Operation } from '../../operation';
import { readTaskAddress, taskIdParameter, taskSheetOption } from './taskAddress';

export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get a task',
	description: 'Get the state of a mass operation',
	parameters: [
		taskIdParameter,
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add Option',
			default: {},
			options: [taskSheetOption],
		},
	],
	async run({ item, client }) {
		return { ...(await getTask(client, readTaskAddress(item, client))) };
	},
};

import { getTask } from '../../../service/tasks';
import type { Operation } from '../../operation';
import { readTaskAddress, taskIdParameter, taskSheetOption } from './taskAddress';
import { optionsCollection } from '../../parameters/optionsCollection';

export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get a task',
	description: 'Get the state of a mass operation',
	parameters: [taskIdParameter, optionsCollection([taskSheetOption])],
	async run({ item, client }) {
		return { ...(await getTask(client, readTaskAddress(item, client))) };
	},
};

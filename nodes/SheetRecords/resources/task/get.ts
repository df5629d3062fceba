import { getTask } from '../../../api/tasks/task';
import { operation, itemOptions } from '../../operation';
import { taskIdParameter, taskSheetOption } from './taskParameters';

export const get = operation({
	value: 'get',
	name: 'Get',
	action: 'Get a task',
	description: 'Get the state of a mass operation',
	parameters: {
		taskId: taskIdParameter,
		options: itemOptions({ sheet: taskSheetOption }),
	},
	run: async ({ client, taskId, options }) => ({
		...(await getTask(client, { taskId, sheet: options.sheet })),
	}),
});

import { getTask } from '../../../api/tasks/task';
import { operation } from '../../operation';
import { optionsCollection } from '../../../ui/parameter';
import { taskIdParameter, taskSheetOption } from './taskParameters';

export const get = operation({
	value: 'get',
	name: 'Get',
	action: 'Get a task',
	description: 'Get the state of a mass operation',
	parameters: {
		taskId: taskIdParameter,
		options: optionsCollection({ sheet: taskSheetOption }),
	},
	run: async ({ client }, { taskId, options }) => ({
		...(await getTask(client, { taskId, sheet: options.sheet })),
	}),
});

import { requireSuccess, waitForTask } from '../../../api/tasks/task';
import { operation, itemOptions } from '../../operation';
import { waitingOptions } from '../../parameters/taskWaiting';
import { taskIdParameter, taskSheetOption } from './taskParameters';

export const wait = operation({
	value: 'wait',
	name: 'Wait',
	action: 'Wait for a task',
	description: 'Wait until a mass operation has ended',
	parameters: {
		taskId: taskIdParameter,
		options: itemOptions({ ...waitingOptions, sheet: taskSheetOption }),
	},
	async run({ item, client, taskId, options }) {
		const { sheet, waiting, failOnPartial } = options;
		const task = await waitForTask(client, { taskId, sheet }, waiting);
		item.taskEnded(task);
		requireSuccess(task, failOnPartial);
		return { ...task };
	},
});

import { operation } from '../../operation';
import { optionsCollection } from '../../../ui/parameter';
import { waitFor, waitingOptions } from '../../parameters/taskWaiting';
import { taskIdParameter, taskSheetOption } from './taskParameters';

export const wait = operation({
	value: 'wait',
	name: 'Wait',
	action: 'Wait for a task',
	description: 'Wait until a mass operation has ended',
	parameters: {
		taskId: taskIdParameter,
		options: optionsCollection({ ...waitingOptions, sheet: taskSheetOption }),
	},
	async run(item, { taskId, options }) {
		const { sheet } = options;
		return { ...(await waitFor(item, { taskId, sheet }, options)) };
	},
});

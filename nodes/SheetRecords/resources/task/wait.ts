import { waitForTask } from '../../../service/tasks';
import type { Operation } from '../../operation';
import {
	readFailOnPartial,
	readWaiting,
	requireSuccess,
	waitingOptions,
} from '../../parameters/taskWaiting';
import { TaskReport } from '../../taskReport';
import { readTaskAddress, taskIdParameter, taskSheetOption } from './taskAddress';
import { optionsCollection } from '../../parameters/optionsCollection';

export const wait: Operation = {
	value: 'wait',
	name: 'Wait',
	action: 'Wait for a task',
	description: 'Wait until a mass operation has ended',
	parameters: [taskIdParameter, optionsCollection([...waitingOptions, taskSheetOption])],
	begin: (items) => {
		const report = new TaskReport(items);
		return async ({ item, client }) =>
			await report.around(item, async () => {
				const failOnPartial = readFailOnPartial(item);
				const task = await waitForTask(client, readTaskAddress(item, client), readWaiting(item));
				report.add(task);
				requireSuccess(task, failOnPartial);
				return { ...task };
			});
	},
};

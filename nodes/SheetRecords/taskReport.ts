import type { IExecuteFunctions } from 'n8n-workflow';
import { sumOfTasks, taskCounts, type Task } from '../wire/task';

/** Tells beside the output what became of the tasks of all items. */
export function tellOfTasks(context: IExecuteFunctions, ended: readonly Task[]): void {
	if (ended.length === 0) return;
	const sum = sumOfTasks(ended);
	const which = ended.length === 1 ? 'The task' : `${ended.length} tasks`;
	context.addExecutionHints?.({
		message: `${which} ended: ${taskCounts(sum)}`,
		type: sum.succeeded && (sum.fail ?? 0) === 0 ? 'info' : 'warning',
		location: 'outputPane',
	});
}

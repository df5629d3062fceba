import type { INodeProperties } from 'n8n-workflow';
import type { TaskWaiting } from '../../service/tasks';
import { InputError } from '../../wire/inputError';
import { ServiceError } from '../../wire/serviceError';
import { taskCounts, taskProgress } from '../../wire/task';
import type { Task } from '../../wire/task';
import { textOf } from '../../wire/text';
import type { ItemParameters } from '../itemParameters';

export const waitParameter: INodeProperties = {
	displayName: 'Wait for Completion',
	name: 'waitForCompletion',
	type: 'boolean',
	default: true,
	description:
		"Whether to wait until the operation has ended. Otherwise the item holds the task ID; wait for it later with the resource 'Task'.",
};

/** Options of waiting, for a collection. */
export const waitingOptions: INodeProperties[] = [
	{
		displayName: 'Fail on Partial',
		name: 'failOnPartial',
		type: 'boolean',
		default: true,
		description:
			'Whether the node fails when the operation failed for some of the records. Without this option they only show in the count.',
	},
	{
		displayName: 'Poll Interval',
		name: 'pollInterval',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 2,
		description: 'Seconds between the first two looks at the task. It grows to at most 15.',
	},
	{
		displayName: 'Timeout',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 600,
		description:
			'Seconds after which to stop waiting. The task itself goes on and can be waited for later.',
	},
];

/** Whether the item wants to wait until the operation has ended. */
export function readWaits(item: ItemParameters): boolean {
	return item.flag('waitForCompletion', 'Wait for Completion');
}

/**
 * How the item wants to wait; progress is shown in the editor while the workflow runs there.
 *
 * @throws InputError for times that are no positive numbers
 */
export function readWaiting(item: ItemParameters): TaskWaiting {
	const options = item.collection('options');
	return {
		pollMilliseconds: seconds(options.pollInterval, 2, 'Poll Interval') * 1000,
		timeoutMilliseconds: seconds(options.timeout, 600, 'Timeout') * 1000,
		onProgress: (task) => {
			item.context.sendMessageToUI?.(`Task ${task.taskId}: ${taskProgress(task)}`);
		},
	};
}

/** Whether the item counts an operation as failed that failed for some of the records. */
export function readFailOnPartial(item: ItemParameters): boolean {
	return item.optionFlag('failOnPartial', 'Fail on Partial') ?? false;
}

/**
 * Lets a task pass that ended well.
 *
 * @param failOnPartial whether to have failed for some records is to have failed
 * @throws ServiceError with the counts when the task failed, or failed in part and that counts as failed
 */
export function requireSuccess(task: Task, failOnPartial: boolean): void {
	const failedInPart = failOnPartial && (task.fail ?? 0) > 0;
	if (task.succeeded && !failedInPart) return;
	const words = task.message === '' ? '' : `: ${task.message}`;
	throw new ServiceError({
		kind: 'refused',
		message: task.succeeded
			? `The task ${task.taskId} failed for some records (${taskCounts(task)})${words}`
			: `The task ${task.taskId} failed (${taskCounts(task)})${words}`,
		description:
			'Look at the records that were not changed, then run the operation for them again.',
	});
}

function seconds(value: unknown, byDefault: number, displayName: string): number {
	const number = Number(textOf(value) || byDefault);
	if (Number.isFinite(number) && number > 0) return number;
	throw new InputError(
		`'${displayName}' must be a number of seconds greater than 0`,
		'Change the number, or check its expression.',
	);
}

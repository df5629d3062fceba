import type { INodeProperties } from 'n8n-workflow';
import type { TaskWaiting } from '../../api/tasks/tasks';
import { flagOption, flagParameter, option, type Parameter } from '../../ui/parameter';
import { InputError } from '../../api/values/inputError';
import { ServiceError } from '../../api/http/serviceError';
import { taskCounts, taskProgress, type Task } from '../../api/tasks/task';
import { textOf } from '../../api/values/text';
import type { ItemParameter } from '../operation';
import { showInEditor } from '../progress';

export const waitParameter = flagParameter({
	displayName: 'Wait for Completion',
	name: 'waitForCompletion',
	type: 'boolean',
	default: true,
	description:
		"Whether to wait until the operation has ended. Otherwise the item holds the task ID; wait for it later with the resource 'Task'.",
});

const pollInterval = secondsOption({
	displayName: 'Poll Interval',
	name: 'pollInterval',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 2,
	description: 'Seconds between the first two looks at the task. It grows to at most 15.',
});

const timeout = secondsOption({
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 600,
	description:
		'Seconds after which to stop waiting. The task itself goes on and can be waited for later.',
});

/** How the item wants to wait; progress is shown in the editor while the workflow runs there. */
const waiting: ItemParameter<TaskWaiting> = {
	shown: [...timeout.shown, ...pollInterval.shown],
	read: (call) => ({
		pollMilliseconds: pollInterval.read(call) * 1000,
		timeoutMilliseconds: timeout.read(call) * 1000,
		onProgress: (task) => {
			showInEditor(call.item.context, `Task ${task.taskId}: ${taskProgress(task)}`);
		},
	}),
};

/** Options of waiting, for a collection. */
export const waitingOptions = {
	waiting,
	failOnPartial: flagOption({
		displayName: 'Fail on Partial',
		name: 'failOnPartial',
		type: 'boolean',
		default: true,
		description:
			'Whether the node fails when the operation failed for some of the records. Without this option they only show in the count.',
	}),
};

/**
 * Lets a task pass that ended well.
 *
 * @param failOnPartial whether to have failed for some records is to have failed
 * @throws ServiceError with the counts when the task failed, or failed in part and that counts as failed
 */
export function requireSuccess(task: Task, failOnPartial = false): void {
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

/** A number of seconds; without the option, or where it is empty, the property's default. */
function secondsOption(property: INodeProperties): Parameter<number> {
	const { shown, read } = option(property, (value, displayName) => {
		const number = Number(textOf(value) || property.default);
		if (Number.isFinite(number) && number > 0) return number;
		throw new InputError(
			`'${displayName}' must be a number of seconds greater than 0`,
			'Change the number, or check its expression.',
		);
	});
	return { shown, read: (call) => read(call) ?? Number(property.default) };
}

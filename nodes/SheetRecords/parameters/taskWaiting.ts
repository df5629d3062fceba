import { requireSuccess, taskProgress, waitForTask } from '../../api/tasks/task';
import type { Task, TaskAddress, TaskWaiting } from '../../api/tasks/task';
import {
	flagOptions,
	flagParameter,
	mapped,
	numberParameter,
	optional,
	type Parameter,
} from '../../ui/parameter';
import type { Item } from '../itemContext';

export const waitParameter = flagParameter({
	displayName: 'Wait for Completion',
	name: 'waitForCompletion',
	description:
		"Whether to wait until the operation has ended. Otherwise the item holds the task ID; wait for it later with the resource 'Task'.",
});

const pollInterval = secondsOption(
	'pollInterval',
	'Poll Interval',
	2,
	'Seconds between the first two looks at the task. It grows to at most 15.',
);
const timeout = secondsOption(
	'timeout',
	'Timeout',
	600,
	'Seconds after which to stop waiting. The task itself goes on and can be waited for later.',
);

/** How long the item wants to wait, and how often to look. */
const waiting: Parameter<TaskWaiting> = {
	properties: [...timeout.properties, ...pollInterval.properties],
	parse: (item) => ({
		every: pollInterval.parse(item) * 1000,
		timeout: timeout.parse(item) * 1000,
	}),
};

/** Options of waiting, for a collection. */
export const waitingOptions = {
	waiting,
	...flagOptions({
		failOnPartial: [
			'Fail on Partial',
			'Whether the node fails when the operation failed for some of the records. Without this option they only show in the count.',
		],
	}),
};

/**
 * Waits for a task, shows its progress in the editor while the workflow runs there, and its end in a hint. Throws
 * ServiceError with the counts when the task failed, or failed in part and that counts as failed.
 */
export async function waitFor(
	item: Item,
	address: TaskAddress,
	{ waiting, failOnPartial }: { waiting: TaskWaiting; failOnPartial?: boolean },
): Promise<Task> {
	const onProgress = (task: Task) => item.run.show(`Task ${task.taskId}: ${taskProgress(task)}`);
	const task = await waitForTask(item.client, address, { ...waiting, onProgress });
	item.run.hints.endedTasks.push(task);
	requireSuccess(task, failOnPartial);
	return task;
}

/** A number of seconds; without the option, or where it is empty, `otherwise`. */
function secondsOption(
	name: string,
	displayName: string,
	otherwise: number,
	description: string,
): Parameter<number> {
	const seconds = numberParameter(
		{ displayName, name, typeOptions: { minValue: 1 }, default: otherwise, description },
		(number) => Number.isFinite(number) && number > 0,
		'a number of seconds greater than 0',
		otherwise,
	);
	return mapped(optional(seconds), (number = otherwise) => number);
}

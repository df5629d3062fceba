import { getTask, requireSuccess, taskJson, taskProgress, waitForTask } from '../../api/tasks/task';
import type { Task, TaskAddress, TaskWaiting } from '../../api/tasks/task';
import {
	flagOptions,
	flagParameter,
	mapped,
	numberParameter,
	optional,
	optionsCollection,
	requiredTextParameter,
	textParameter,
	type Parameter,
	type SheetContext,
} from '../../shared/parameters/parameter';
import { parseSheet } from '../../shared/parameters/sheet';
import type { Item } from '../run/itemContext';
import { operation, type Resource } from '../run/operation';

export const waitParameter = flagParameter({
	displayName: 'Wait for Completion',
	name: 'waitForCompletion',
	description:
		"Whether to wait until the operation finishes. If off, the output contains a task ID to use with 'Task: Wait'.",
});

export const waitingOptions = {
	pollInterval: secondsOption(
		'pollInterval',
		'Poll Interval',
		2,
		'Seconds to wait between the first two status checks. Later checks are up to 15 seconds apart.',
	),
	timeout: secondsOption(
		'timeout',
		'Timeout',
		600,
		'Seconds after which to stop waiting. The task continues, and you can wait for it later.',
	),
	...flagOptions({
		failOnPartial: {
			label: 'Fail on Partial Failure',
			description:
				'Whether to fail if the operation failed for any of the records. Otherwise failures are only counted in the output.',
		},
	}),
};

/** An option with a number of seconds above 0, parsed as ms. `otherwise` is its value in seconds if it is missing or empty. */
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
	return mapped(optional(seconds), (number = otherwise) => number * 1000);
}

/** Waits for a task, shows its progress in the editor, and adds a hint at its end. Throws ServiceError with the counts if the task failed. */
export async function waitFor(
	item: Item,
	address: TaskAddress,
	{ failOnPartial, ...waiting }: TaskWaiting & { failOnPartial?: boolean },
): Promise<Task> {
	const onProgress = (task: Task) => item.run.show(`Task ${task.taskId}: ${taskProgress(task)}`);
	const task = await waitForTask(item.client, address, { ...waiting, onProgress });
	item.run.hints.endedTasks.set(address.taskId, task);
	requireSuccess(task, failOnPartial, address.selected);
	return task;
}

const taskIdParameter = requiredTextParameter({
	displayName: 'Task ID',
	name: 'taskId',
	placeholder: 'e.g. {{ $json.taskId }}',
	description: 'ID of the task, as returned by a mass operation',
});

const sheetOption = mapped(
	optional(
		textParameter({
			displayName: 'Sheet',
			name: 'sheet',
			placeholder: 'e.g. sales/orders/1',
			description:
				'Path or address of the sheet of the task. Needed if the service does not find the task without it.',
		}),
	),
	(text, { client }: SheetContext) => (text ? parseSheet(text, client.connection) : undefined),
);

const get = operation({
	value: 'get',
	name: 'Get',
	action: 'Get a task',
	description:
		'Get the progress of a mass operation by its task ID. To wait until it has finished, use Task: Wait.',
	parameters: { taskId: taskIdParameter, options: optionsCollection({ sheet: sheetOption }) },
	run: async ({ client }, { taskId, options }) => ({
		...taskJson(await getTask(client, { taskId, ...options })),
	}),
});

const wait = operation({
	value: 'wait',
	name: 'Wait',
	action: 'Wait for a task',
	description: 'Wait until a mass operation finishes, by its task ID. To look once, use Task: Get.',
	parameters: {
		taskId: taskIdParameter,
		options: optionsCollection({ ...waitingOptions, sheet: sheetOption }),
	},
	run: async (item, { taskId, options }) => ({
		...taskJson(await waitFor(item, { taskId, sheet: options.sheet }, options)),
	}),
});

export const task: Resource = {
	value: 'task',
	name: 'Task',
	description: 'Mass operation in progress',
	defaultOperation: wait,
	operations: [get, wait],
};

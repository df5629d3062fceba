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
		"Whether to wait until the operation has ended. Otherwise the item holds the task ID; wait for it later with the resource 'Task'.",
});

export const waitingOptions = {
	every: secondsOption(
		'pollInterval',
		'Poll Interval',
		2,
		'Seconds between the first two looks at the task. It grows to at most 15.',
	),
	timeout: secondsOption(
		'timeout',
		'Timeout',
		600,
		'Seconds after which to stop waiting. The task itself goes on and can be waited for later.',
	),
	...flagOptions({
		failOnPartial: [
			'Fail on Partial',
			'Whether the node fails when the operation failed for some of the records. Without this option they only show in the count.',
		],
	}),
};

/** An option in seconds, parsed as ms. `otherwise` is its value in seconds if it is missing or empty. */
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
	item.run.hints.endedTasks.push(task);
	requireSuccess(task, failOnPartial);
	return task;
}

const taskIdParameter = requiredTextParameter({
	displayName: 'Task ID',
	name: 'taskId',
	placeholder: 'e.g. {{ $json.taskId }}',
	description: 'The ID of the task, as a mass operation returns it',
});

const sheetOption = mapped(
	optional(
		textParameter({
			displayName: 'Sheet',
			name: 'sheet',
			placeholder: 'e.g. sales/orders/1',
			description:
				"Path or address of the task's sheet, for services that do not answer for tasks at the account's address",
		}),
	),
	(text, { client }: SheetContext) => (text ? parseSheet(text, client.connection) : undefined),
);

const get = operation({
	value: 'get',
	name: 'Get',
	action: 'Get a task',
	description: 'Get the state of a mass operation',
	parameters: { taskId: taskIdParameter, options: optionsCollection({ sheet: sheetOption }) },
	run: async ({ client }, { taskId, options }) => ({
		...taskJson(await getTask(client, { taskId, ...options })),
	}),
});

const wait = operation({
	value: 'wait',
	name: 'Wait',
	action: 'Wait for a task',
	description: 'Wait until a mass operation has ended',
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
	description: 'A mass operation that the service carries out',
	defaultOperation: wait,
	operations: [get, wait],
};

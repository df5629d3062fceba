import { getTask, taskJson } from '../../api/tasks/task';
import {
	mapped,
	optional,
	optionsCollection,
	requiredTextParameter,
	textParameter,
	type SheetContext,
} from '../../ui/parameter';
import { sheetOf } from '../../ui/sheet';
import { operation, type Resource } from '../operation';
import { waitFor, waitingOptions } from '../parameters/taskWaiting';

const taskIdParameter = requiredTextParameter(
	textParameter({
		displayName: 'Task ID',
		name: 'taskId',
		placeholder: 'e.g. {{ $json.taskId }}',
		description: 'The ID of the task, as a mass operation returns it',
	}),
	'Give the ID that a mass operation returned.',
);

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
	(text, { client }: SheetContext) => (text ? sheetOf(text, client.connection) : undefined),
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

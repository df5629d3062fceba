import { getTask, taskJson } from '../../api/tasks/task';
import type { SheetAddress } from '../../api/values/sheetAddress';
import { textOf } from '../../api/values/text';
import {
	option,
	optionsCollection,
	requiredTextParameter,
	textParameter,
} from '../../ui/parameter';
import type { Parameter } from '../../ui/parameter';
import { sheetOf } from '../../ui/sheet';
import { operation, type Resource } from '../operation';
import { waitFor, waitingOptions } from '../parameters/taskWaiting';

const taskIdParameter = requiredTextParameter(
	textParameter({
		displayName: 'Task ID',
		name: 'taskId',
		type: 'string',
		placeholder: 'e.g. {{ $json.taskId }}',
		default: '',
		description: 'The ID of the task, as a mass operation returns it',
	}),
	'Give the ID that a mass operation returned.',
);

const sheetText = option(
	{
		displayName: 'Sheet',
		name: 'sheet',
		type: 'string',
		placeholder: 'e.g. sales/orders/1',
		default: '',
		description:
			"Path or address of the task's sheet, for services that do not answer for tasks at the account's address",
	},
	textOf,
);

const sheetOption: Parameter<SheetAddress | undefined> = {
	properties: sheetText.properties,
	parse(item) {
		const text = sheetText.parse(item);
		return text ? sheetOf(text, item.client.connection) : undefined;
	},
};

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

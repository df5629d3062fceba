import type { INodeProperties } from 'n8n-workflow';
import { flagOption, flagParameter, option, type Parameter } from '../../ui/parameter';
import { InputError } from '../../api/values/inputError';
import { taskProgress, type TaskWaiting } from '../../api/tasks/task';
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
		every: pollInterval.read(call) * 1000,
		timeout: timeout.read(call) * 1000,
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

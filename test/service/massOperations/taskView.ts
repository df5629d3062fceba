import type { JsonValue } from '../json';
import type { Switches } from '../switches';
import type { BackgroundTask } from './backgroundTask';

/** A task in the form and with the words that the switches choose (specification, "Task"). */
export function taskView(
	task: BackgroundTask,
	account: string,
	{ taskShape, taskWords }: Switches,
): JsonValue {
	const status = taskWords[task.state];
	const { message, processed, success, fail, total } = task;
	switch (taskShape) {
		case 'progress':
			return { status, progress: processed, total, message };
		case 'counts':
			return {
				id: task.id,
				ap: account,
				taskName: task.order.name,
				status,
				...{ processed, success, fail },
				message,
			};
		case 'short':
			return { status };
	}
}

import type { Task } from '../../../wire/task';

/** What several tasks did together. */
export interface TaskSum extends Omit<Task, 'taskId'> {
	taskId: null;
	taskIds: string[];
}

/** Adds up the counts of tasks; a count that one of them does not tell is not told of the sum. */
export function sumOfTasks(tasks: readonly Task[]): TaskSum {
	const sum = (count: (task: Task) => number | null) =>
		tasks
			.map(count)
			.reduce((total, value) => (total === null || value === null ? null : total + value), 0);
	const worst = tasks.find(({ succeeded }) => !succeeded) ?? tasks[0];
	return {
		taskId: null,
		taskIds: tasks.map(({ taskId }) => taskId),
		taskName: worst?.taskName ?? null,
		account: worst?.account ?? null,
		status: worst?.status ?? '',
		finished: tasks.every(({ finished }) => finished),
		succeeded: tasks.every(({ succeeded }) => succeeded),
		processed: sum(({ processed }) => processed),
		success: sum(({ success }) => success),
		fail: sum(({ fail }) => fail),
		total: sum(({ total }) => total),
		progress: sum(({ progress }) => progress),
		message: '',
	};
}

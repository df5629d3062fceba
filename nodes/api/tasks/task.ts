import { isJsonObject, memberText, type JsonObject, type JsonValue } from '../json/orderedJson';

/** An asynchronous mass operation, read from any of the API's forms (specification, "Task"). */
export interface Task {
	taskId: string;
	taskName: string | null;
	account: string | null;
	/** The service's own word, in capitals. */
	status: string;
	finished: boolean;
	succeeded: boolean;
	/** Counts of records; null when the service does not tell. */
	processed: number | null;
	success: number | null;
	fail: number | null;
	total: number | null;
	progress: number | null;
	message: string;
}

const goodEnds: ReadonlySet<string> = new Set(['COMPLETED', 'DONE']);

/**
 * The task in an answer: with progress and total, with counts, or with its status alone.
 *
 * @param taskId the id that was asked for; the answer may leave it out
 * @returns undefined when the value is no task
 */
export function taskOf(value: JsonValue, taskId: string): Task | undefined {
	if (!isJsonObject(value)) return undefined;
	const status = memberText(value, 'status')?.toUpperCase();
	if (status === undefined) return undefined;
	const succeeded = goodEnds.has(status);
	return {
		taskId: memberText(value, 'id', 'taskId') ?? taskId,
		taskName: memberText(value, 'taskName') ?? null,
		account: memberText(value, 'ap') ?? null,
		status,
		finished: succeeded || status === 'FAILED',
		succeeded,
		processed: countOf(value, 'processed'),
		success: countOf(value, 'success'),
		fail: countOf(value, 'fail'),
		total: countOf(value, 'total'),
		progress: countOf(value, 'progress'),
		message: memberText(value, 'message', 'msg') ?? '',
	};
}

/** How far a task is, in a few words. */
export function taskProgress({ status, processed, progress, total }: Task): string {
	const done = processed ?? progress;
	if (done === null) return status;
	return total === null ? `${status}, ${done} records` : `${status}, ${done} of ${total} records`;
}

/** How a task ended, with the counts that the service told. */
export function taskCounts(task: Omit<Task, 'taskId'>): string {
	const { processed, success, fail, progress, total } = task;
	const done = progress === null || total === null ? '' : `${progress} of ${total} records`;
	const counts = [
		processed === null ? done : `${processed} processed`,
		success === null ? '' : `${success} succeeded`,
		fail === null ? '' : `${fail} failed`,
	].filter((count) => count !== '');
	return counts.length > 0 ? counts.join(', ') : 'the service gives no counts';
}

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
		message: tasks
			.map(({ message }) => message)
			.filter((message) => message !== '')
			.join('; '),
	};
}

function countOf(value: JsonObject, key: string): number | null {
	const text = memberText(value, key);
	return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
}

import { valueOrRefusal, type RawAnswer } from '../http/answer';
import { waitUnlessCancelled } from '../http/waiting';
import { type Client, type ServiceRequest, sheetRequest } from '../http/client';
import { failureKinds, ServiceError, type FailureKind } from '../http/serviceError';
import { isJsonObject, memberText, type JsonObject, type JsonValue } from '../json/orderedJson';
import { numberForm } from '../values/normalForm';
import { apiQuery } from '../values/query';
import { accountPath, type SheetAddress } from '../values/sheetAddress';
import { failuresIn } from './taskMessage';

type CountName = 'processed' | 'success' | 'fail' | 'total' | 'progress';

/** State of a task. A count is null if the service does not report it. */
interface TaskState extends Record<CountName, number | null> {
	taskName: string | null;
	account: string | null;
	/** Status word of the service, in upper case. */
	status: string;
	finished: boolean;
	succeeded: boolean;
	message: string;
}

/** An asynchronous mass operation, in any of the API's formats (specification, "Task"). */
export type Task = TaskState & { taskId: string };

export type TaskSum = TaskState & { taskId: null; taskIds: string[] };

export interface TaskAddress {
	taskId: string;
	/** Sheet whose address is also tried for the task. */
	sheet?: SheetAddress;
	/** Set if the task was submitted a moment ago, so the service may not know it yet in the first check of `waitForTask`. */
	isNew?: boolean;
	/** IDs of the selected records, if they were selected by their IDs. */
	selected?: readonly string[];
}

export interface TaskWaiting {
	/** Delay between the first two status checks, in ms. Later delays are longer. */
	pollInterval: number;
	/** Maximum total waiting time, in ms. */
	timeout: number;
	onProgress?: (task: Task) => void;
}

/** Maximum delay between two status checks, in ms. */
const maxCheckDelayMilliseconds = 15_000;
/** Minimum time for a status check, in ms, even if less time is left. */
const minCheckMilliseconds = 2_000;
/** Maximum delay of a timer, in ms. */
const maxTimerMilliseconds = 2_147_483_647;

/** Lasting errors after which the next address is tried: the task may be known there. */
const unknownHereKinds: readonly FailureKind[] = [
	'locked',
	'noAccess',
	'notFound',
	'refused',
	'rejected',
	'unexpected',
];

/** Returns whether a failed status check is temporary, so it says nothing about the task. */
function isPassing(error: unknown): boolean {
	if (!(error instanceof ServiceError)) return false;
	return error.kind === 'webPage' || failureKinds[error.kind].isTemporary === true;
}

/** Returns the state of a task (specification, endpoint 3). Throws ServiceError, of kind `notFound` for an unknown task. */
export async function getTask(client: Client, address: TaskAddress): Promise<Task> {
	return await taskFetcher(client, address)(client);
}

/** Waits until a task has finished or failed. Ignores temporary failures of status checks. Throws ServiceError, of kind `taskUnfinished` after the time limit. */
export async function waitForTask(
	client: Client,
	address: TaskAddress,
	{ pollInterval, timeout, onProgress }: TaskWaiting,
): Promise<Task> {
	const fetchTask = taskFetcher(client, address);
	const { taskId } = address;
	const end = performance.now() + timeout;
	let lastState = 'not known';
	let mayBeTooEarly = address.isNew === true;
	const maxDelay = Math.max(pollInterval, maxCheckDelayMilliseconds);
	for (let delay = pollInterval; ; delay = Math.min(delay * 1.5, maxDelay)) {
		const checkTime = Math.max(Math.ceil(end - performance.now()), minCheckMilliseconds);
		const timeUp = AbortSignal.timeout(Math.min(checkTime, maxTimerMilliseconds));
		try {
			const task = await fetchTask(client.endingWith(timeUp));
			onProgress?.(task);
			if (task.finished) return task;
			lastState = taskProgress(task);
		} catch (error) {
			client.signal?.throwIfAborted();
			const isUnknown = error instanceof ServiceError && error.kind === 'notFound';
			const mayPass = timeUp.aborted || isPassing(error) || (mayBeTooEarly && isUnknown);
			if (!mayPass) throw whileWaiting(error, taskId, lastState);
		}
		mayBeTooEarly = false;
		const left = end - performance.now();
		if (left <= 0) {
			throw new ServiceError({
				kind: 'taskUnfinished',
				message: `The task ${taskId} has not ended within ${timeout / 1000} seconds (last state: ${lastState})`,
				description: 'The task goes on in the service.',
				remedy: 'waitLonger',
			});
		}
		await waitUnlessCancelled(Math.min(delay, left), client.host);
	}
}

/** Returns a function that fetches the state of a task. The address that knew the task is tried first the next time. */
function taskFetcher(owner: Client, { taskId, sheet }: TaskAddress) {
	const path = accountPath(owner.connection.account);
	let requests: ServiceRequest[] = [{ path, query: apiQuery([['taskId', taskId]]) }];
	if (sheet) requests.push(sheetRequest(owner, sheet, [['taskId', taskId]]));
	return async (client: Client): Promise<Task> => {
		let refusal = unknownTask(taskId);
		for (const request of requests) {
			const read = client.read(request, (answer) => decodeTask(answer, taskId));
			const task = await read.catch((error: unknown) => {
				if (!(error instanceof ServiceError)) throw error;
				if (!isPassing(error) && !unknownHereKinds.includes(error.kind)) throw error;
				// If one address fails temporarily and the other does not know the task, throw the temporary failure.
				if (!isPassing(refusal)) refusal = error;
			});
			if (!task) continue;
			requests = [request, ...requests.filter((candidate) => candidate !== request)];
			return await withoutSecrets(client, task);
		}
		throw refusal;
	};
}

/** Returns the task without words of the service that contain a secret. */
async function withoutSecrets(client: Client, task: Task): Promise<Task> {
	const redacted = async (words: string | null) => words && (await client.redactedWords(words));
	const taskName = await redacted(task.taskName);
	const account = await redacted(task.account);
	const status = await client.redactedWords(task.status);
	return { ...task, taskName, account, status, message: await client.redactedWords(task.message) };
}

function decodeTask(answer: RawAnswer, taskId: string): Task {
	const value = valueOrRefusal(answer);
	if (value instanceof ServiceError) {
		throw value.kind === 'notFound' ? unknownTask(taskId, value) : value;
	}
	const task = taskOf(value, taskId);
	if (!task) throw unknownTask(taskId);
	return task;
}

/** Returns the task in an answer, in any of the API's formats; undefined for any other value. The answer may omit the ID. */
export function taskOf(value: JsonValue, taskId: string): Task | undefined {
	if (!isJsonObject(value)) return undefined;
	const status = memberText(value, 'status')?.toUpperCase();
	if (status === undefined) return undefined;
	const succeeded = status === 'COMPLETED' || status === 'DONE';
	const task = {
		taskId: memberText(value, 'id', 'taskId') ?? taskId,
		taskName: memberText(value, 'taskName') ?? null,
		account: memberText(value, 'ap') ?? null,
		status,
		finished: succeeded || status === 'FAILED',
		succeeded,
		...countsOf((name) => countIn(value, name)),
		message: memberText(value, 'message', 'msg') ?? '',
	};
	return { ...task, total: totalOf(task), fail: succeeded ? failuresOf(task) : task.fail };
}

function countIn(task: JsonObject, name: CountName): number | null {
	const text = numberForm(memberText(task, name)?.trim() ?? '') ?? '';
	return /^\d+$/.test(text) ? Number(text) : null;
}

/** Returns the total of a task. A finished task that processed no record had none to process. */
function totalOf({ finished, processed, total }: TaskState): number | null {
	return total ?? (finished && processed === 0 ? 0 : null);
}

function countsOf(count: (name: CountName) => number | null): Record<CountName, number | null> {
	return {
		processed: count('processed'),
		success: count('success'),
		fail: count('fail'),
		total: count('total'),
		progress: count('progress'),
	};
}

/** Returns the number of failed records of a finished task, from its counts and its message; null if it does not report failures. */
function failuresOf(task: TaskState): number | null {
	const { processed, success, fail, total, progress, message } = task;
	const all = total ?? processed;
	const done = success ?? processed ?? progress;
	const missing = all === null || done === null ? 0 : all - done;
	const reported = Math.min(failuresIn(message), all ?? Infinity);
	const failures = Math.max(fail ?? 0, missing, reported);
	const isReported = failures > 0 || fail !== null || (success !== null && all !== null);
	return isReported ? failures : null;
}

export function taskProgress({ status, processed, progress, total }: Task): string {
	const done = processed ?? progress;
	if (done === null) return status;
	return total === null ? `${status}, ${done} records` : `${status}, ${done} of ${total} records`;
}

/** Returns a short text with the counts of a finished task. */
export function taskCounts({ processed, success, fail, progress, total }: TaskState): string {
	const done = progress === null || total === null ? '' : `${progress} of ${total} records`;
	const counts = [
		processed === null ? done : `${processed} processed`,
		success === null ? '' : `${success} succeeded`,
		fail === null ? 'failures not reported' : `${fail} failed`,
	];
	return counts.filter((count) => count !== '').join(', ');
}

/**
 * Returns the item of a task, with null for what the service did not report. Adds a warning if the task succeeded but failed
 * for some records.
 */
export function taskJson<State extends Task | TaskSum>(task: State): State & { _warning?: string } {
	const { succeeded, fail, message } = task;
	if (!succeeded || fail === null || fail === 0) return { ...task };
	const outcome = `The operation failed for some records (${taskCounts(task)}).`;
	const _warning = message === '' ? outcome : `${outcome} The service said: ${message}`;
	return { ...task, _warning };
}

/** Returns the sum of tasks. A count is null if a task does not report it. Failures are summed if any task reports some. */
export function sumOfTasks(tasks: readonly Task[]): TaskSum {
	// The status is that of the first failed task, if any.
	const worst = tasks.find(({ succeeded }) => !succeeded) ?? tasks[0];
	const { taskName = null, account = null, status = '' } = worst ?? {};
	return {
		taskId: null,
		taskIds: tasks.map(({ taskId }) => taskId),
		taskName,
		account,
		status,
		finished: tasks.every(({ finished }) => finished),
		succeeded: tasks.every(({ succeeded }) => succeeded),
		...countsOf((name) => {
			const counts = tasks.map(({ [name]: count }) => count);
			const sum = counts.reduce<number>((added, count) => added + (count ?? 0), 0);
			return counts.includes(null) && !(name === 'fail' && sum > 0) ? null : sum;
		}),
		message: tasks.flatMap(({ message }) => message || []).join('; '),
	};
}

/**
 * Returns a sentence about the selected records that a finished task does not count, because they were deleted or are hidden from
 * the user; undefined if it counts all of them, or does not report how many.
 *
 * @param selected IDs of the selected records; an ID that comes twice is one record
 */
export function uncountedRecords(
	{ total, processed }: TaskState,
	selected: readonly string[],
): string | undefined {
	const selectedCount = new Set(selected).size;
	const counted = total ?? processed ?? selectedCount;
	if (counted >= selectedCount) return undefined;
	return `The task counts ${counted} of the ${selectedCount} selected records. The others may be deleted, or hidden from this user.`;
}

/**
 * Throws ServiceError with the counts if a task failed. With `failOnPartial`, also if it failed for some records, or does not count
 * all `selected` ones.
 */
export function requireSuccess(
	task: Task,
	failOnPartial = false,
	selected: readonly string[] = [],
): void {
	const uncounted = failOnPartial ? uncountedRecords(task, selected) : undefined;
	const hasFailures = failOnPartial && (task.fail ?? 0) > 0;
	if (task.succeeded && !hasFailures && uncounted === undefined) return;
	const words = [task.message, uncounted].filter(Boolean).map((text) => `: ${text}`);
	const extent = task.succeeded ? 'failed for some records' : 'failed';
	throw new ServiceError({
		kind: 'refused',
		message: `The task ${task.taskId} ${extent} (${taskCounts(task)})${words.join('')}`,
		description:
			'Look at the records that were not changed, then run the operation for them again.',
	});
}

function unknownTask(taskId: string, refusal?: ServiceError): ServiceError {
	return new ServiceError({
		...refusal?.details,
		remedy: undefined,
		kind: 'notFound',
		message: `The service does not know the task ${taskId}`,
		description:
			'The service forgets tasks some time after they have ended. Check the ID, and look at the records.',
	});
}

/** Returns the error of a status check, with the task ID and the last state, because the task continues. */
function whileWaiting(error: unknown, taskId: string, lastState: string): unknown {
	if (!(error instanceof ServiceError)) return error;
	const waited = `Waited for the task ${taskId} (last state: ${lastState}).`;
	return error.with({ description: `${error.details.description ?? ''} ${waited}`.trim() });
}

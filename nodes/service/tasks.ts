import { judgeAnswer } from '../wire/answer';
import type { RawAnswer } from '../wire/answer';
import { apiQuery } from '../wire/query';
import { ServiceError } from '../wire/serviceError';
import type { FailureKind } from '../wire/serviceError';
import type { SheetAddress } from '../wire/sheetAddress';
import { taskOf, taskProgress } from '../wire/task';
import type { Task } from '../wire/task';
import { waitUnlessCancelled } from './cancel';
import type { Client, ServiceRequest } from './client';
import { sheetRequest } from './sheet';

/** A task, and the sheet that also answers for it when it is known. */
export interface TaskAddress {
	taskId: string;
	sheet?: SheetAddress;
}

export interface TaskWaiting {
	/** The first wait between two looks; it grows. */
	pollMilliseconds: number;
	/** When to give up. */
	timeoutMilliseconds: number;
	/** Told each state of the task. */
	onProgress?: (task: Task) => void;
}

const longestPollMilliseconds = 15_000;
const pollGrowth = 1.5;

/** Failures to look that say nothing about the task. */
const passing: ReadonlySet<FailureKind> = new Set<FailureKind>([
	'connectionLost',
	'malformed',
	'server',
	'tooFrequent',
	'unreachable',
	'webPage',
]);

/**
 * The state of a task, asked for at the account's address, and at the sheet's when the account's does
 * not know it (specification, endpoint 3).
 *
 * @throws ServiceError; of kind `notFound` when the service does not know the task
 */
export async function getTask(client: Client, { taskId, sheet }: TaskAddress): Promise<Task> {
	const path = `/${encodeURIComponent(client.connection.account)}`;
	const query = apiQuery([['taskId', taskId]]);
	const atAccount = await askForTask(client, { path, query }, taskId);
	if (!(atAccount instanceof ServiceError)) return atAccount;
	if (!sheet) throw atAccount;
	const request = sheetRequest(client, sheet, [['taskId', taskId]]);
	const atSheet = await askForTask(client, request, taskId);
	if (atSheet instanceof ServiceError) throw atSheet;
	return atSheet;
}

/**
 * Waits until a task has ended, well or badly. Looking again and again does no harm, so a look that
 * fails for a passing reason is repeated until the time is up.
 *
 * @throws ServiceError of kind `timeout` when the time is up, with the task's id and last state; others
 *   when the service does not know the task or refuses to tell
 */
export async function waitForTask(
	client: Client,
	address: TaskAddress,
	{ pollMilliseconds, timeoutMilliseconds, onProgress }: TaskWaiting,
): Promise<Task> {
	const end = Date.now() + timeoutMilliseconds;
	let lastState = 'not known';
	for (let wait = pollMilliseconds; ; wait = Math.min(wait * pollGrowth, longestPollMilliseconds)) {
		const task = await getTask(client, address).catch((error: unknown) => {
			if (error instanceof ServiceError && passing.has(error.kind)) return undefined;
			throw error;
		});
		if (task) {
			onProgress?.(task);
			if (task.finished) return task;
			lastState = taskProgress(task);
		}
		if (Date.now() >= end) throw timedOut(address.taskId, timeoutMilliseconds, lastState);
		await waitUnlessCancelled(Math.min(wait, Math.max(0, end - Date.now())), client.signal);
	}
}

async function askForTask(
	client: Client,
	request: ServiceRequest,
	taskId: string,
): Promise<Task | ServiceError> {
	return await client.read(request, (answer) => taskOrRefusal(answer, taskId));
}

/** What may pass, or concerns the user, is thrown; any other answer may only mean "not here". */
function taskOrRefusal(answer: RawAnswer, taskId: string): Task | ServiceError {
	const judged = judgeAnswer(answer);
	if (judged instanceof ServiceError) {
		if (
			passing.has(judged.kind) ||
			judged.kind === 'identity' ||
			judged.kind === 'sessionExpired'
		) {
			throw judged;
		}
		return judged.kind === 'notFound' ? unknownTask(taskId, judged) : judged;
	}
	return taskOf(judged, taskId) ?? unknownTask(taskId);
}

function unknownTask(taskId: string, refusal?: ServiceError): ServiceError {
	return new ServiceError({
		...refusal?.details,
		kind: 'notFound',
		message: `The service does not know the task ${taskId}`,
		description:
			'The service forgets tasks some time after they have ended. Check the ID, and look at the records.',
	});
}

function timedOut(taskId: string, milliseconds: number, lastState: string): ServiceError {
	return new ServiceError({
		kind: 'timeout',
		message: `The task ${taskId} has not ended within ${Math.round(milliseconds / 1000)} seconds (last state: ${lastState})`,
		description:
			"The task goes on in the service. To go on waiting, use the resource 'Task' with the operation 'Wait' and this task ID, or raise 'Timeout'.",
	});
}

import { valueOrRefusal, type RawAnswer } from '../http/answer';
import { apiQuery } from '../values/query';
import { ServiceError, type FailureKind } from '../http/serviceError';
import { accountPath, type SheetAddress } from '../values/sheetAddress';
import { taskOf, taskProgress, type Task } from './task';
import { waitUnlessCancelled } from '../http/cancellation';
import type { Client, ServiceRequest } from '../http/client';
import { sheetRequest } from '../http/sheetRequest';

/** A task, and the sheet that also answers for it when it is known. */
export interface TaskAddress {
	taskId: string;
	sheet?: SheetAddress;
	/** It was submitted a moment ago: the service may not know it yet. */
	isNew?: boolean;
}

export interface TaskWaiting {
	/** The first wait between two looks; it grows. */
	pollMilliseconds: number;
	timeoutMilliseconds: number;
	/** Told each state of the task. */
	onProgress?: (task: Task) => void;
}

const longestPollMilliseconds = 15_000;
const pollGrowth = 1.5;
/** A look that begins when the time is nearly up still gets as long as this. */
const shortestLookMilliseconds = 2_000;
/** Timers cannot be set to more. */
const longestTimerMilliseconds = 2_147_483_647;

/** Failures to look that say nothing about the task. */
const passing: ReadonlySet<FailureKind> = new Set<FailureKind>([
	'connectionLost',
	'malformed',
	'server',
	'tooFrequent',
	'unreachable',
	'webPage',
]);

/** Answers that may only mean "not here": another address may tell. */
const perhapsElsewhere: ReadonlySet<FailureKind> = new Set<FailureKind>([
	...passing,
	'locked',
	'noAccess',
	'notFound',
	'refused',
	'rejected',
]);

/**
 * The state of a task, asked for at the account's address, and at the sheet's when the account's does not tell
 * (specification, endpoint 3). Throws ServiceError; of kind `notFound` when the service does not know the task.
 */
export async function getTask(client: Client, address: TaskAddress): Promise<Task> {
	const { task } = await lookAt(client, address.taskId, taskRequests(client, address));
	return task;
}

/**
 * Waits until a task has ended, well or badly. Looking again and again does no harm, so a look that
 * fails for a passing reason is repeated until the time is up, and one that does not find a new task, once.
 * Where the task was found once, it is looked for first.
 *
 * @throws ServiceError of kind `timeout` when the time is up, with the task's id and last state; others
 *   when the service does not know the task or refuses to tell
 */
export async function waitForTask(
	client: Client,
	address: TaskAddress,
	{ pollMilliseconds, timeoutMilliseconds, onProgress }: TaskWaiting,
): Promise<Task> {
	const { taskId } = address;
	const end = performance.now() + timeoutMilliseconds;
	const longestWait = Math.max(pollMilliseconds, longestPollMilliseconds);
	let requests = taskRequests(client, address);
	let lastState: string | undefined;
	let mayBeTooEarly = address.isNew === true;
	for (let wait = pollMilliseconds; ; wait = Math.min(wait * pollGrowth, longestWait)) {
		const look = await lookInTime(client, taskId, requests, end).catch((error: unknown) => {
			if (mayBeTooEarly && error instanceof ServiceError && error.kind === 'notFound') return;
			throw whileWaiting(error, taskId, lastState);
		});
		mayBeTooEarly = false;
		if (look) {
			onProgress?.(look.task);
			if (look.task.finished) return look.task;
			lastState = taskProgress(look.task);
			requests = [look.request, ...requests.filter((request) => request !== look.request)];
		}
		const left = end - performance.now();
		if (left <= 0) throw timedOut(taskId, timeoutMilliseconds, lastState);
		await waitUnlessCancelled(Math.min(wait, left), client.signal);
	}
}

interface Look {
	task: Task;
	request: ServiceRequest;
}

function taskRequests(client: Client, { taskId, sheet }: TaskAddress): ServiceRequest[] {
	const path = accountPath(client.connection.account);
	const atAccount = { path, query: apiQuery([['taskId', taskId]]) };
	return sheet ? [atAccount, sheetRequest(client, sheet, [['taskId', taskId]])] : [atAccount];
}

/** Sends one request after the other until one finds the task. */
async function lookAt(
	client: Client,
	taskId: string,
	requests: readonly ServiceRequest[],
): Promise<Look> {
	let refusal = unknownTask(taskId);
	for (const request of requests) {
		const found = await client
			.read(request, (answer) => readTask(answer, taskId))
			.catch(refusalOfOne);
		if (!(found instanceof ServiceError)) {
			const status = await client.shownWords(found.status);
			const message = await client.shownWords(found.message);
			return { task: { ...found, status, message }, request };
		}
		// One that does not tell for a while outweighs one that does not know.
		if (!passing.has(refusal.kind)) refusal = found;
	}
	throw refusal;
}

/** A look that ends with the time that is left; undefined when it failed for a reason that may pass. */
async function lookInTime(
	client: Client,
	taskId: string,
	requests: readonly ServiceRequest[],
	end: number,
): Promise<Look | undefined> {
	const left = Math.max(end - performance.now(), shortestLookMilliseconds);
	const timeUp = AbortSignal.timeout(Math.ceil(Math.min(left, longestTimerMilliseconds)));
	return await lookAt(client.endingWith(timeUp), taskId, requests).catch((error: unknown) => {
		client.signal?.throwIfAborted();
		if (timeUp.aborted || (error instanceof ServiceError && passing.has(error.kind)))
			return undefined;
		throw error;
	});
}

/** What concerns the user, or all addresses, is thrown. */
function refusalOfOne(error: unknown): ServiceError {
	if (error instanceof ServiceError && perhapsElsewhere.has(error.kind)) return error;
	throw error;
}

function readTask(answer: RawAnswer, taskId: string): Task {
	const judged = valueOrRefusal(answer);
	if (judged instanceof ServiceError) {
		throw judged.kind === 'notFound' ? unknownTask(taskId, judged) : judged;
	}
	const task = taskOf(judged, taskId);
	if (task) return task;
	throw unknownTask(taskId);
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

/** A failure to look must not hide that the task goes on. */
function whileWaiting(error: unknown, taskId: string, lastState?: string): unknown {
	if (!(error instanceof ServiceError)) return error;
	const description = [
		error.details.description,
		`Waited for the task ${taskId} (last state: ${lastState ?? 'not known'}).`,
	];
	return error.with({ description: description.filter(Boolean).join(' ') });
}

function timedOut(taskId: string, milliseconds: number, lastState = 'not known'): ServiceError {
	return new ServiceError({
		kind: 'timeout',
		message: `The task ${taskId} has not ended within ${milliseconds / 1000} seconds (last state: ${lastState})`,
		description: 'The task goes on in the service.',
		remedy: 'waitLonger',
	});
}

import { subscribe } from 'node:diagnostics_channel';
import { ClientRequest } from 'node:http';
import * as workflow from 'n8n-workflow';
import { deadlineCheckMilliseconds } from '../../nodes/api/http/policies';
import { timeLimit } from '../timeLimit';

/**
 * Clock of the nodes and of the n8n engine: `sleep` of n8n-workflow and `performance.now`. Waits end as soon as no request is
 * running, except in test files about waiting. Import this module before modules that load n8n-workflow.
 */

type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

interface Sleeper {
	/** Time on this clock, in ms. Infinity for a time limit, which is never skipped to. */
	due: number;
	wake: () => void;
	/** Rejects the wait, because its test file has ended. */
	end: () => void;
}

const sleepForReal: Sleep = workflow.sleep;
/** Returns whether a sleep is a deadline check. No other sleep is as long, and no test waits for these checks. */
const isCheck = (milliseconds: number) => milliseconds === deadlineCheckMilliseconds;
const realNow = performance.now.bind(performance);

const isWorker = process.connected;
/** Whether waits are skipped. False for tests of the same worker that use the usual clock. */
let isSkipping = false;
let factor = 1;
/** Time of the last change of the factor, on this clock and on the real one. */
let anchor = { moved: realNow(), real: realNow() };
const sleepers = new Set<Sleeper>();
const requests = new Set<ClientRequest>();

const turnMilliseconds = 50;
/** Number of idle event-loop turns that fail a test. Enough time for any event, and for the end of a check that is not needed. */
const idleTurns = timeLimit((deadlineCheckMilliseconds + 2_000) / 1000) / turnMilliseconds;
let idleTimer: NodeJS.Timeout | undefined;
/** Number of events other than checks: waits, requests and their ends. */
let eventCount = 0;
/** Value of `eventCount` at the start of the observation. */
let quietSince = 0;

function now(): number {
	return anchor.moved + (realNow() - anchor.real) * factor;
}

function setClock(next: { at?: number; factor?: number }): void {
	anchor = { moved: next.at ?? now(), real: realNow() };
	factor = next.factor ?? factor;
}

const sleep: Sleep = async (milliseconds, signal) => {
	if (!isSkipping) return await sleepForReal(milliseconds, signal);
	await new Promise<void>((resolve, reject) => {
		const endWith = (callback: () => void) => () => {
			sleepers.delete(sleeper);
			clearTimeout(timer);
			signal?.removeEventListener('abort', cancel);
			callback();
			if (!isCheck(milliseconds)) skipIfNoRequests();
		};
		const sleeper: Sleeper = {
			due: isCheck(milliseconds) ? Infinity : now() + milliseconds,
			wake: endWith(resolve),
			end: endWith(() => reject(new Error('The file of tests has ended'))),
		};
		const cancel = endWith(() => reject(signal?.reason));
		const timer = setTimeout(sleeper.wake, milliseconds / factor).unref();
		signal?.addEventListener('abort', cancel);
		sleepers.add(sleeper);
		if (isCheck(milliseconds)) failWhenIdle();
		else skipIfNoRequests();
	});
};

/** Skips to the end of the first sleep if no request is running. */
function skipIfNoRequests(): void {
	eventCount++;
	// Handle events that have just arrived first.
	setImmediate(() => setImmediate(skip));
}

function skip(): void {
	// A run that never ends must not outlive its Jest process.
	if (isWorker && !process.connected) process.exit();
	if (!isSkipping || requests.size > 0) return;
	const [first] = [...sleepers].sort((one, other) => one.due - other.due);
	if (!first) return;
	if (first.due === Infinity) return failWhenIdle();
	setClock({ at: Math.max(now(), first.due) });
	first.wake();
}

/**
 * Fails the test if no request is running and only checks happen for many event-loop turns. Turns are counted instead of time,
 * because a busy machine may not run the process for seconds.
 */
function failWhenIdle(): void {
	const before = eventCount;
	if (idleTimer && quietSince === before) return;
	stopIdleTimer();
	quietSince = before;
	let turns = 0;
	idleTimer = setInterval(() => {
		const isIdle = requests.size === 0 && eventCount === before;
		const isHanging = isSkipping && isIdle && sleepers.size > 0;
		if (isHanging && ++turns < idleTurns) return;
		stopIdleTimer();
		if (isHanging) throw new Error('Nothing is under way, and somebody waits');
	}, turnMilliseconds).unref();
}

function stopIdleTimer(): void {
	clearInterval(idleTimer);
	idleTimer = undefined;
}

subscribe('http.client.request.created', watch);
subscribe('http.client.request.start', watch);

function watch(message: unknown): void {
	if (typeof message !== 'object' || message === null || !('request' in message)) return;
	const { request } = message;
	if (!(request instanceof ClientRequest) || requests.has(request)) return;
	requests.add(request);
	eventCount++;
	request.once('close', () => {
		requests.delete(request);
		skipIfNoRequests();
	});
}

performance.now = now;
const loaded = require.cache[require.resolve('n8n-workflow')];
if (loaded) loaded.exports = { ...workflow, sleep };

/** Clock of a test file. */
export interface Clock {
	/** Converts milliseconds of this clock to real milliseconds. */
	real(milliseconds: number): number;
}

/** Starts the clock for a test file, without waits and requests of the previous file. */
export function startClock(): void {
	requests.clear();
	isSkipping = true;
	setClock({ factor: 1 });
}

/**
 * Stops the clock at the end of a file. Otherwise, a run that a failed test left behind would retry in an endless loop without
 * waiting.
 */
export function stopClock(): void {
	isSkipping = false;
	stopIdleTimer();
	for (const sleeper of [...sleepers]) sleeper.end();
	setClock({ at: realNow(), factor: 1 });
}

/** Makes waits take their real time in all tests of a file. */
export function useRealClock(): void {
	beforeAll(() => {
		isSkipping = false;
	});
}

/** Advances the clock of the nodes by a time in ms. */
export function passTime(milliseconds: number): void {
	setClock({ at: now() + milliseconds });
}

/**
 * Uses the clock that skips waits in all tests of a file. The clock of the nodes and the engine is `times` times faster than that
 * of the service and the network.
 */
export function useSkippingClock(times = 1): Clock {
	beforeAll(() => setClock({ factor: times }));
	return { real: (milliseconds) => milliseconds / times };
}

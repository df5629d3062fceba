import { subscribe } from 'node:diagnostics_channel';
import { ClientRequest } from 'node:http';
import * as workflow from 'n8n-workflow';
import { deadlineCheckMilliseconds } from '../../nodes/api/http/policies';
import { timeLimit } from '../timeLimit';

/**
 * The clock of the nodes and of n8n's engine: `sleep` of n8n-workflow, and `performance.now`. What they
 * wait for comes as soon as no request is on its way, unless a file of tests is about waiting itself.
 * Whoever imports this does so before anything that loads n8n-workflow.
 */

type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

interface Sleeper {
	/** Milliseconds of this clock; Infinity for a limit, which is not skipped to. */
	due: number;
	wake: () => void;
	/** Nobody is there any more to wait for. */
	end: () => void;
}

const sleepForReal: Sleep = workflow.sleep;
/** Checks whether others took too long are made at these times, so nobody waits for them. No other sleep is as long. */
const isCheck = (milliseconds: number) => milliseconds === deadlineCheckMilliseconds;
const realNow = performance.now.bind(performance);

const isWorker = process.connected;
/** Other tests of the same worker have the usual clock. */
let isSkipping = false;
let factor = 1;
/** When the factor was set, by this clock and by the real one. */
let since = { own: realNow(), real: realNow() };
const sleepers = new Set<Sleeper>();
const requests = new Set<ClientRequest>();

const turnMilliseconds = 50;
/** Turns of the process in which something could still happen, and in which a check that nobody needs any more ends. */
const idleTurns = timeLimit((deadlineCheckMilliseconds + 2_000) / 1000) / turnMilliseconds;
let lookout: NodeJS.Timeout | undefined;
/** Grows with everything that the clock sees but checks: waits, requests and their ends. */
let happenings = 0;
/** Value at the start of the observation. */
let quietSince = 0;

function now(): number {
	return since.own + (realNow() - since.real) * factor;
}

function goOn(next: { at?: number; factor?: number }): void {
	since = { own: next.at ?? now(), real: realNow() };
	factor = next.factor ?? factor;
}

const sleep: Sleep = async (milliseconds, signal) => {
	if (!isSkipping) return await sleepForReal(milliseconds, signal);
	await new Promise<void>((resolve, reject) => {
		const settle = (how: () => void) => () => {
			sleepers.delete(sleeper);
			clearTimeout(timer);
			signal?.removeEventListener('abort', cancel);
			how();
			if (!isCheck(milliseconds)) skipWhenIdle();
		};
		const sleeper: Sleeper = {
			due: isCheck(milliseconds) ? Infinity : now() + milliseconds,
			wake: settle(resolve),
			end: settle(() => reject(new Error('The file of tests has ended'))),
		};
		const cancel = settle(() => reject(signal?.reason));
		const timer = setTimeout(sleeper.wake, milliseconds / factor).unref();
		signal?.addEventListener('abort', cancel);
		sleepers.add(sleeper);
		if (isCheck(milliseconds)) failUnlessSomethingHappens();
		else skipWhenIdle();
	});
};

/** When no request is on its way and somebody sleeps, it is at once as late as the first one waits for. */
function skipWhenIdle(): void {
	happenings++;
	// Let events that have just arrived be handled first.
	setImmediate(() => setImmediate(skip));
}

function skip(): void {
	// A run that would wait for ever does not outlive the jest that it was run for.
	if (isWorker && !process.connected) process.exit();
	if (!isSkipping || requests.size > 0) return;
	const [first] = [...sleepers].sort((one, other) => one.due - other.due);
	if (!first) return;
	if (first.due === Infinity) return failUnlessSomethingHappens();
	goOn({ at: Math.max(now(), first.due) });
	first.wake();
}

/**
 * Fails the test when no request is on its way, and nothing but checks goes on while the process has had many turns:
 * nothing can happen any more. Turns are counted, not time, since the process of a busy machine may get none for seconds.
 */
function failUnlessSomethingHappens(): void {
	const before = happenings;
	if (lookout && quietSince === before) return;
	endLookout();
	quietSince = before;
	let turns = 0;
	lookout = setInterval(() => {
		const isIdle = requests.size === 0 && happenings === before;
		const isHanging = isSkipping && isIdle && sleepers.size > 0;
		if (isHanging && ++turns < idleTurns) return;
		endLookout();
		if (isHanging) throw new Error('Nothing is under way, and somebody waits');
	}, turnMilliseconds).unref();
}

function endLookout(): void {
	clearInterval(lookout);
	lookout = undefined;
}

subscribe('http.client.request.created', watch);
subscribe('http.client.request.start', watch);

function watch(message: unknown): void {
	if (typeof message !== 'object' || message === null || !('request' in message)) return;
	const { request } = message;
	if (!(request instanceof ClientRequest) || requests.has(request)) return;
	requests.add(request);
	happenings++;
	request.once('close', () => {
		requests.delete(request);
		skipWhenIdle();
	});
}

performance.now = now;
const loaded = require.cache[require.resolve('n8n-workflow')];
if (loaded) loaded.exports = { ...workflow, sleep };

/** Options of the clock for a file of tests. */
export interface Clock {
	/** Converts milliseconds of this clock to real milliseconds. */
	real(milliseconds: number): number;
}

/** Begins for a file of tests: nobody waits, no request is on its way, nothing is hurried. */
export function startClock(): void {
	requests.clear();
	isSkipping = true;
	goOn({ factor: 1 });
}

/** Ends with the file: a run that a failed test has left behind would otherwise wait in no time, again and again. */
export function stopClock(): void {
	isSkipping = false;
	endLookout();
	for (const sleeper of [...sleepers]) sleeper.end();
	goOn({ at: realNow(), factor: 1 });
}

/** Makes waits take their real time, for all tests of a file. */
export function useRealClock(): void {
	beforeAll(() => {
		isSkipping = false;
	});
}

/** Lets time pass for the nodes at once, in ms. */
export function passTime(milliseconds: number): void {
	goOn({ at: now() + milliseconds });
}

/**
 * The clock that skips waits. For all tests of a file, the time of nodes and engine goes so many times
 * faster than that of the service and the network.
 */
export function useSkippingClock(times = 1): Clock {
	beforeAll(() => goOn({ factor: times }));
	return { real: (milliseconds) => milliseconds / times };
}

import { subscribe } from 'node:diagnostics_channel';
import { ClientRequest } from 'node:http';
import * as workflow from 'n8n-workflow';

/**
 * The clock of the nodes and of n8n's engine: `sleep` of n8n-workflow, and `performance.now`. What they
 * wait for comes as soon as no request is on its way, unless a file of tests is about waiting itself.
 * Whoever imports this does so before anything that loads n8n-workflow.
 */

type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

interface Sleeper {
	/** Milliseconds of this clock; Infinity for a limit, which is not skipped to. */
	due: number;
	milliseconds: number;
	wake: () => void;
	/** Ends the wait with an error. */
	fail: (error: Error) => void;
}

const sleepForReal: Sleep = workflow.sleep;
/** Longer ones are limits of how long others may take. */
const longestWaitMilliseconds = 60_000;
const realNow = performance.now.bind(performance);

const isWorker = process.connected;
/** Other tests of the same worker have the usual clock. */
let isSkipping = false;
let factor = 1;
/** When the factor was set, by this clock and by the real one. */
let since = { own: realNow(), real: realNow() };
const sleepers = new Set<Sleeper>();
const requests = new Set<ClientRequest>();
const waits: number[] = [];

/** Turns of the process, and the least time between two of them, in which something could still happen. */
const idleTurns = 40;
const turnMilliseconds = 50;
let lookout: NodeJS.Timeout | undefined;
/** Grows with everything that the clock sees: waits, requests and their ends. */
let happenings = 0;

function now(): number {
	return since.own + (realNow() - since.real) * factor;
}

function goOn(next: { at?: number; factor?: number }): void {
	since = { own: next.at ?? now(), real: realNow() };
	factor = next.factor ?? factor;
}

const sleep: Sleep = async (milliseconds, signal) => {
	if (!isSkipping) return await sleepForReal(milliseconds, signal);
	waits.push(milliseconds);
	await new Promise<void>((resolve, reject) => {
		const settle = (how: () => void) => () => {
			sleepers.delete(sleeper);
			clearTimeout(timer);
			signal?.removeEventListener('abort', cancel);
			how();
			skipWhenIdle();
		};
		const sleeper: Sleeper = {
			due: milliseconds > longestWaitMilliseconds ? Infinity : now() + milliseconds,
			milliseconds,
			wake: settle(resolve),
			fail: (error) => settle(() => reject(error))(),
		};
		const cancel = settle(() => reject(signal?.reason));
		const timer = setTimeout(sleeper.wake, milliseconds / factor).unref();
		signal?.addEventListener('abort', cancel);
		sleepers.add(sleeper);
		skipWhenIdle();
	});
};

/** When no request is on its way and somebody sleeps, it is at once as late as the first one waits for. */
function skipWhenIdle(): void {
	happenings++;
	// What has just come in may go on before.
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
 * Fails the test when no request is on its way, only limits remain, and this does not change while the process has
 * had many turns: nothing is left that could happen before a limit. Turns are counted, not time, since the process
 * of a busy machine may get none for seconds.
 */
function failUnlessSomethingHappens(): void {
	clearInterval(lookout);
	let turns = 0;
	const before = happenings;
	lookout = setInterval(() => {
		const isOver = !isSkipping || happenings !== before;
		if (isOver || ++turns === idleTurns) clearInterval(lookout);
		if (isOver || turns < idleTurns) return;
		const limits = [...sleepers].map(({ milliseconds }) => `${milliseconds} ms`).join(', ');
		const error = new Error(`Nothing is under way, and somebody waits: ${limits}`);
		for (const sleeper of [...sleepers]) sleeper.fail(error);
		// Whoever waits for a limit may not mind that the wait for it fails.
		throw error;
	}, turnMilliseconds).unref();
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

/** What a file of tests may ask of the clock. */
export interface Clock {
	/** Every wait that was asked for since the beginning of the file, in milliseconds of this clock. */
	readonly waits: readonly number[];
	/** So many milliseconds of this clock in those of all others. */
	real(milliseconds: number): number;
}

/** Begins for a file of tests: nobody waits, no request is on its way, nothing is hurried. */
export function startClock(): void {
	requests.clear();
	waits.length = 0;
	isSkipping = true;
	goOn({ factor: 1 });
}

/** Ends with the file: a run that a failed test has left behind would otherwise wait in no time, again and again. */
export function stopClock(): void {
	isSkipping = false;
	clearInterval(lookout);
	for (const sleeper of [...sleepers]) sleeper.fail(new Error('The file of tests has ended'));
	goOn({ at: realNow(), factor: 1 });
}

/** For all tests of a file, waits take as long as they say. */
export function useRealClock(): void {
	beforeAll(() => {
		isSkipping = false;
	});
}

/**
 * The clock that skips waits. For all tests of a file, the time of nodes and engine goes so many times
 * faster than that of the service and the network.
 */
export function useSkippingClock(times = 1): Clock {
	beforeAll(() => goOn({ factor: times }));
	return { waits, real: (milliseconds) => milliseconds / times };
}

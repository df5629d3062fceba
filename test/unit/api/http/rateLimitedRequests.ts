import { sleep } from 'n8n-workflow';
import { schedule, speedUp } from '../../../../nodes/api/http/rateLimiter';
import type { RateLimit } from '../../../../nodes/api/http/connection';
import { acquire } from '../../../../nodes/api/http/waiting';

export interface CancellableLimit extends RateLimit {
	signal?: AbortSignal;
}

let accounts = 0;

/**
 * Returns the rate limit of a new account. The state of an account lives as long as the process, so each test uses new
 * accounts.
 */
export const newRateLimit = (
	requestsPerSecond: number,
	signal?: AbortSignal,
): CancellableLimit => ({
	account: `https://host/account${++accounts}`,
	requestsPerSecond,
	signal,
});

/** Sends a request within its account's rate limit. An answer raises the rate, a failure does not. */
export async function sendWithinLimit<T>(
	rateLimit: CancellableLimit,
	send: () => Promise<T>,
): Promise<T> {
	const answer = await schedule(rateLimit, send, { sleep, signal: rateLimit.signal });
	speedUp(rateLimit);
	return answer;
}

/** Runs a function while holding the mutex of the account. */
export async function inTurn<T>(rateLimit: CancellableLimit, run: () => Promise<T>): Promise<T> {
	const endTurn = await acquire(rateLimit.account, rateLimit.signal);
	return await run().finally(endTurn);
}

export interface Trace {
	starts: Array<{ name: number; at: number }>;
	running: number;
	mostRunning: number;
}
export const newTrace = (): Trace => ({ starts: [], running: 0, mostRunning: 0 });
export const names = ({ starts }: Trace) => starts.map(({ name }) => name);
export const times = ({ starts }: Trace) => starts.map(({ at }) => at);
export const rest = (milliseconds: number) =>
	new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Sends a request with this duration. It fails if the duration is odd. */
export async function request(
	rateLimit: CancellableLimit,
	trace: Trace,
	name: number,
	milliseconds: number,
): Promise<number> {
	const send = async () => {
		trace.starts.push({ name, at: performance.now() });
		trace.mostRunning = Math.max(trace.mostRunning, ++trace.running);
		await rest(milliseconds);
		trace.running--;
		if (milliseconds % 2 === 1) throw new Error('broken');
		return name;
	};
	return await inTurn(rateLimit, async () => await sendWithinLimit(rateLimit, send));
}

/** Advances the clock until no request waits any more. */
export const settle = async () => await jest.advanceTimersByTimeAsync(600_000);

/**
 * Returns the start times of requests that are sent at the same time, in seconds, rounded to tenths. Rounding is needed
 * because a timer of 0 ms takes 1 ms.
 *
 * @param send may advance the clock
 */
export async function startsOf(
	send: (trace: Trace) => Iterable<Promise<unknown>> | Promise<Iterable<Promise<unknown>>>,
): Promise<number[]> {
	const trace = newTrace();
	const begun = performance.now();
	const all = Promise.all(await send(trace));
	await settle();
	await all;
	return times(trace).map((at) => Math.round((at - begun) / 100) / 10);
}

/** Lets tests control the time. */
export function useFakeTime(): void {
	beforeEach(() => {
		jest.useFakeTimers();
	});
	afterEach(() => {
		jest.useRealTimers();
	});
}

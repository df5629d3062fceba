import { maxSleepMilliseconds } from './policies';
import { processCache } from './processState';

/** Mutex name → promise that resolves when the last caller in the queue has released the mutex. */
const lastHolders = processCache<Promise<void>>('mutexes');

/** A timer, and the signal that ends a wait early. */
export interface Waiting {
	/** May ignore the signal. In n8n 2.0.0 the timer then runs to its end. */
	readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
	readonly signal?: AbortSignal;
}

/** Waits for a time in ms. Throws the reason of the signal as soon as the execution is cancelled. */
export async function waitUnlessCancelled(
	milliseconds: number,
	{ sleep, signal }: Waiting,
): Promise<void> {
	let left = milliseconds;
	do {
		// A sleep with an aborted signal would cause an unhandled rejection.
		signal?.throwIfAborted();
		await withCancel(sleep(Math.min(left, maxSleepMilliseconds), signal), signal);
		left -= maxSleepMilliseconds;
	} while (left > 0);
}

/** Returns the value of the promise. Throws the reason of the signal as soon as the execution is cancelled. */
export async function withCancel<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
	if (!signal) return await promise;
	signal.throwIfAborted();
	return await new Promise<T>((resolve, reject) => {
		const onAbort = () => reject(signal.reason);
		signal.addEventListener('abort', onAbort);
		const stopListening = () => signal.removeEventListener('abort', onAbort);
		void promise.finally(stopListening).then(resolve, reject);
	});
}

/**
 * Acquires the mutex with a name, in the order of the calls. Returns the function that releases it. Throws the reason of the
 * signal if the execution is cancelled during the wait.
 */
export async function acquire(name: string, signal?: AbortSignal): Promise<() => void> {
	signal?.throwIfAborted();
	const previous = lastHolders.get(name);
	let release = () => {};
	const ended = new Promise<void>((resolve) => (release = resolve));
	// A cancelled waiter releases early. The next one must still wait for all holders before it.
	const last = previous ? previous.then(() => ended) : ended;
	lastHolders.set(name, last);
	void last.then(() => {
		if (lastHolders.get(name) === last) lastHolders.delete(name);
	});
	if (!previous) return release;
	await withCancel(previous, signal).catch((reason: unknown) => {
		release();
		throw reason;
	});
	return release;
}

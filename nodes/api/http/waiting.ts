import type { Steps } from '../json/jsonReader';
import { maxSleepMilliseconds } from './policies';
import { processCache } from './processState';

/** The ends of the latest turns of each mutex. */
const lastTurns = processCache<Promise<void>>('mutexes');

/** What a wait needs: a timer, and the signal that ends it early. */
export interface Waiting {
	/** May ignore the signal: in n8n 2.0.0 the timer then runs to its end. */
	readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
	readonly signal?: AbortSignal;
}

/** Waits. Throws the reason of the signal, at once, when the execution is cancelled. */
export async function waitUnlessCancelled(
	milliseconds: number,
	{ sleep, signal }: Waiting,
): Promise<void> {
	let left = milliseconds;
	do {
		// A sleep that begins cancelled would fail with nobody listening.
		signal?.throwIfAborted();
		await withCancel(sleep(Math.min(left, maxSleepMilliseconds), signal), signal);
		left -= maxSleepMilliseconds;
	} while (left > 0);
}

/** Does all steps, and lets the process do something else between two of them. Returns what comes of them. */
export async function inTurns<T>(steps: Steps<T>, { sleep }: Pick<Waiting, 'sleep'>): Promise<T> {
	for (;;) {
		const { done, value } = steps.next();
		if (done) return value;
		await sleep(0);
	}
}

/** Returns what the promise yields. Throws the reason of the signal, at once, when the execution is cancelled before. */
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

/** Acquires the mutex of a name, in the order of the calls. Returns what releases it. Throws the reason of a signal that ends the wait. */
export async function acquire(name: string, signal?: AbortSignal): Promise<() => void> {
	const previous = lastTurns.get(name) ?? Promise.resolve();
	let release = () => {};
	const ended = new Promise<void>((resolve) => (release = resolve));
	// Whoever leaves early, cancelled, must not let the next one overtake those before.
	const last = previous.then(() => ended);
	lastTurns.set(name, last);
	void last.then(() => {
		if (lastTurns.get(name) === last) lastTurns.delete(name);
	});
	await withCancel(previous, signal).catch((reason: unknown) => {
		release();
		throw reason;
	});
	return release;
}

import { sleep } from 'n8n-workflow';
import { processCache } from './processState';

/** The ends of the latest turns of each mutex. Shared by all executions of this process. */
const lastTurns = processCache<Promise<void>>('mutexes');

/** Older versions of n8n take no signal and sleep on, with nobody waiting for it. */
const sleepUntilCancelled: (milliseconds: number, signal?: AbortSignal) => Promise<void> = sleep;

/** Waits so many milliseconds. Throws the reason of the signal, at once, when the execution is cancelled. */
export async function waitUnlessCancelled(
	milliseconds: number,
	signal?: AbortSignal,
): Promise<void> {
	// A sleep that begins cancelled would fail with nobody listening.
	signal?.throwIfAborted();
	await withCancel(sleepUntilCancelled(milliseconds, signal), signal);
}

/** Returns what the promise yields. Throws the reason of the signal, at once, when the execution is cancelled before. */
export async function withCancel<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
	if (!signal) return await promise;
	signal.throwIfAborted();
	let stopListening = () => {};
	const cancelled = new Promise<never>((_, reject) => {
		const onAbort = () => reject(signal.reason);
		signal.addEventListener('abort', onAbort);
		stopListening = () => signal.removeEventListener('abort', onAbort);
	});
	return await Promise.race([promise, cancelled]).finally(stopListening);
}

/**
 * Acquires the mutex of a name, in the order of the calls. Returns what releases it. Throws the reason of the signal
 * when the execution is cancelled while waiting.
 */
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

import { sleep } from 'n8n-workflow';

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

/** What the promise yields. Throws the reason of the signal, at once, when the execution is cancelled before. */
export async function withCancel<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
	if (!signal) return await promise;
	signal.throwIfAborted();
	let stopListening = () => {};
	const cancelled = new Promise<never>((_, reject) => {
		const onAbort = () => reject(signal.reason);
		signal.addEventListener('abort', onAbort);
		stopListening = () => signal.removeEventListener('abort', onAbort);
	});
	try {
		return await Promise.race([promise, cancelled]);
	} finally {
		stopListening();
	}
}

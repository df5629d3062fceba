import type { Steps } from '../json/jsonReader';
import { processCache } from './processState';
import { ServiceError } from './serviceError';

/** The ends of the latest turns of each mutex. */
const lastTurns = processCache<Promise<void>>('mutexes');

/** What a wait takes: a timer, and the signal that ends it early. */
export interface Waiting {
	/** May sleep on when its signal ends it, with nobody waiting for it. */
	readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
	readonly signal?: AbortSignal;
}

/** Waits so many milliseconds. Throws the reason of the signal, at once, when the execution is cancelled. */
export async function waitUnlessCancelled(
	milliseconds: number,
	{ sleep, signal }: Waiting,
): Promise<void> {
	// A sleep that begins cancelled would fail with nobody listening.
	signal?.throwIfAborted();
	await withCancel(sleep(milliseconds, signal), signal);
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
	const settled = new AbortController();
	const cancelled = new Promise<never>((_, reject) => {
		const onAbort = () => reject(signal.reason);
		signal.addEventListener('abort', onAbort, { signal: settled.signal });
	});
	return await Promise.race([promise, cancelled]).finally(() => settled.abort());
}

/** Returns what `run` yields before the outer signal, or after so many milliseconds its own, ends it: throws the reason, or ServiceError. */
export async function withDeadline<T>(
	milliseconds: number,
	run: (signal: AbortSignal) => Promise<T>,
	{ sleep, signal: outer }: Waiting,
): Promise<T> {
	// The time-out of a request is for silence only.
	const deadline = new AbortController();
	const ended = new AbortController();
	const signal = outer ? AbortSignal.any([outer, deadline.signal]) : deadline.signal;
	signal.throwIfAborted();
	if (milliseconds < Infinity) {
		const message = 'The answer of the service had not come whole in time';
		const description = `It took more than ${milliseconds / 60_000} minutes. Try again later.`;
		sleep(milliseconds, ended.signal).then(
			() => deadline.abort(new ServiceError({ kind: 'tooSlow', message, description })),
			() => undefined,
		);
	}
	return await withCancel(run(signal), signal).finally(() => ended.abort());
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

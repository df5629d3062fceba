import { withCancel } from './cancellation';
import { processCache } from './processState';

/** When the last turn in each queue has ended. Shared by all executions of this process. */
const lastTurns = processCache<Promise<void>>('mutexes');

/**
 * Waits until all earlier turns of the same name have ended, in whatever way. Returns what ends the turn: whoever
 * took it must call this. Throws the reason of the signal when the execution is cancelled while waiting.
 */
export async function acquire(name: string, signal?: AbortSignal): Promise<() => void> {
	const previous = lastTurns.get(name) ?? Promise.resolve();
	let end = () => {};
	const ended = new Promise<void>((resolve) => (end = resolve));
	// Whoever leaves early, cancelled, must not let the next one overtake those before.
	const last = previous.then(() => ended);
	lastTurns.set(name, last);
	void last.then(() => {
		if (lastTurns.get(name) === last) lastTurns.delete(name);
	});
	await withCancel(previous, signal).catch((reason: unknown) => {
		end();
		throw reason;
	});
	return end;
}

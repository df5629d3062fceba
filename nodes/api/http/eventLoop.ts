import type { Steps } from '../json/jsonReading';
import { processCache } from './processState';

/** Maximum time for which work in small steps blocks the event loop, in ms. One step may exceed it a little. */
export const maxBlockMilliseconds = 15;

const turns = processCache<Promise<void>>('eventLoopTurns');

/**
 * Yields to the event loop, which then handles pending answers, timers and other executions. In each turn, only one caller
 * goes on, in the order of the calls. Otherwise, ten reads at the same time would block it ten times as long as one.
 */
export async function eventLoopTurn(): Promise<void> {
	const previous = turns.get('last') ?? Promise.resolve();
	const turn = previous.then(nextTurn);
	turns.set('last', turn);
	await turn;
}

/**
 * Resolves in the next turn of the event loop. A sleep of 0 ms does not: as long as further timers become due, Node.js handles
 * nothing else. n8n does not allow nodes to use setImmediate.
 */
async function nextTurn(): Promise<void> {
	await new Promise<void>((resolve) => {
		const { port1, port2 } = new MessageChannel();
		port1.onmessage = () => {
			port1.close();
			resolve();
		};
		port2.postMessage(null);
	});
}

/**
 * Runs a generator to its end and returns its result. Between two steps it yields to the event loop. Throws the errors of the
 * steps.
 *
 * @param maxMilliseconds yields only after this time
 */
export async function runCooperatively<T>(steps: Steps<T>, maxMilliseconds = 0): Promise<T> {
	let begun = performance.now();
	for (;;) {
		const { done, value } = steps.next();
		if (done) return value;
		if (performance.now() - begun < maxMilliseconds) continue;
		await eventLoopTurn();
		begun = performance.now();
	}
}

/**
 * Returns a function to call between two parts of long work, such as two items. If the event loop has been blocked since an
 * earlier call, for at least `maxMilliseconds`, it yields to the event loop. Work that waits for requests does not block.
 */
export function yieldWhenBlocked(maxMilliseconds: number): () => Promise<void> {
	let blockedSince: number | undefined;
	return async () => {
		if (blockedSince !== undefined) {
			if (performance.now() - blockedSince < maxMilliseconds) return;
			await eventLoopTurn();
		}
		blockedSince = performance.now();
		void nextTurn().then(() => (blockedSince = undefined));
	};
}

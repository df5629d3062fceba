import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Bytes that are still needed once everything that is not has been thrown away.
 *
 * @throws Error when this Node.js does not collect garbage on request
 */
export function usedHeap(): number {
	setFlagsFromString('--expose-gc');
	const collect: unknown = runInNewContext('gc');
	if (typeof collect !== 'function') throw new Error('This Node does not collect on request');
	collect();
	collect();
	return process.memoryUsage().heapUsed;
}

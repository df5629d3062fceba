import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Returns the heap size in bytes after garbage collection.
 *
 * @throws Error if Node.js does not support garbage collection on request
 */
export function usedHeap(): number {
	setFlagsFromString('--expose-gc');
	const collect: unknown = runInNewContext('gc');
	if (typeof collect !== 'function') throw new Error('This Node does not collect on request');
	collect();
	collect();
	return process.memoryUsage().heapUsed;
}

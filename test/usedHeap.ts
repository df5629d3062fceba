import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Returns the heap size in bytes after garbage collection.
 *
 * @param collections number of collections. Code that has not run lately is only dropped after several.
 * @throws Error if Node.js does not support garbage collection on request
 */
export function usedHeap(collections = 2): number {
	setFlagsFromString('--expose-gc');
	const collect: unknown = runInNewContext('gc');
	if (typeof collect !== 'function') throw new Error('This Node does not collect on request');
	for (let count = 0; count < collections; count++) collect();
	return process.memoryUsage().heapUsed;
}

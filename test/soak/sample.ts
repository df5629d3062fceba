import { existsSync, readdirSync } from 'node:fs';

import { usedHeap } from '../engine/usedHeap';

/** What has been done by a moment. */
export interface Done {
	executions: number;
	/** Executions one of whose requests went wrong. */
	struck: number;
	deliveries: number;
	forged: number;
	polls: number;
}

/** What is open in this process, by its kind: sockets, servers, timers, files. */
export type Open = Readonly<Record<string, number>>;

/** What was done and what it takes, at a moment when nothing is under way. */
export interface Sample extends Done {
	/** Bytes that are still needed. */
	heap: number;
	/** Bytes of the whole process. */
	resident: number;
	open: Open;
}

export function take(done: Done): Sample {
	const heap = usedHeap();
	return { ...done, heap, resident: process.memoryUsage.rss(), open: openNow() };
}

/** What keeps this process from ending, and every file and socket that it holds. */
export function openNow(): Open {
	const open: Record<string, number> = {};
	for (const kind of process.getActiveResourcesInfo()) open[kind] = (open[kind] ?? 0) + 1;
	// Idle connections keep no process from ending, but are open.
	const descriptors = '/proc/self/fd';
	if (existsSync(descriptors)) open['file descriptor'] = readdirSync(descriptors).length;
	return open;
}

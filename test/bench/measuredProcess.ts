import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { FromProcess, Prepared, Report, Task } from './task';

const kilobytesInMegabyte = 1024;
const microsecondsInMillisecond = 1_000;
const nanosecondsInMillisecond = 1_000_000;

/** Warms up, waits for the start message, runs the task, and reports the measurements to the parent process. */
async function work(task: Task): Promise<void> {
	const { url, run } = await prepare(task);
	const before = process.memoryUsage.rss() / kilobytesInMegabyte;
	const go = once(process, 'message');
	await tell({ url });
	await go;
	const maxBlockMilliseconds = watchBlocks();
	// A block before the first look would not be measured.
	await wait(20);
	const begun = performance.now();
	const begunProcessor = processorMilliseconds();
	// The parent process sends the deliveries, and a message after the last one.
	if (url !== undefined) await once(process, 'message');
	const count = await run();
	const milliseconds = performance.now() - begun;
	const growth = (process.resourceUsage().maxRSS - before) / kilobytesInMegabyte;
	const report: Report = {
		count,
		milliseconds,
		processorMilliseconds: processorMilliseconds() - begunProcessor,
		growthMegabytes: Math.max(0, growth),
		blockMilliseconds: maxBlockMilliseconds(),
	};
	await tell({ report });
}

/** Looks every millisecond whether the event loop turns. Returns a function that returns the longest time between two looks. */
function watchBlocks(): () => number {
	let longest = 0;
	let before = mainThreadMilliseconds();
	const look = () => {
		const now = mainThreadMilliseconds();
		longest = Math.max(longest, now - before);
		before = now;
	};
	setInterval(look, 1).unref();
	return () => longest;
}

/**
 * Returns a time that passes while the main thread works. On Linux, it is the processor time of that thread, so that other processes
 * and threads do not count. Elsewhere, it is a clock.
 */
function mainThreadMilliseconds(): number {
	try {
		const [nanoseconds = ''] = readFileSync(
			`/proc/self/task/${process.pid}/schedstat`,
			'utf8',
		).split(' ');
		return Number(nanoseconds) / nanosecondsInMillisecond;
	} catch {
		return performance.now();
	}
}

function processorMilliseconds(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / microsecondsInMillisecond;
}

/** Imports only the client that is measured, so that the plain client has no n8n code in its memory. */
async function prepare(task: Task): Promise<Prepared> {
	if (task.measuredClient === 'client') {
		return await (await import('./plainClient')).prepareClient(task);
	}
	if (task.measuredClient === 'helper') {
		return await (await import('./helperClient')).prepareHelper(task);
	}
	return await (await import('./nodeClient')).prepareNode(task);
}

async function tell(message: FromProcess): Promise<void> {
	await new Promise((resolve) => process.send?.(message, resolve));
}

process.once('message', (task: Task) => {
	void work(task).then(
		() => process.exit(0),
		(error: unknown) => {
			console.error(error);
			process.exit(1);
		},
	);
});

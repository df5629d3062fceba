import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { FromProcess, Prepared, Report, Task } from './task';

const kilobytesInMegabyte = 1024;
const nanosecondsInMillisecond = 1_000_000;

/** Warms up, waits for the start message, runs the task, and reports the measurements to the parent process. */
async function work(task: Task): Promise<void> {
	const { url, run } = await prepare(task);
	const before = process.memoryUsage.rss() / kilobytesInMegabyte;
	const go = once(process, 'message');
	await tell({ url });
	await go;
	const eventLoop = monitorEventLoopDelay({ resolution: 1 });
	eventLoop.enable();
	// A block before the first sample would not be measured.
	await wait(20);
	const begun = performance.now();
	// The parent process sends the deliveries, and a message after the last one.
	if (url !== undefined) await once(process, 'message');
	const count = await run();
	const milliseconds = performance.now() - begun;
	const growth = (process.resourceUsage().maxRSS - before) / kilobytesInMegabyte;
	eventLoop.disable();
	const report: Report = {
		count,
		milliseconds,
		growthMegabytes: Math.max(0, growth),
		blockMilliseconds: eventLoop.max / nanosecondsInMillisecond,
	};
	await tell({ report });
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

import type { Prepared } from './measuredClient';
import type { FromProcess, Report, Task, ToProcess } from './task';

const kilobytesInMegabyte = 1024;

/** Warms up, waits for the word, does one task and tells the parent what it took. */
async function work(task: Task): Promise<void> {
	const { url, run } = await prepare(task);
	const before = process.memoryUsage.rss() / kilobytesInMegabyte;
	const go = told('go');
	await tell({ kind: 'ready', url });
	await go;
	const begun = performance.now();
	// Deliveries come from the parent, which knows when all have been taken.
	if (url !== undefined) await told('end');
	const came = await run();
	const milliseconds = performance.now() - begun;
	const growth = (process.resourceUsage().maxRSS - before) / kilobytesInMegabyte;
	const report: Report = { came, milliseconds, growthMegabytes: Math.max(0, growth) };
	await tell({ kind: 'report', report });
}

/** Each loads only what it needs: the floor has nothing of n8n in its memory. */
async function prepare(task: Task): Promise<Prepared> {
	if (task.measuredClient === 'client') {
		return await (await import('./plainClient')).prepareClient(task);
	}
	if (task.measuredClient === 'helper') {
		return await (await import('./helperClient')).prepareHelper(task);
	}
	return await (await import('./nodeClient')).prepareNode(task);
}

async function told(kind: ToProcess['kind']): Promise<void> {
	await new Promise<void>((resolve) => {
		const listen = (message: ToProcess) => {
			if (message.kind !== kind) return;
			process.off('message', listen);
			resolve();
		};
		process.on('message', listen);
	});
}

async function tell(message: FromProcess): Promise<void> {
	await new Promise((resolve) => process.send?.(message, resolve));
}

process.once('message', (message: ToProcess) => {
	if (message.kind !== 'task') return;
	void work(message.task).then(
		() => process.exit(0),
		(error: unknown) => {
			console.error(error);
			process.exit(1);
		},
	);
});

import { existsSync, readdirSync } from 'node:fs';
import { median } from '../bench/summary';
import { usedHeap } from '../engine/usedHeap';

/** What is open in this process, by its kind: sockets, servers, timers, files. */
export type Open = Readonly<Record<string, number>>;

/** What this process takes, at a moment when nothing is under way. */
export interface Sample {
	heap: number;
	open: Open;
}

export function take(): Sample {
	return { heap: usedHeap(), open: openNow() };
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

/** The last quarter of a run may need so much more than the second: what is measured is not quite the same each time. */
const maxGrowth = 0.05;
const minSamples = 8;
const patienceSeconds = 10;
const megabyte = 1024 * 1024;

/** Whether the last quarter needed more memory than the second, or held more open. */
export function notFlat(samples: readonly Sample[]): string[] {
	if (samples.length < minSamples) {
		return [`Only ${samples.length} rounds were done, too few to tell: give it more minutes`];
	}
	const [, second = [], , last = []] = quarters(samples);
	const growth = medianHeap(last) / medianHeap(second) - 1;
	const isFlat = growth <= maxGrowth;
	const heap = isFlat ? [] : [`The heap has grown by ${(growth * 100).toFixed(1)} %`];
	const open = more(mostOpen(second), mostOpen(last));
	return [...heap, ...open.map((what) => `More and more is open: ${what}`)];
}

/** What is open after the end that was not before. Connections take a moment to end. */
export async function leftOpen(before: Open): Promise<string[]> {
	for (let seconds = 0; seconds < patienceSeconds; seconds++) {
		if (more(before, openNow()).length === 0) return [];
		await new Promise((resolve) => setTimeout(resolve, 1_000));
	}
	return more(before, openNow()).map((what) => `Left open: ${what}`);
}

/** The heap in megabytes, by quarters of the run. */
export function heapByQuarter(samples: readonly Sample[]): string {
	const heaps = quarters(samples).map(medianHeap);
	return heaps.map((bytes) => (bytes / megabyte).toFixed(2)).join(', ');
}

function quarters(samples: readonly Sample[]): Sample[][] {
	const beginning = (quarter: number) => Math.floor((samples.length * quarter) / 4);
	return [0, 1, 2, 3].map((quarter) => samples.slice(beginning(quarter), beginning(quarter + 1)));
}

function medianHeap(samples: readonly Sample[]): number {
	return median(samples.map(({ heap }) => heap));
}

/** The most of each kind that were open at any time. */
function mostOpen(samples: readonly Sample[]): Open {
	const most: Record<string, number> = {};
	for (const { open } of samples) {
		for (const [kind, count] of Object.entries(open)) most[kind] = Math.max(most[kind] ?? 0, count);
	}
	return most;
}

function more(before: Open, after: Open): string[] {
	return Object.entries(after).flatMap(([kind, count]) => {
		const earlier = before[kind] ?? 0;
		return count > earlier ? [`${kind} (${earlier}, then ${count})`] : [];
	});
}

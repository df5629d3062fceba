import { existsSync, readdirSync } from 'node:fs';
import { getHeapCodeStatistics } from 'node:v8';
import { median } from '../bench/summary';
import { usedHeap } from '../usedHeap';

/** Number of open resources in this process: kind (such as sockets, servers, timers, files) → count. */
export type Open = Readonly<Record<string, number>>;

/** Memory and open resources of this process while it is idle. */
export interface Sample {
	heap: number;
	/** The part of the heap that compiled code takes. It grows for hours, because V8 compiles functions that are used often anew. */
	code: number;
	open: Open;
}

export function take(): Sample {
	const heap = usedHeap();
	return { heap, code: getHeapCodeStatistics().code_and_metadata_size, open: openNow() };
}

/** Returns the resources that keep this process alive, and the number of open files and sockets. */
export function openNow(): Open {
	const open: Record<string, number> = {};
	for (const kind of process.getActiveResourcesInfo()) open[kind] = (open[kind] ?? 0) + 1;
	// Also count file descriptors, because idle connections do not keep the process alive.
	const descriptors = '/proc/self/fd';
	if (existsSync(descriptors)) open['file descriptor'] = readdirSync(descriptors).length;
	return open;
}

/** Maximum growth of memory from the second to the last quarter of a run, because measurements vary. */
const maxGrowth = 0.05;
/** Minimum number of rounds from which a growth of memory can be seen. */
export const minSamples = 8;
const patienceSeconds = 10;
const megabyte = 1024 * 1024;

/** Returns a problem if memory or open resources have grown from the second to the last quarter of the run. */
export function notFlat(samples: readonly Sample[]): string[] {
	if (samples.length < minSamples) {
		return [`Only ${samples.length} rounds were done, too few to tell: give it more minutes`];
	}
	const [, second = [], , last = []] = quarters(samples);
	const growth = medianHeap(last) / medianHeap(second) - 1;
	const isFlat = growth <= maxGrowth;
	const heap = isFlat ? [] : [`The heap has grown by ${(growth * 100).toFixed(1)} %`];
	const open = increases(maxOpen(second), maxOpen(last));
	return [...heap, ...open.map((what) => `More and more is open: ${what}`)];
}

/** Returns the resources left open after the run. Waits a few seconds, because connections take a moment to close. */
export async function leftOpen(before: Open): Promise<string[]> {
	for (let seconds = 0; seconds < patienceSeconds; seconds++) {
		if (increases(before, openNow()).length === 0) return [];
		await new Promise((resolve) => setTimeout(resolve, 1_000));
	}
	return increases(before, openNow()).map((what) => `Left open: ${what}`);
}

/** Returns the median heap size of each quarter of the run, in megabytes. */
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

/** Returns the maximum number of open resources of each kind. */
function maxOpen(samples: readonly Sample[]): Open {
	const most: Record<string, number> = {};
	for (const { open } of samples) {
		for (const [kind, count] of Object.entries(open)) most[kind] = Math.max(most[kind] ?? 0, count);
	}
	return most;
}

function increases(before: Open, after: Open): string[] {
	return Object.entries(after).flatMap(([kind, count]) => {
		const earlier = before[kind] ?? 0;
		return count > earlier ? [`${kind} (${earlier}, then ${count})`] : [];
	});
}

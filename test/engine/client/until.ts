import { setTimeout as wait } from 'node:timers/promises';

const mostLooks = 2_000;

/** Waits for something that is about to happen. */
export async function until(condition: () => boolean): Promise<void> {
	for (let looks = 0; looks < mostLooks; looks++) {
		if (condition()) return;
		await wait(5);
	}
	throw new Error('What the test waits for has not happened.');
}

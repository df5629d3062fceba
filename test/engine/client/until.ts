import { setTimeout as wait } from 'node:timers/promises';

/** Waits for something that is about to happen; the test's own time limit ends a wait in vain. */
export async function until(condition: () => boolean): Promise<void> {
	while (!condition()) await wait(5);
}

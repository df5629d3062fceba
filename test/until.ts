import { setTimeout as wait } from 'node:timers/promises';

/** Looks again and again until something holds; what never does ends by the time limit of the test. */
export async function until(
	holds: () => Promise<boolean> | boolean,
	milliseconds = 5,
): Promise<void> {
	// The wait alone keeps no process alive: that of a test whose time is over.
	while (!(await holds())) await wait(milliseconds, undefined, { ref: false });
}

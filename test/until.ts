import { setTimeout as wait } from 'node:timers/promises';

/**
 * Looks again and again until something holds. What never comes to hold ends by the time limit of the
 * test, for how long it may take depends on the machine.
 *
 * @param milliseconds between two looks
 */
export async function until(
	holds: () => Promise<boolean> | boolean,
	milliseconds = 5,
): Promise<void> {
	// The wait alone keeps no process alive: that of a test whose time is over.
	while (!(await holds())) await wait(milliseconds, undefined, { ref: false });
}

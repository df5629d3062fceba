import { setTimeout as wait } from 'node:timers/promises';

/** Repeats a check until it succeeds. There is no limit other than that of the test. */
export async function until(
	holds: () => Promise<boolean> | boolean,
	milliseconds = 5,
): Promise<void> {
	// The timer is unreferenced, so that it does not keep the process of a timed-out test alive.
	while (!(await holds())) await wait(milliseconds, undefined, { ref: false });
}

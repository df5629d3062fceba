import { acquire } from '../http/mutex';
import { processCache } from '../http/processState';

const keyRecords = processCache<readonly string[]>('keyRecords');

/**
 * Runs some work while no other execution of this process works under the same name: those who came before
 * have ended, in whatever way.
 *
 * @throws what `work` throws; the reason of the signal when the execution is cancelled while waiting
 */
export async function whileHeld<T>(
	name: string,
	signal: AbortSignal | undefined,
	work: () => Promise<T>,
): Promise<T> {
	const release = await acquire(name, signal);
	try {
		return await work();
	} finally {
		release();
	}
}

/**
 * The ids of the records that an execution of this process found or created under the name last; none when a
 * record may have been created that nobody knows; undefined when nothing is known.
 */
export function knownRecords(name: string): readonly string[] | undefined {
	return keyRecords.get(name);
}

/** Tells all executions of this process what `knownRecords` yields. */
export function rememberRecords(name: string, recordIds: readonly string[]): void {
	keyRecords.set(name, recordIds);
}

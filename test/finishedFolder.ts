import { renameSync } from 'node:fs';

/**
 * Moves a finished folder to its final path with one rename, so that no process sees a partial folder. If the path exists
 * already, because another process was faster, the finished folder stays where it is and the caller must remove it.
 *
 * @throws any other error of the file system
 */
export function putInPlace(finished: string, place: string): void {
	try {
		renameSync(finished, place);
	} catch (error) {
		if (!isTaken(error)) throw error;
	}
}

/** Whether the rename failed because the target folder exists. */
function isTaken(error: unknown): boolean {
	const code = typeof error === 'object' && error !== null && 'code' in error && error.code;
	return code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'EPERM';
}

import { renameSync } from 'node:fs';

/**
 * Puts a finished folder in its place by one rename, so that nobody finds half of it there. Where
 * another process was faster, its folder stays, and this one is left to the caller.
 *
 * @throws what the file system says when the place is not taken
 */
export function putInPlace(finished: string, place: string): void {
	try {
		renameSync(finished, place);
	} catch (error) {
		if (!isTaken(error)) throw error;
	}
}

/** The rename found the folder there already. */
function isTaken(error: unknown): boolean {
	const code = typeof error === 'object' && error !== null && 'code' in error && error.code;
	return code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'EPERM';
}

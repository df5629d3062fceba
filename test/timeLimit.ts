/** Factor for every time limit, because a machine may also do other work. */
export const timeLimitFactor = Number(process.env.TEST_TIMEOUT_FACTOR ?? 3);

/** Returns the time limit of a test in milliseconds. A file says why if it needs more than the 15 s of jest.config.js. */
export function timeLimit(seconds: number): number {
	return seconds * 1000 * timeLimitFactor;
}

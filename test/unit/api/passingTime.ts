let passedMilliseconds = 0;

/**
 * Lets the tests of a file advance the monotonic clock, which otherwise runs normally. Call it at the top level of the file.
 */
export function withPassingTime(): void {
	beforeEach(() => {
		passedMilliseconds = 0;
		const now = performance.now.bind(performance);
		jest.spyOn(performance, 'now').mockImplementation(() => now() + passedMilliseconds);
	});
	afterEach(() => jest.restoreAllMocks());
}

/** Advances the clock in this test. */
export function passTime(milliseconds: number): void {
	passedMilliseconds += milliseconds;
}

let passedMilliseconds = 0;

/** Call it in the file's top level: its tests can let time pass on the monotonic clock, which is real otherwise. */
export function withPassingTime(): void {
	beforeEach(() => {
		passedMilliseconds = 0;
		const now = performance.now.bind(performance);
		jest.spyOn(performance, 'now').mockImplementation(() => now() + passedMilliseconds);
	});
	afterEach(() => jest.restoreAllMocks());
}

/** Lets time pass in this test. */
export function passTime(milliseconds: number): void {
	passedMilliseconds += milliseconds;
}

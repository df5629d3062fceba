/** Returns the processor time of a call in microseconds: the least of three calls, because other work may disturb one. */
function leastMicroseconds(work: () => void): number {
	const times = [0, 1, 2].map(() => {
		const begun = process.cpuUsage();
		work();
		const { user, system } = process.cpuUsage(begun);
		return user + system;
	});
	return Math.min(...times);
}

/**
 * Returns how many times as long `work` takes for `large` as for `small`: about `large / small` if the time is linear, and its
 * square if the time is quadratic. A ratio does not depend on the speed of the machine.
 */
export function growth(work: (size: number) => void, small: number, large: number): number {
	work(small);
	return (
		leastMicroseconds(() => work(large)) /
		Math.max(
			leastMicroseconds(() => work(small)),
			1,
		)
	);
}

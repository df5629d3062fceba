/** Returns the processor time of a call in microseconds. */
function microseconds(work: () => void): number {
	const begun = process.cpuUsage();
	work();
	const { user, system } = process.cpuUsage(begun);
	return user + system;
}

/**
 * Returns how many times as long `work` takes for `large` as for `small`: about `large / small` if the time is linear, and its
 * square if the time is quadratic. A ratio does not depend on the speed of the machine. Other work may disturb a call, so the least
 * of three counts. A ratio below `enough` needs no further call.
 */
export function growth(
	work: (size: number) => void,
	small: number,
	large: number,
	enough: number,
): number {
	work(small);
	const timesOfSmall = [0, 1, 2].map(() => microseconds(() => work(small)));
	const ofSmall = Math.max(1, Math.min(...timesOfSmall));
	let ratio = Infinity;
	for (let call = 0; call < 3 && ratio >= enough; call++) {
		ratio = Math.min(ratio, microseconds(() => work(large)) / ofSmall);
	}
	return ratio;
}

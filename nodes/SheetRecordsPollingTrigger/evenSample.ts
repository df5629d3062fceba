/** Returns `count` of the values, evenly distributed over the list. */
export function evenSample<T>(values: readonly T[], count: number): T[] {
	const step = Math.max(1, values.length / count);
	return values.filter((_, index) => Math.floor(index % step) === 0).slice(0, count);
}

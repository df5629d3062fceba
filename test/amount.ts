/**
 * Returns the amount of work for an open-ended test: `usual` in normal runs, `long` in `.ci/run`, and `weekly` in
 * `npm run test:long`, which has more time.
 */
export function amount<Amount>(usual: Amount, long: Amount, weekly = long): Amount {
	if (process.env.LONG_TESTS === 'weekly') return weekly;
	return process.env.LONG_TESTS === 'yes' ? long : usual;
}

/** Returns the number of runs of a random test. Mutation testing repeats it for each change, so it sets a lower limit. */
export function runs(usual: number, long = usual, weekly = long): number {
	return Math.min(amount(usual, long, weekly), Number(process.env.MAX_RANDOM_RUNS ?? Infinity));
}

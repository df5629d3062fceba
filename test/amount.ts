/** Returns the amount of work for an open-ended test: `usual` in normal runs, `long` in `npm run test:long`. */
export function amount<Amount>(usual: Amount, long: Amount): Amount {
	return process.env.LONG_TESTS === 'yes' ? long : usual;
}

/** Returns the number of runs of a random test. Mutation testing repeats it for each change, so it sets a lower limit. */
export function runs(usual: number, long = usual): number {
	return Math.min(amount(usual, long), Number(process.env.MAX_RANDOM_RUNS ?? Infinity));
}

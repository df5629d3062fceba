/** Returns the arguments with which jest writes its results to the file named in TEST_RESULTS. Empty if it is not set. */
export function resultsArguments(): string[] {
	const { TEST_RESULTS } = process.env;
	return TEST_RESULTS ? ['--json', `--outputFile=${TEST_RESULTS}`] : [];
}

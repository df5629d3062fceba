/** Jest's arguments that leave its results in a file, for whoever counts the tests and names it in TEST_RESULTS. */
export function resultsArguments(): string[] {
	const { TEST_RESULTS } = process.env;
	return TEST_RESULTS ? ['--json', `--outputFile=${TEST_RESULTS}`] : [];
}

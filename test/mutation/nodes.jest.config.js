const {
	projects: [, engine],
} = require('../../jest.config.js');

/** Configuration of the tests of an area that run nodes. `run.ts` adds the files. */
module.exports = {
	...engine,
	displayName: undefined,
	rootDir: '../..',
	testEnvironment: require.resolve('./nodesEnvironment'),
	testTimeout: 15_000 * Number(process.env.TEST_TIMEOUT_FACTOR ?? 1),
	runner: '<rootDir>/test/mutation/coveringTestsRunner.ts',
	setupFiles: [
		...engine.setupFiles,
		'<rootDir>/test/mutation/sameRandomValues.ts',
		'<rootDir>/test/mutation/withoutEveryEntry.ts',
	],
	testPathIgnorePatterns: ['\\.(?:large|speed)\\.test\\.ts$'],
};

const {
	projects: [{ transform }],
} = require('../../jest.config.js');

/**
 * Configuration of the unit tests of an area. `run.ts` adds the files. Unlike in `npm test`, each test file has its own context,
 * because a changed constant takes effect only when its module is loaded again.
 */
module.exports = {
	rootDir: '../..',
	// Keep the limit short, because many changes make tests wait until the limit.
	testTimeout: 2_000 * Number(process.env.TEST_TIMEOUT_FACTOR ?? 1),
	testEnvironment: require.resolve('./environment'),
	roots: ['<rootDir>/test/unit', '<rootDir>/nodes'],
	runner: '<rootDir>/test/mutation/coveringTestsRunner.ts',
	setupFiles: [
		'<rootDir>/test/jest/useSharedModules.ts',
		'<rootDir>/test/mutation/sameRandomValues.ts',
		'<rootDir>/test/mutation/withoutEveryEntry.ts',
	],
	// Tests of large inputs and of speed take long and notice few additional changes.
	testPathIgnorePatterns: ['\\.(?:large|speed)\\.test\\.ts$'],
	transform,
	// These tests only need `sleep`, which loads ten times faster than the whole package.
	moduleNameMapper: { '^n8n-workflow$': '@n8n/utils/sleep' },
};

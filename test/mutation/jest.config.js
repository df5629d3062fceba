const {
	projects: [{ transform }],
} = require('../../jest.config.js');

/**
 * For the unit tests of one room, which `run.ts` adds. Each file has a context of its own, unlike in `npm test`: a
 * change of a constant is seen only when its file is loaded anew.
 */
module.exports = {
	rootDir: '../..',
	// Many changes leave somebody waiting for ever, and each test that notices waits for so long.
	testTimeout: 2_000 * Number(process.env.TEST_TIMEOUT_FACTOR ?? 1),
	testEnvironment: require.resolve('./environment'),
	roots: ['<rootDir>/test/unit', '<rootDir>/nodes'],
	runner: '<rootDir>/test/mutation/coveringTestsRunner.ts',
	setupFiles: [
		'<rootDir>/test/jest/useSharedModules.ts',
		'<rootDir>/test/mutation/sameRandomValues.ts',
	],
	// Large inputs and measurements of time take long, and notice little more.
	testPathIgnorePatterns: ['\\.(?:large|speed)\\.test\\.ts$'],
	transform,
	// All that these tests need of it, and in a tenth of its time.
	moduleNameMapper: { '^n8n-workflow$': '@n8n/utils/sleep' },
};

/** Unit tests read the sources; engine tests load the built package, so `npm test` builds first. */
const project = (folder) => ({
	displayName: folder,
	testEnvironment: `<rootDir>/test/jest/${folder}Environment.ts`,
	setupFiles: ['<rootDir>/test/jest/useSharedModules.ts'],
	roots: ['<rootDir>/test', '<rootDir>/nodes', '<rootDir>/dist'],
	testMatch: [`<rootDir>/test/${folder}/**/*.test.ts`],
	transform: {
		'^.+\\.ts$': [
			'@swc/jest',
			{
				jsc: { parser: { syntax: 'typescript', decorators: true }, target: 'es2022' },
				module: { type: 'commonjs' },
				sourceMaps: 'inline',
			},
		],
	},
});

module.exports = {
	projects: [project('unit'), project('engine')],
	// With --coverage; its report has one line for each file that is published.
	collectCoverageFrom: ['nodes/**/*.ts', 'credentials/**/*.ts'],
	coverageReporters: ['text', 'json'],
	// Tests may run on a busy machine. TEST_TIMEOUT_FACTOR=1 reports a hang sooner.
	testTimeout: 15_000 * Number(process.env.TEST_TIMEOUT_FACTOR ?? 3),
	maxWorkers: 2,
	// Workers alone load modules for all files; one that has grown is replaced.
	workerIdleMemoryLimit: '400MB',
};

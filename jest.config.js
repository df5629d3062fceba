/** Unit tests read the sources; engine tests load the built package, so `npm test` builds first. */
module.exports = {
	testEnvironment: 'node',
	roots: ['<rootDir>/test'],
	testMatch: ['<rootDir>/test/unit/**/*.test.ts', '<rootDir>/test/engine/**/*.test.ts'],
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
	testTimeout: 30_000,
	maxWorkers: 2,
};

const {
	projects: [{ transform }],
} = require('../../jest.config.js');

/**
 * For the unit tests of one room, which `run.ts` adds. Each file has a context of its own, unlike in `npm test`: a
 * change of a constant is seen only when its file is loaded anew.
 */
module.exports = {
	rootDir: '../..',
	testEnvironment: 'node',
	roots: ['<rootDir>/test/unit', '<rootDir>/nodes'],
	setupFiles: ['<rootDir>/test/mutation/sameRandomValues.ts'],
	transform,
	// All that these tests need of it, and in a tenth of its time.
	moduleNameMapper: { '^n8n-workflow$': '@n8n/utils/sleep' },
};

const {
	projects: [{ transform }],
} = require('../../jest.config.js');

/** The end-to-end tests: `npm run e2e`. Each file starts an n8n of its own. */
module.exports = {
	rootDir: __dirname,
	testEnvironment: 'node',
	testMatch: ['<rootDir>/**/*.test.ts'],
	transform,
	testTimeout: 300_000,
};

const {
	projects: [{ transform }],
} = require('../../jest.config.js');

/**
 * Configuration of the end-to-end tests (`npm run e2e`). Test files share an n8n or start their own. The tests in `queue`
 * start an n8n in queue mode.
 */
module.exports = {
	testEnvironment: 'node',
	testMatch: ['<rootDir>/*.test.ts'],
	transform,
	testTimeout: 900_000,
};

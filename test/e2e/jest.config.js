const {
	projects: [{ transform }],
} = require('../../jest.config.js');

/** The end-to-end tests: `npm run e2e`. Each file starts an n8n of its own; those of `queue`, several programs of one. */
module.exports = {
	testEnvironment: 'node',
	testMatch: ['<rootDir>/*.test.ts'],
	transform,
	testTimeout: 300_000,
};

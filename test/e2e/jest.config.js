const {
	projects: [{ transform }],
} = require('../../jest.config.js');

/** The end-to-end tests: `npm run e2e`. Files share an n8n or start one of their own; those of `queue`, several programs of one. */
module.exports = {
	testEnvironment: 'node',
	testMatch: ['<rootDir>/*.test.ts'],
	transform,
	testTimeout: 300_000,
};

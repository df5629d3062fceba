const { TestEnvironment } = require('jest-environment-node');
const fastCheck = require('fast-check');

/**
 * Has one copy of fast-check for all test files: it builds tables of all characters, which takes a second and 100 MB.
 * Its dates are of the same class as those of the tests.
 */
module.exports = class MutationEnvironment extends TestEnvironment {
	constructor(...parameters) {
		super(...parameters);
		this.global.sharedModules = new Map([[require.resolve('fast-check'), fastCheck]]);
		this.global.Date = Date;
	}
};

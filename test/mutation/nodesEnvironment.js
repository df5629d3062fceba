const { readdirSync } = require('node:fs');
const { join } = require('node:path');
// Stryker loads the environment itself, without jest's transformation.
require('tsx/cjs');
const { default: EngineEnvironment } = require('../jest/engineEnvironment.ts');

const packageFolder = join(__dirname, '../../dist');
let isLoaded = false;

/**
 * Loads the whole built package before the first test and without a change, so that changes of code that runs when a module is
 * loaded count as such. They would never take effect, because the package is not loaded again.
 */
function loadPackage() {
	if (isLoaded) return;
	isLoaded = true;
	const { __STRYKER_ACTIVE_MUTANT__: active } = process.env;
	delete process.env.__STRYKER_ACTIVE_MUTANT__;
	for (const file of readdirSync(packageFolder, { recursive: true })) {
		if (file.endsWith('.js')) require(join(packageFolder, file));
	}
	if (active !== undefined) process.env.__STRYKER_ACTIVE_MUTANT__ = active;
}

/** What Stryker shares with the changed code. It is another object in each run, but the built package keeps the first one. */
let shared = {};
const forwarded = new Proxy(
	{},
	{
		get: (_target, name) =>
			name === 'activeMutant' ? process.env.__STRYKER_ACTIVE_MUTANT__ : shared[name],
		set: (_target, name, value) => Reflect.set(shared, name, value),
	},
);
Object.defineProperty(globalThis, '__stryker__', {
	get: () => forwarded,
	set: (value) => {
		shared = value;
		loadPackage();
	},
});

module.exports = EngineEnvironment;

// Stryker loads the environment itself, without jest's transformation.
require('tsx/cjs');
const { default: EngineEnvironment } = require('../jest/engineEnvironment.ts');

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
	},
});

module.exports = EngineEnvironment;

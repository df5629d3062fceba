import vm from 'node:vm';

import type { JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** Stands for the worker's own context, which jest cannot name. */
const ownContext = vm.createContext({});

const { compileFunction } = vm;
vm.compileFunction = (code, parameters, options) => {
	if (options?.parsingContext !== ownContext) return compileFunction(code, parameters, options);
	// Without a way to import, which no test file needs: by it Node would keep all that a file has loaded.
	return compileFunction(code, parameters, { filename: options.filename });
};

const ownConsole = globalThis.console;
/** How jest knows what a file has asked for by `jest.setTimeout`. */
const timeLimit = Symbol.for('TEST_TIMEOUT_SYMBOL');
const ownProcess = { exit: process.exit, getBuiltinModule: process.getBuiltinModule };

/**
 * Runs test files in the worker's own context instead of one for each file. So what takes long to
 * load is loaded once a worker (see `sharedModules.ts`), and what it hands out is of the same
 * classes as in the tests. Mocks, clocks and time limits of a file end with the file.
 */
export default class WorkerEnvironment implements JestEnvironment {
	readonly global = globalThis as unknown as JestEnvironment['global'];

	readonly moduleMocker = new ModuleMocker(globalThis);

	readonly fakeTimers = null;

	readonly fakeTimersModern: ModernFakeTimers;

	constructor({ projectConfig }: JestEnvironmentConfig) {
		this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
	}

	/** Jest has put guards on what it takes for a copy. */
	async setup(): Promise<void> {
		Object.assign(process, ownProcess);
	}

	async teardown(): Promise<void> {
		this.moduleMocker.restoreAllMocks();
		this.fakeTimersModern.dispose();
		Reflect.deleteProperty(globalThis, timeLimit);
		globalThis.console = ownConsole;
	}

	exportConditions(): string[] {
		return ['node', 'node-addons'];
	}

	getVmContext(): vm.Context {
		return ownContext;
	}
}

import asyncHooks from 'node:async_hooks';
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

const { AsyncLocalStorage } = asyncHooks;
const ownConsole = globalThis.console;
const ownSymbols = new Set(Object.getOwnPropertySymbols(globalThis));
const ownProcess = { exit: process.exit, getBuiltinModule: process.getBuiltinModule };

/** Newer versions of Node.js give it by a getter alone. */
function replaceStorage(value: typeof AsyncLocalStorage): void {
	Object.defineProperty(asyncHooks, 'AsyncLocalStorage', { value, configurable: true });
}

/**
 * Runs test files in the worker's own context instead of one for each file. So what takes long to
 * load is loaded once a worker (see `sharedModules.ts`), and what it hands out is of the same
 * classes as in the tests. What belongs to a file ends with it.
 */
export default class WorkerEnvironment implements JestEnvironment {
	readonly global = globalThis as unknown as JestEnvironment['global'];

	readonly moduleMocker = new ModuleMocker(globalThis);

	readonly fakeTimers = null;

	readonly fakeTimersModern: ModernFakeTimers;

	/** Each would cost time at every step of what comes after it, and jest makes one for each file. */
	private readonly storages = new Set<asyncHooks.AsyncLocalStorage<unknown>>();

	constructor({ projectConfig }: JestEnvironmentConfig) {
		this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
	}

	/** Jest has put guards on what it takes for a copy. */
	async setup(): Promise<void> {
		Object.assign(process, ownProcess);
		const { storages } = this;
		replaceStorage(
			class<Store> extends AsyncLocalStorage<Store> {
				constructor() {
					super();
					storages.add(this);
				}
			},
		);
	}

	async teardown(): Promise<void> {
		this.moduleMocker.restoreAllMocks();
		this.fakeTimersModern.dispose();
		this.forgetFile();
		globalThis.console = ownConsole;
	}

	/** What jest keeps of a file in what it takes for a copy: its time limit, who listens to its events. */
	private forgetFile(): void {
		for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
			if (!ownSymbols.has(symbol)) Reflect.deleteProperty(globalThis, symbol);
		}
		for (const storage of this.storages) storage.disable();
		replaceStorage(AsyncLocalStorage);
	}

	exportConditions(): string[] {
		return ['node', 'node-addons'];
	}

	getVmContext(): vm.Context {
		return ownContext;
	}
}

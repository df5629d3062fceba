import asyncHooks from 'node:async_hooks';
import vm from 'node:vm';
import type { JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** Placeholder for the main context of the worker, because jest cannot refer to that context. */
const mainContext = vm.createContext({});

const { compileFunction } = vm;
vm.compileFunction = (code, parameters, options) => {
	if (options?.parsingContext !== mainContext) return compileFunction(code, parameters, options);
	// Omit the option for dynamic imports, which no test file needs: with it, Node.js keeps all modules of the file in memory.
	return compileFunction(code, parameters, { filename: options.filename });
};

const { AsyncLocalStorage } = asyncHooks;
const originalConsole = globalThis.console;
const originalSymbols = new Set(Object.getOwnPropertySymbols(globalThis));
const originalProcessFunctions = { exit: process.exit, getBuiltinModule: process.getBuiltinModule };

/** Redefines the property, because it is a getter in newer versions of Node.js. */
function replaceStorage(value: typeof AsyncLocalStorage): void {
	Object.defineProperty(asyncHooks, 'AsyncLocalStorage', { value, configurable: true });
}

/**
 * Runs all test files in the main context of the worker instead of one context per file. Slow modules are loaded once per
 * worker (see `sharedModules.ts`), and their objects have the same classes as in the tests. State of a test file is removed
 * when the file ends.
 */
export default class WorkerEnvironment implements JestEnvironment {
	readonly global = globalThis as unknown as JestEnvironment['global'];

	readonly moduleMocker = new ModuleMocker(globalThis);

	readonly fakeTimers = null;

	readonly fakeTimersModern: ModernFakeTimers;

	/** Storages that jest creates for the current file. They are disabled at its end, because each one slows down later files. */
	private readonly storages = new Set<asyncHooks.AsyncLocalStorage<unknown>>();

	constructor({ projectConfig }: JestEnvironmentConfig) {
		this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
	}

	/** Restores functions of `process` that jest has replaced, because jest expects a copy of `process`. */
	async setup(): Promise<void> {
		Object.assign(process, originalProcessFunctions);
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
		this.removeFileState();
		globalThis.console = originalConsole;
	}

	/** Removes data of the file that jest stores in the global object, such as its time limit and event listeners. */
	private removeFileState(): void {
		for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
			if (!originalSymbols.has(symbol)) Reflect.deleteProperty(globalThis, symbol);
		}
		for (const storage of this.storages) storage.disable();
		replaceStorage(AsyncLocalStorage);
	}

	exportConditions(): string[] {
		return ['node', 'node-addons'];
	}

	getVmContext(): vm.Context {
		return mainContext;
	}
}

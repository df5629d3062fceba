import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import vm from 'node:vm';
import JestRunner from 'jest-runner';

const { compileFunction } = vm;
// Omit the option for dynamic imports, which no test file needs: with it, Node.js keeps all modules of the file in memory.
vm.compileFunction = (code, parameters, options) =>
	compileFunction(code, parameters, { ...options, importModuleDynamically: undefined });

type Arguments = Parameters<JestRunner['runTests']>;

/**
 * Loads only the test files that have a test of the changed code. Stryker only skips tests by name, so jest would load every
 * file. Stops after the first file with a failed test.
 */
export default class CoveringTestsRunner extends JestRunner {
	private readonly titlesFile = join(this._globalConfig.rootDir, 'testTitles.json');
	private hasFailed = false;
	private readonly titles: Record<string, string[]> = {};

	override async runTests(tests: Arguments[0], watcher: Arguments[1], options: Arguments[2]) {
		this.on('test-file-success', ([test, result]) => {
			this.hasFailed ||= result.numFailingTests > 0 || result.testExecError !== undefined;
			this.titles[test.path] = result.testResults.map(({ fullName }) => fullName);
		});
		this.on('test-file-failure', () => {
			this.hasFailed = true;
		});
		const isTrial = process.env.__STRYKER_ACTIVE_MUTANT__ !== undefined;
		for (const test of isTrial ? this.coveringTests(tests) : tests) {
			await super.runTests([test], watcher, options);
			if (isTrial && this.hasFailed) return;
		}
		if (!isTrial) writeFileSync(this.titlesFile, JSON.stringify(this.titles));
	}

	private coveringTests(tests: Arguments[0]): Arguments[0] {
		const { testNamePattern } = this._globalConfig;
		if (testNamePattern === undefined || !existsSync(this.titlesFile)) return tests;
		const pattern = new RegExp(testNamePattern, 'i');
		const titles: Record<string, string[]> = JSON.parse(readFileSync(this.titlesFile, 'utf8'));
		return tests.filter(({ path }) => titles[path]?.some((title) => pattern.test(title)) ?? true);
	}
}

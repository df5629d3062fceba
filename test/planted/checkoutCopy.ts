import { spawn } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { parseJsonConfigFileContent, readConfigFile, sys, transpileModule } from 'typescript';

import type { Fault } from './faults';

const checkout = join(__dirname, '../..');
const leftBehind = new Set(['.git', 'coverage', 'dist', 'node_modules']);

/** What jest writes of one file of tests; one that could not be loaded has no tests. */
interface SuiteResult {
	name: string;
	status: string;
	message: string;
	assertionResults: Array<{ status: string }>;
}

/** A copy of the checkout to plant faults in: whatever happens, the checkout itself stays as it is. */
export class CheckoutCopy {
	private readonly folder = mkdtempSync(join(tmpdir(), 'sheet-records-planted-'));
	private readonly root = join(this.folder, 'checkout');
	private readonly resultsFile = join(this.folder, 'results.json');
	/** Jest's cache, too, is to go with the copy. */
	private readonly temporary = join(this.folder, 'temporary');

	/** Copies the checkout and builds it there, or throws. */
	async make(): Promise<void> {
		cpSync(checkout, this.root, {
			recursive: true,
			filter: (source) => !leftBehind.has(basename(source)),
		});
		symlinkSync(realpathSync(join(checkout, 'node_modules')), join(this.root, 'node_modules'));
		mkdirSync(this.temporary);
		const { exitCode, output } = await this.run('npm', ['run', 'build']);
		if (exitCode !== 0) throw new Error(`The copy cannot be built:\n${output}`);
	}

	/**
	 * Runs the tests of a fault's area with the fault in the source, which unit tests read, and in dist, which
	 * engine tests read.
	 *
	 * @returns the files of tests that caught it: some of their tests failed
	 * @throws when nothing of the kind can be said: jest or a file of tests could not be run
	 */
	async suitesThatCatch({ file, find, replace, area }: Fault): Promise<string[]> {
		const source = join(this.root, file);
		const built = join(this.root, 'dist', file.replace(/\.ts$/, '.js'));
		const kept = [source, built].map((path) => ({ path, text: readFileSync(path, 'utf8') }));
		const changed = readFileSync(source, 'utf8').replace(find, () => replace);
		writeFileSync(source, changed);
		writeFileSync(built, this.transpiled(changed));
		try {
			return await this.failingSuites(area);
		} finally {
			for (const { path, text } of kept) writeFileSync(path, text);
		}
	}

	remove(): void {
		rmSync(this.folder, { recursive: true, force: true });
	}

	private transpiled(source: string): string {
		const { config } = readConfigFile(join(this.root, 'tsconfig.json'), sys.readFile);
		const { options } = parseJsonConfigFileContent(config, sys, this.root);
		return transpileModule(source, { compilerOptions: options }).outputText;
	}

	private async failingSuites(area: readonly string[]): Promise<string[]> {
		rmSync(this.resultsFile, { force: true });
		const tsx = require.resolve('tsx/cli');
		const { output } = await this.run(process.execPath, [tsx, 'test/run.ts', ...area]);
		if (!existsSync(this.resultsFile)) throw new Error(`Jest did not run:\n${output}`);
		const { testResults }: { testResults: SuiteResult[] } = JSON.parse(
			readFileSync(this.resultsFile, 'utf8'),
		);
		const failing = testResults.filter(({ assertionResults }) =>
			assertionResults.some(({ status }) => status === 'failed'),
		);
		const broken = testResults.find(({ status }) => status === 'failed');
		if (failing.length === 0 && broken) throw new Error(`Not loaded: ${broken.message}`);
		if (testResults.length === 0) throw new Error('There are no tests in its area');
		return failing.map(({ name }) => relative(join(this.root, 'test'), name)).sort();
	}

	private async run(
		program: string,
		programArguments: readonly string[],
	): Promise<{ exitCode: number | null; output: string }> {
		const child = spawn(program, programArguments, {
			cwd: this.root,
			env: { ...process.env, TEST_RESULTS: this.resultsFile, TMPDIR: this.temporary },
		});
		let output = '';
		const keep = (chunk: unknown) => (output += String(chunk));
		child.stdout.on('data', keep);
		child.stderr.on('data', keep);
		return await new Promise((resolve, reject) => {
			child.on('error', reject).on('close', (exitCode) => resolve({ exitCode, output }));
		});
	}
}

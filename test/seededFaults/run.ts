import { execFile } from 'node:child_process';
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
import { print } from '../demo/display';
import { unplantable } from './check';
import { faults, type Fault } from './faults';

const checkout = join(__dirname, '../..');
const excludedFolders = new Set(['.git', 'coverage', 'node_modules']);

/** Jest's result for a test file. A file that could not be loaded has no assertion results. */
interface SuiteResult {
	name: string;
	status: string;
	message: string;
	assertionResults: Array<{ status: string }>;
}

const folder = mkdtempSync(join(tmpdir(), 'sheet-records-seeded-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** Copy of the checkout in which faults are seeded, so that the checkout itself is never changed. */
const copy = join(folder, 'checkout');
const results = join(folder, 'results.json');
/** Folder for jest's cache, which is removed together with the copy. */
const temporary = join(folder, 'temporary');

function makeCopy(): void {
	const filter = (source: string) => !excludedFolders.has(basename(source));
	cpSync(checkout, copy, { recursive: true, filter });
	symlinkSync(realpathSync(join(checkout, 'node_modules')), join(copy, 'node_modules'));
	mkdirSync(temporary);
}

/**
 * Runs the tests of a fault's area with the fault in the source (for unit tests) and in dist (for engine tests). Returns the
 * test files that caught the fault, because at least one of their tests failed.
 */
async function suitesThatCatch({ file, find, replace, area }: Fault): Promise<string[]> {
	const source = join(copy, file);
	const built = join(copy, 'dist', file.replace(/\.ts$/, '.js'));
	const originals = [source, built].map((path) => ({ path, text: readFileSync(path, 'utf8') }));
	const changed = readFileSync(source, 'utf8').replace(find, () => replace);
	writeFileSync(source, changed);
	writeFileSync(built, transpiled(changed));
	try {
		return await failingSuites(area);
	} finally {
		for (const { path, text } of originals) writeFileSync(path, text);
	}
}

function transpiled(source: string): string {
	const { config } = readConfigFile(join(copy, 'tsconfig.json'), sys.readFile);
	const { options } = parseJsonConfigFileContent(config, sys, copy);
	return transpileModule(source, { compilerOptions: options }).outputText;
}

async function failingSuites(area: readonly string[]): Promise<string[]> {
	rmSync(results, { force: true });
	const options = {
		cwd: copy,
		maxBuffer: Infinity,
		env: { ...process.env, TEST_RESULTS: results, TMPDIR: temporary },
	};
	const words = [require.resolve('tsx/cli'), 'test/run.ts', ...area];
	await new Promise((resolve) => execFile(process.execPath, words, options, resolve));
	if (!existsSync(results)) throw new Error('Jest did not run');
	const { testResults }: { testResults: SuiteResult[] } = JSON.parse(readFileSync(results, 'utf8'));
	const failing = testResults.filter(({ assertionResults }) =>
		assertionResults.some(({ status }) => status === 'failed'),
	);
	const broken = testResults.find(({ status }) => status === 'failed');
	if (failing.length === 0 && broken) throw new Error(`Not loaded: ${broken.message}`);
	return failing.map(({ name }) => relative(join(copy, 'test'), name)).sort();
}

/** Seeds each fault whose name or file contains one of the words. Returns the number of faults that were not caught. */
async function plantAll(words: readonly string[]): Promise<number> {
	const isChosen = ({ name, file }: Fault) =>
		words.length === 0 || words.some((word) => name.includes(word) || file.includes(word));
	const chosen = faults.filter(isChosen);
	makeCopy();
	let caught = 0;
	for (const fault of chosen) {
		const suites = await suitesThatCatch(fault);
		caught += suites.length > 0 ? 1 : 0;
		const verdict = suites.length > 0 ? `caught by ${suites.join(', ')}` : 'NOT CAUGHT';
		print(`${fault.file}: ${fault.name} ${verdict}`);
	}
	print(`${caught} of ${chosen.length} caught`);
	return chosen.length - caught;
}

/** Seeds the chosen faults. With `--check`, only checks that the faults can be seeded. */
async function run(words: readonly string[]): Promise<void> {
	const problems = unplantable();
	for (const problem of problems) print(problem);
	const isOnlyCheck = words.includes('--check');
	const notCaught = problems.length > 0 || isOnlyCheck ? 0 : await plantAll(words);
	process.exitCode = problems.length + notCaught > 0 ? 1 : 0;
}

void run(process.argv.slice(2));

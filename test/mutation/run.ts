import { execFileSync, spawnSync } from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { print } from '../demo/display';
import { timeLimit } from '../timeLimit';
import { ensureCertificates } from '../service/certificates';
import { printResults, resultsIn, scoreOf } from './report';
import { areas, type Area } from './areas';

const checkout = join(__dirname, '../..');
/** Folder of Stryker. It has its own lockfile, because most people who install the checkout never run Stryker. */
const home = join(checkout, '.ci/mutation');
const results = join(checkout, 'coverage/mutation');

/** Maximum number of runs of a random test, which is repeated for each change. */
const maxRandomRuns = 15;

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		/** Tries every change again, including changes whose code and tests are the same as in the previous run. */
		force: { type: 'boolean', default: false },
		/** Number of changes that are tried at a time. */
		concurrency: { type: 'string', default: '2' },
	},
});

function install(): void {
	const installed = join(home, 'node_modules/.package-lock.json');
	const lockfile = join(home, 'package-lock.json');
	if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lockfile).mtimeMs) return;
	execFileSync('npm', ['ci', '--loglevel=error'], { cwd: home, stdio: 'inherit' });
}

/**
 * Returns the files of an area to measure: all files if there are no arguments or if an argument is the name of the area.
 * Otherwise, returns the files whose path contains an argument that is not the name of an area.
 */
function chosenFiles({ name, sources, runsNodes }: Area): string[] {
	const files = sources.flatMap((source) =>
		source.endsWith('/')
			? readdirSync(join(checkout, source), { recursive: true, encoding: 'utf8' })
					.filter((file) => file.endsWith('.ts'))
					// n8n reads the description of a node once, so no change of it takes effect later.
					.filter((file) => !(runsNodes && file.endsWith('.node.ts')))
					.map((file) => `${source}${file}`)
			: [source],
	);
	if (positionals.length === 0 || positionals.includes(name)) return files;
	const words = positionals.filter((word) => !areas.some((area) => area.name === word));
	return files.filter((file) => words.some((word) => file.includes(word)));
}

function testPattern(test: string): string {
	return `<rootDir>/${test}${test.endsWith('/') ? '**/*.test.ts' : ''}`;
}

/** Returns the folders that jest searches: the folders of the tests and of the code that they import. */
function folders(tests: readonly string[]): string[] {
	const ofTests = tests.map((test) => test.slice(0, test.lastIndexOf('/')));
	return [...new Set([...ofTests, 'nodes'])].map((folder) => `<rootDir>/${folder}`);
}

/** The incremental file of the previous run. `static` is true if the changed code runs when its module is loaded. */
interface Earlier {
	files: Record<string, { mutants: Array<{ static?: boolean; status: string }> }>;
}

/** Removes unnoticed changes of constants from the file. Stryker would not try them again, even if tests are added. */
function dropUnnoticedConstants(incrementalFile: string): void {
	if (!existsSync(incrementalFile)) return;
	const earlier: Earlier = JSON.parse(readFileSync(incrementalFile, 'utf8'));
	for (const file of Object.values(earlier.files)) {
		file.mutants = file.mutants.filter((mutant) => !mutant.static || mutant.status !== 'Survived');
	}
	writeFileSync(incrementalFile, JSON.stringify(earlier));
}

/** Tries all changes of the files. Returns the path of the report. */
async function tryChanges(
	{ name, tests, runsNodes = false }: Area,
	files: readonly string[],
): Promise<string> {
	const report = join(results, `${name}.json`);
	const configuration = join(results, `${name}.config.json`);
	const incrementalFile = join(results, `${name}.incremental.json`);
	rmSync(report, { force: true });
	dropUnnoticedConstants(incrementalFile);
	mkdirSync(results, { recursive: true });
	writeFileSync(
		configuration,
		JSON.stringify({
			plugins: ['@stryker-mutator/jest-runner'],
			testRunner: 'jest',
			jest: {
				projectType: 'custom',
				configFile: `test/mutation/${runsNodes ? 'nodes.' : ''}jest.config.js`,
				config: { testMatch: tests.map(testPattern), roots: folders(tests) },
				// Jest does not know that tests that run nodes load the built package.
				enableFindRelatedTests: !runsNodes,
			},
			coverageAnalysis: 'perTest',
			mutate: files,
			incremental: true,
			incrementalFile,
			force: values.force,
			concurrency: Number(values.concurrency),
			// Stryker must not mistake a slow machine for an endless loop.
			timeoutMS: timeLimit(5),
			reporters: ['json', 'html', 'progress-append-only'],
			jsonReporter: { fileName: report },
			htmlReporter: { fileName: join(results, `${name}.html`) },
			tempDirName: 'coverage/mutation/sandbox',
			// The linter of n8n also reads the copies of the sources in it.
			cleanTempDir: 'always',
			ignorePatterns: ['/dist', '/coverage', '/.ci', '/.github'],
			// Unit tests load the sources, without a check of their types.
			...(runsNodes
				? { disableTypeChecks: 'nodes/**/*.ts', buildCommand: 'npm run --silent build' }
				: { disableTypeChecks: false }),
			ignoreStatic: runsNodes,
			// Each run of tests in a process leaves some memory behind.
			...(runsNodes && { maxTestRunnerReuse: 100 }),
			allowConsoleColors: false,
			logLevel: 'warn',
			warnings: { slow: false },
		}),
	);
	const stryker = join(home, 'node_modules/@stryker-mutator/core/bin/stryker.js');
	const { status } = spawnSync(process.execPath, [stryker, 'run', configuration], {
		cwd: checkout,
		stdio: 'inherit',
		env: {
			...process.env,
			MAX_RANDOM_RUNS: String(maxRandomRuns),
			NODE_EXTRA_CA_CERTS: (await ensureCertificates()).certificateAuthorityPath,
		},
	});
	if (status !== 0 || !existsSync(report)) throw new Error(`Stryker could not try ${name}`);
	return report;
}

/** Measures the areas. Returns the number of areas that miss their goal. */
async function measure(): Promise<number> {
	install();
	const summary: string[] = [];
	let failures = 0;
	for (const area of areas) {
		const files = chosenFiles(area);
		if (files.length === 0) continue;
		const begun = Date.now();
		print(`${area.name} …`);
		const fileResults = resultsIn(await tryChanges(area, files), files);
		printResults(fileResults);
		const score = scoreOf(fileResults);
		if (score < area.goal) failures += 1;
		const seconds = Math.round((Date.now() - begun) / 1000);
		const verdict = `${score.toFixed(1)} % of at least ${area.goal} %`;
		summary.push(`${area.name}: ${verdict}${score < area.goal ? ', TOO LOW' : ''} (${seconds} s)`);
		print();
	}
	for (const line of summary) print(line);
	return failures;
}

void measure().then((failures) => {
	process.exitCode = failures > 0 ? 1 : 0;
});

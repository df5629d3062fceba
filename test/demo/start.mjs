// `npm run demo`: installs dependencies, builds the package and runs the demo. Works in a fresh clone, so it only imports
// modules of Node.js. With `--editor`, it starts a real n8n instead, which runs until Ctrl-C.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

if (Number(process.versions.node.split('.')[0]) < 20) {
	fail(`Node 20 or newer is needed; this is ${process.version}.`);
}
if (packagesAreStale()) {
	step('Installing the packages, which takes a minute or two');
	npm('ci');
}
step('Building the node package');
npm('run', 'build');
if (process.argv.includes('--editor')) {
	process.exitCode = run('editor.ts');
} else {
	step('Starting the reference service and n8n’s engine');
	process.exitCode = run('demo.ts');
}

/** Whether node_modules is missing or older than the lockfile. */
function packagesAreStale() {
	const installed = `${root}node_modules/.package-lock.json`;
	if (!existsSync(installed)) return true;
	return statSync(installed).mtimeMs < statSync(`${root}package-lock.json`).mtimeMs;
}

/** Runs npm, and prints its output only if it fails. */
function npm(...words) {
	// Under `npm run`, npm_execpath is the path of npm's script. Use it, because npm is not an executable file on Windows.
	const script = process.env.npm_execpath;
	const { status, error, stdout, stderr } = script
		? spawnSync(process.execPath, [script, ...words], { cwd: root })
		: spawnSync('npm', words, { cwd: root, shell: true });
	if (status === 0) return;
	process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`);
	fail(`"npm ${words.join(' ')}" failed${error ? `: ${error.message}` : '.'}`);
}

function run(script) {
	const tsx = createRequire(import.meta.url).resolve('tsx/cli');
	// Ignore Ctrl-C here, because the script also receives it and ends itself. This process waits for its exit.
	process.on('SIGINT', () => {});
	const { status } = spawnSync(process.execPath, [tsx, `${root}test/demo/${script}`], {
		cwd: root,
		stdio: 'inherit',
	});
	return status ?? 1;
}

function step(text) {
	process.stdout.write(`· ${text} …\n`);
}

function fail(text) {
	process.stderr.write(`${text}\n`);
	process.exit(1);
}

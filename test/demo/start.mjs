// `npm run demo` on a bare clone: fetches the packages, builds, shows. Imports nothing but Node.
// With `--editor` it opens a real n8n instead, until Ctrl-C.
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

/** Whether node_modules is missing, or older than the list of what belongs in it. */
function packagesAreStale() {
	const installed = `${root}node_modules/.package-lock.json`;
	if (!existsSync(installed)) return true;
	return statSync(installed).mtimeMs < statSync(`${root}package-lock.json`).mtimeMs;
}

/** Runs npm, and shows what it said only if it failed. */
function npm(...words) {
	// npm names its own script when it runs us; so this works on Windows too, where npm is no program.
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
	// Ctrl-C goes to the script, too: it ends by itself, and this waits for it.
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

// What would be published is what n8n loads of the sources, with licence and readme, and nothing else; it is small, has
// no runtime dependency, and cannot be published from a developer's machine.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const maxFiles = 290;
const maxBytes = 283_000;

const output = (command, ...words) => execFileSync(command, words, { encoding: 'utf8' });
const [packed] = JSON.parse(output('npm', 'pack', '--dry-run', '--json', '--silent'));
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

// The build of n8n's own tool leaves the codex files (*.node.json) out: each source has to arrive.
const sources = output('git', 'ls-files', 'nodes', 'credentials', 'icons').trim().split('\n');
const compiled = sources
	.filter((path) => /\.(ts|json|svg)$/.test(path))
	.map((path) => `dist/${path.replace(/\.ts$/, '.js')}`);
const expected = new Set(['package.json', 'README.md', 'LICENSE', ...compiled]);
const files = new Set(packed.files.map(({ path }) => path));

const problems = [
	...[...files].filter((path) => !expected.has(path)).map((path) => `does not belong: ${path}`),
	...[...expected].filter((path) => !files.has(path)).map((path) => `is missing: ${path}`),
	...[...manifest.n8n.nodes, ...manifest.n8n.credentials]
		.filter((path) => !files.has(path))
		.map((path) => `is named in package.json but missing: ${path}`),
	...Object.keys(manifest.dependencies ?? {}).map((name) => `is a runtime dependency: ${name}`),
	...(files.size > maxFiles ? [`has more than ${maxFiles} files`] : []),
	...(packed.size > maxBytes ? [`has more than ${maxBytes} bytes`] : []),
	...(manifest.private ? [] : ['could be published from anywhere: "private" is not true']),
];
console.log(`${files.size} files, ${packed.size} bytes`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

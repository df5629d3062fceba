// What would be published holds dist, licence and readme, and nothing else; and names no runtime dependency.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const [{ files, size }] = JSON.parse(
	execFileSync('npm', ['pack', '--dry-run', '--json', '--silent'], { encoding: 'utf8' }),
);
const expected = /^(dist\/(nodes|credentials|icons)\/|package\.json$|README\.md$|LICENSE$)/;
const strangers = files.map(({ path }) => path).filter((path) => !expected.test(path));
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const missing = [...manifest.n8n.nodes, ...manifest.n8n.credentials].filter(
	(entry) => !files.some(({ path }) => path === entry),
);
const problems = [
	...strangers.map((path) => `does not belong into the package: ${path}`),
	...missing.map((path) => `is named in package.json but missing: ${path}`),
	...Object.keys(manifest.dependencies ?? {}).map((name) => `is a runtime dependency: ${name}`),
];
console.log(`${files.length} files, ${size} bytes`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

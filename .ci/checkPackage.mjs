// What would be published holds what n8n loads, licence and readme, is small, and names no runtime dependency.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const [{ files, size }] = JSON.parse(
	execFileSync('npm', ['pack', '--dry-run', '--json', '--silent'], { encoding: 'utf8' }),
);
const expected =
	/^(dist\/(nodes|credentials)\/.+\.(js|json)|dist\/icons\/.+\.svg|package\.json|README\.md|LICENSE)$/;
const mostFiles = 280;
const mostBytes = 200_000;
const strangers = files.map(({ path }) => path).filter((path) => !expected.test(path));
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const missing = [...manifest.n8n.nodes, ...manifest.n8n.credentials].filter(
	(entry) => !files.some(({ path }) => path === entry),
);
const problems = [
	...strangers.map((path) => `does not belong into the package: ${path}`),
	...missing.map((path) => `is named in package.json but missing: ${path}`),
	...Object.keys(manifest.dependencies ?? {}).map((name) => `is a runtime dependency: ${name}`),
	...(files.length > mostFiles ? [`has more than ${mostFiles} files`] : []),
	...(size > mostBytes ? [`has more than ${mostBytes} bytes`] : []),
];
console.log(`${files.length} files, ${size} bytes`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

// n8n's publishing gate over the sources and over what would be published; comments that turn rules off do not count there.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const gate = dirname(fileURLToPath(import.meta.url));
const checkout = join(gate, '../..');
const npm = (words, cwd) => execFileSync('npm', words, { cwd, encoding: 'utf8' });

npm(['ci', '--loglevel=error'], gate);
const { analyzePackage, SOURCE_FILE_PATTERNS } =
	await import('@n8n/scan-community-package/scanner/scanner.mjs');

const folder = mkdtempSync(join(tmpdir(), 'sheet-records-gate-'));
try {
	const [{ filename }] = JSON.parse(
		npm(['pack', '--json', '--silent', '--ignore-scripts', '--pack-destination', folder], checkout),
	);
	execFileSync('tar', ['-xzf', join(folder, filename), '-C', folder]);
	const verdicts = {
		sources: await analyzePackage(checkout, SOURCE_FILE_PATTERNS),
		tarball: await analyzePackage(join(folder, 'package'), ['**/*.js', 'package.json']),
	};
	for (const [what, { passed, message, details }] of Object.entries(verdicts)) {
		console.log(`${what}: ${passed ? 'passed' : `${message}\n${details ?? ''}`}`);
		if (!passed) process.exitCode = 1;
	}
} finally {
	rmSync(folder, { recursive: true, force: true });
}

// Publishes the package from the Publish workflow, and from nowhere else. `"private": true` in package.json stops every
// other `npm publish`, also where npm runs no scripts; it is removed here, in the workflow's own checkout, and the links of the
// README become full addresses.
// With --dry-run it publishes nothing: it shows what would be published, and what is still missing.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dryRun } from './releaseDryRun.mjs';

const { GITHUB_ACTIONS, GITHUB_REF_TYPE, GITHUB_REF_NAME } = process.env;
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

if (process.argv.includes('--dry-run')) {
	process.exit(dryRun({ skipScan: process.argv.includes('--skip-scan') }) ? 0 : 1);
}
if (!GITHUB_ACTIONS || GITHUB_REF_TYPE !== 'tag' || GITHUB_REF_NAME !== version) {
	console.error(
		`Releases are published by the Publish workflow for a tag that is the version (${version}): see .github/RELEASING.md. To see what would be published, run "npm run release -- --dry-run".`,
	);
	process.exit(1);
}
execFileSync('node', ['.ci/checkPackage.mjs'], { stdio: 'inherit' });
execFileSync('npm', ['pkg', 'delete', 'private'], { stdio: 'inherit' });
writeFileSync('README.md', execFileSync('node', ['.ci/readmeForNpm.mjs']));
execFileSync('npx', ['n8n-node', 'release'], { stdio: 'inherit' });

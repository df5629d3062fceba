// Publishes the package from the Publish workflow, and from nowhere else. `"private": true` in package.json stops every
// other `npm publish`, also where npm runs no scripts; it is taken out here, in the workflow's own checkout.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { GITHUB_ACTIONS, GITHUB_REF_TYPE, GITHUB_REF_NAME } = process.env;
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

if (!GITHUB_ACTIONS || GITHUB_REF_TYPE !== 'tag' || GITHUB_REF_NAME !== version) {
	console.error(
		`Releases are published by the Publish workflow for a tag that is the version (${version}): see Releasing in .github/CONTRIBUTING.md.`,
	);
	process.exit(1);
}
execFileSync('node', ['.ci/checkPackage.mjs'], { stdio: 'inherit' });
execFileSync('npm', ['pkg', 'delete', 'private'], { stdio: 'inherit' });
execFileSync('npx', ['n8n-node', 'release'], { stdio: 'inherit' });

// Shows what a release would publish, and what is still missing. Publishes and changes nothing.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const maxNetworkMilliseconds = 20_000;

/** Returns the output of a command, or undefined if it fails. */
function outputOf(command, words, options = {}) {
	const { status, stdout } = spawnSync(command, words, { encoding: 'utf8', ...options });
	return status === 0 ? stdout.trim() : undefined;
}

/** Runs a check that prints its own findings. Returns whether it passed. */
function passes(title, command, words) {
	console.log(`\n${title}`);
	const { status } = spawnSync(command, words, { stdio: 'inherit' });
	return status === 0;
}

/** Prints version, files, notes, checks and missing steps. Returns whether all checks passed. */
export function dryRun({ skipScan = false } = {}) {
	const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
	console.log(`Package: ${manifest.name}\nVersion: ${manifest.version}`);
	const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--silent'], {
		encoding: 'utf8',
	});
	const [{ files, size }] = JSON.parse(packed);
	console.log(`\nFiles (${files.length}, ${size} bytes packed)`);
	for (const { path, size: bytes } of files) console.log(`  ${path} (${bytes} bytes)`);

	const checks = [
		passes('Notes', 'node', ['.ci/releaseNotes.mjs', manifest.version]),
		passes('Package check', 'node', ['.ci/checkPackage.mjs']),
		skipScan || passes("Checks of n8n's scan", 'node', ['.ci/gate/scan.mjs']),
	];
	console.log('\nStill missing (.github/RELEASING.md says who does it)');
	for (const step of missingSteps(manifest)) console.log(`  - ${step}`);
	console.log('\nNothing was published.');
	return checks.every(Boolean);
}

/** Returns the steps before a release that this machine can see, and those that only the accounts' owners can. */
function missingSteps({ name, version, repository }) {
	const address = repository.url.replace(/^git\+/, '');
	const network = { timeout: maxNetworkMilliseconds };
	const isReachable =
		outputOf('git', ['ls-remote', '--heads', address], {
			...network,
			env: { ...process.env, GIT_TERMINAL_PROMPT: '0' },
		}) !== undefined;
	const published = outputOf(
		'npm',
		['view', name, 'versions', '--json', '--fetch-retries=0'],
		network,
	);
	const workflow = readFileSync('.github/workflows/publish.yml', 'utf8');
	const isNew = published === undefined;
	return [
		outputOf('git', ['status', '--porcelain']) === '' || 'Commit all changes.',
		outputOf('git', ['tag', '--list', version]) === version || `Push the tag ${version}.`,
		isReachable ||
			`Repository: ${address} cannot be read from here. Create it, make it public, and push.`,
		!published?.includes(`"${version}"`) || `Version: ${version} is already on npm. Raise it.`,
		!isNew ||
			`Token: npm shows no package ${name}. The first release needs the secret NPM_TOKEN on GitHub.`,
		isNew && 'Trusted publisher: can be set on npm after the first release only.',
		workflow.includes('id-token: write') ||
			'Provenance: the Publish workflow needs the permission "id-token: write".',
		'Provenance: made by the Publish workflow only; check it on npm after the release.',
	].filter((step) => typeof step === 'string');
}

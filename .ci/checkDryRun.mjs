// A dry run of the release, without a network, shows what would be published and lists what is still missing.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const { status, stdout, stderr } = spawnSync(
	process.execPath,
	['.ci/release.mjs', '--dry-run', '--skip-scan'],
	{
		encoding: 'utf8',
		env: {
			...process.env,
			npm_config_registry: 'http://127.0.0.1:9/',
			GIT_ALLOW_PROTOCOL: 'none',
		},
	},
);
const missingSteps = stdout.split('Still missing')[1] ?? '';

const expectations = {
	'ends without an error': status === 0,
	'shows the version': stdout.includes(`Version: ${version}\n`),
	'lists the files': /dist\/nodes\/SheetRecords\/SheetRecords\.node\.js \(\d+ bytes\)/.test(stdout),
	'shows the notes': stdout.includes('### Nodes'),
	'lists the repository as missing': missingSteps.includes('- Repository: '),
	'lists the token as missing': missingSteps.includes('- Token: '),
	'lists the trusted publisher as missing': missingSteps.includes('- Trusted publisher: '),
	'lists the provenance as missing': missingSteps.includes('- Provenance: '),
	'says that nothing was published': stdout.includes('Nothing was published.'),
};
const unmet = Object.keys(expectations).filter((expectation) => !expectations[expectation]);
for (const expectation of unmet) console.error(`The dry run no longer ${expectation}`);
if (unmet.length > 0) console.error(`${stdout}\n${stderr}`);
process.exitCode = unmet.length > 0 ? 1 : 0;

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resultsArguments } from './resultsArguments';
import { ensureCertificates } from './service/certificates';

const isCounting = process.argv.includes('--coverage');
const isWatching = process.argv.some((argument) => argument.startsWith('--watch'));

/** Engine tests run the built package: whoever watches wants it built anew. */
function compileChanges() {
	const compiler = require.resolve('typescript/bin/tsc');
	return spawn(process.execPath, [compiler, '--watch', '--preserveWatchOutput'], {
		stdio: ['ignore', 'ignore', 'inherit'],
	});
}

/** Environment of the tests that count what they run: engine tests load a package that counts. */
async function countingEnvironment(): Promise<NodeJS.ProcessEnv> {
	if (!isCounting) return {};
	// It loads much, so only when it is needed.
	const { makeCountingPackage } = await import('./jest/countingPackage');
	return { SHEET_RECORDS_PACKAGE: await makeCountingPackage() };
}

/**
 * Runs jest with what has to be in the environment before Node starts: the certificate authority of
 * the reference service, and how much memory a worker may take. Arguments go to jest.
 */
async function run(): Promise<number> {
	const { certificateAuthorityPath } = await ensureCertificates();
	const counting = await countingEnvironment();
	const compiler = isWatching ? compileChanges() : undefined;
	const folder = mkdtempSync(join(tmpdir(), 'sheet-records-test-'));
	try {
		const { status, error } = spawnSync(
			process.execPath,
			[require.resolve('jest/bin/jest'), ...process.argv.slice(2), ...resultsArguments()],
			{
				stdio: 'inherit',
				env: {
					...process.env,
					...counting,
					NODE_EXTRA_CA_CERTS: certificateAuthorityPath,
					NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --max-old-space-size=960`,
					SHEET_RECORDS_TEST_FOLDER: folder,
				},
			},
		);
		if (error) throw error;
		return status ?? 1;
	} finally {
		compiler?.kill();
		rmSync(folder, { recursive: true, force: true });
	}
}

void run().then((exitCode) => {
	process.exitCode = exitCode;
});

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resultsArguments } from './resultsArguments';
import { ensureCertificates } from './service/certificates';

const isCoverageRun = process.argv.includes('--coverage');
const isWatching = process.argv.some((argument) => argument.startsWith('--watch'));

/** Rebuilds the package after each change, because engine tests run the built package. */
function compileChanges() {
	const compiler = require.resolve('typescript/bin/tsc');
	return spawn(process.execPath, [compiler, '--watch', '--preserveWatchOutput'], {
		stdio: ['ignore', 'ignore', 'inherit'],
	});
}

/** Returns environment variables for a run with coverage: engine tests load an instrumented package. */
async function coverageEnvironment(): Promise<NodeJS.ProcessEnv> {
	if (!isCoverageRun) return {};
	// Import it only when needed, because it loads many modules.
	const { makeCountingPackage } = await import('./jest/countingPackage');
	return { SHEET_RECORDS_PACKAGE: await makeCountingPackage() };
}

/**
 * Runs jest with variables that Node.js reads only at its start: the certificate authority of the reference service and the
 * memory limit of a worker. Passes the command-line arguments to jest.
 */
async function run(): Promise<number> {
	const { certificateAuthorityPath } = await ensureCertificates();
	const coverageVariables = await coverageEnvironment();
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
					...coverageVariables,
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

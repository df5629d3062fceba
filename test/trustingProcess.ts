import { spawnSync } from 'node:child_process';
import { ensureCertificates } from './service/certificates';

/**
 * Runs the work in a process that trusts the certificates of the reference service, and returns its exit code. Node.js reads
 * trusted certificates only at its start, so the program is started again if necessary.
 */
export async function inTrustingProcess(
	program: string,
	work: () => Promise<number>,
): Promise<number> {
	const { certificateAuthorityPath } = await ensureCertificates();
	if (process.env.NODE_EXTRA_CA_CERTS === certificateAuthorityPath) return await work();
	const { status, signal } = spawnSync(
		process.execPath,
		[...process.execArgv, program, ...process.argv.slice(2)],
		{
			stdio: 'inherit',
			env: { ...process.env, NODE_EXTRA_CA_CERTS: certificateAuthorityPath },
		},
	);
	if (signal) process.stderr.write(`The process was ended by ${signal}\n`);
	return status ?? 1;
}

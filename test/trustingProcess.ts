import { spawnSync } from 'node:child_process';

import { ensureCertificates } from './service/certificates';

/**
 * Does work in a process that trusts the reference service: Node reads whom it trusts only when it
 * starts, so a program that was started without starts itself again.
 *
 * @param program the file of the program
 * @param work what it does, and answers as its exit code
 * @returns the exit code; 1 when the process was ended from outside
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

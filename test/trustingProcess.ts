import { spawnSync } from 'node:child_process';
import { ensureCertificates } from './service/certificates';

/** Answers what the work does. Node reads whom it trusts when it starts, so a program may start itself again. */
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

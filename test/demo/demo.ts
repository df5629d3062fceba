import { spawnSync } from 'node:child_process';

import { ensureCertificates } from '../service/certificates';

/**
 * Runs the demonstration in a process that trusts the reference service: Node reads whom it trusts
 * only when it starts.
 */
async function demonstrate(): Promise<number> {
	const { certificateAuthorityPath } = await ensureCertificates();
	if (process.env.NODE_EXTRA_CA_CERTS === certificateAuthorityPath) {
		const { printNextSteps, showRecords } = await import('./showRecords');
		const { showAround } = await import('./showAround');
		const { showDocuments } = await import('./showDocuments');
		const { showMassLock } = await import('./showMassLock');
		const { showTrigger } = await import('./showTrigger');
		const exitCode =
			(await showRecords()) ||
			(await showAround()) ||
			(await showMassLock()) ||
			(await showDocuments()) ||
			(await showTrigger());
		if (exitCode === 0) printNextSteps();
		return exitCode;
	}
	const { status } = spawnSync(process.execPath, [...process.execArgv, __filename], {
		stdio: 'inherit',
		env: { ...process.env, NODE_EXTRA_CA_CERTS: certificateAuthorityPath },
	});
	return status ?? 1;
}

void demonstrate().then((exitCode) => {
	process.exitCode = exitCode;
});

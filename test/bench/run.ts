import { spawnSync } from 'node:child_process';

import { ensureCertificates } from '../service/certificates';

/**
 * Measures the built nodes in a process that trusts the reference service: Node reads whom it trusts
 * only when it starts. Fails when a node costs more requests or memory than it promises.
 */
async function measure(): Promise<number> {
	const { certificateAuthorityPath } = await ensureCertificates();
	if (process.env.NODE_EXTRA_CA_CERTS === certificateAuthorityPath) {
		const { measureMassOperation } = await import('./massOperation');
		const { measureFiles, measureList } = await import('./files');
		const exitCodes = [await measureMassOperation(), await measureFiles(), await measureList()];
		return Math.max(...exitCodes);
	}
	const { status } = spawnSync(process.execPath, [...process.execArgv, __filename], {
		stdio: 'inherit',
		env: { ...process.env, NODE_EXTRA_CA_CERTS: certificateAuthorityPath },
	});
	return status ?? 1;
}

void measure().then((exitCode) => {
	process.exitCode = exitCode;
});

import { inTrustingProcess } from '../trustingProcess';

async function demonstrate(): Promise<number> {
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

void inTrustingProcess(__filename, demonstrate).then((exitCode) => {
	process.exitCode = exitCode;
});

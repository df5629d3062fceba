import type { RunResult } from '../engine/runner';
import { startReferenceService, type ReferenceService } from '../service';
import { reportClaims } from './claim';
import { claims } from './claims';
import { emphasised, print, printTable } from './display';
import type { Observation } from './observation';
import { hasSucceeded, observedRun, printSteps } from './observedRun';

const workflowPath = 'test/workflows/records.json';

/** Runs the workflow against the reference service, shows it, and checks it. Answers the exit code. */
export async function showRecords(): Promise<number> {
	const service = await startReferenceService();
	try {
		const { observation, result } = await observedRun(workflowPath, service);
		return report(observation, result, service);
	} finally {
		await service.close();
	}
}

function report(observation: Observation, result: RunResult, service: ReferenceService): number {
	print();
	print(emphasised(`${workflowPath}, in n8n's engine, against ${service.baseUrl}`));
	print();
	printSteps(observation);
	print('The nodes keep to five requests a second; that is where the seconds go.');
	print();
	if (!hasSucceeded(result)) return 1;
	printOrders(observation);
	print();
	if (reportClaims(claims(observation, result, service)) > 0) return 1;
	print('What the nodes said and did was checked against what the service holds.');
	return 0;
}

function printOrders(observation: Observation) {
	print(`Demo orders at the service: ${observation.counts()}.`);
	print('Before they were deleted they were:');
	print();
	printTable(
		['Record', 'Reference', 'Customer', 'Date', 'Status', 'Total', 'Remark'],
		observation
			.after('List Again')
			.map(({ id, reference, customerName, orderDate, status, total, remark }) => [
				String(id),
				reference,
				customerName,
				orderDate,
				status,
				total,
				remark,
			]),
	);
}

/** What somebody who has seen all this may want. */
export function printNextSteps() {
	print();
	print(emphasised('What to try next'));
	print();
	print('  npm run service      start the service alone: it prints its address, its keys and');
	print('                       a certificate to trust, for curl or for an n8n of your own');
	print(`  in n8n               install this package, import ${workflowPath}, and`);
	print('                       choose a credential for the service in its Sheet Records nodes');
	print('  npm test             everything else that the nodes promise');
}

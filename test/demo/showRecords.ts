import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonParse } from 'n8n-workflow';

import { CredentialStore, runWorkflow, type RunResult, type WorkflowJson } from '../engine/runner';
import { startReferenceService, type ReferenceService } from '../service';
import { claims, printClaims } from './claims';
import { emphasised, print, printTable, refused } from './display';
import { Observation } from './observation';

const workflowPath = 'test/workflows/records.json';

/** Runs the workflow against the reference service, shows it, and checks it. Answers the exit code. */
export async function showRecords(): Promise<number> {
	const service = await startReferenceService();
	try {
		const workflow = jsonParse<WorkflowJson>(
			readFileSync(join(__dirname, '../..', workflowPath), 'utf8'),
		);
		const observation = new Observation(service, workflow);
		const result = await runWorkflow(workflow, {
			credentialStore: credentialsFor(service),
			onNodeStart: () => observation.nodeStarts(),
			onNodeEnd: (name, task) => observation.nodeEnds(name, task),
		});
		return report(observation, result, service);
	} finally {
		await service.close();
	}
}

/** The credential that the workflows of the demonstration name. */
export function credentialsFor({
	baseUrl,
	account,
	identities,
}: ReferenceService): CredentialStore {
	const store = new CredentialStore();
	const { apiKey } = identities.admin;
	store.add('sheetRecordsApi', { baseUrl, account, apiKey }, 'Sheet Records demo');
	return store;
}

function report(observation: Observation, result: RunResult, service: ReferenceService): number {
	print();
	print(emphasised(`${workflowPath}, in n8n's engine, against ${service.baseUrl}`));
	print();
	printSteps(observation);
	print('The nodes keep to five requests a second; that is where the seconds go.');
	print();
	if (result.error) {
		print(refused(`The workflow ended with status ${result.status}: ${result.error.message}`));
		if (result.error.description) print(result.error.description);
		return 1;
	}
	printOrders(observation);
	print();
	const failures = printClaims(claims(observation, result, service));
	print();
	if (failures > 0) {
		print(refused(`${failures} of these statements do not hold.`));
		return 1;
	}
	print('What the nodes said and did was checked against what the service holds.');
	return 0;
}

/** Prints a run, node by node. */
export function printSteps({ steps }: Observation) {
	printTable(
		['Step', 'Node', 'Operation', 'In', 'Out', 'Requests', 'Time'],
		steps.map((step, index) => [
			String(index + 1),
			step.node,
			step.operation,
			String(step.itemsIn),
			String(step.itemsOut),
			String(step.requests),
			`${step.milliseconds} ms`,
		]),
	);
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

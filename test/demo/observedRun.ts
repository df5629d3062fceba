import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonParse } from 'n8n-workflow';

import {
	CredentialStore,
	runWorkflow,
	type RunResult,
	type WorkflowJson,
	type WorkflowOptions,
} from '../engine/runner';
import { startReferenceService, type ReferenceService } from '../service';
import { claimOfRequests, claimOfSecrets, reportClaims, type Claim } from './claim';
import { emphasised, print, printTable, refused } from './display';
import { Observation } from './observation';

/** Reads a workflow by its path from the checkout's root. */
export function readWorkflow(path: string): WorkflowJson {
	return jsonParse<WorkflowJson>(readFileSync(join(__dirname, '../..', path), 'utf8'));
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

/** What is looked at while a workflow runs, and what is said of the run when it has ended well. */
interface Watching extends Pick<WorkflowOptions, 'onNodeEnd' | 'onMessage'> {
	/** Behind the name of the workflow. */
	title: string;
	claims: (run: { observation: Observation; result: RunResult }) => Claim[] | Promise<Claim[]>;
}

/**
 * Runs a workflow in n8n's engine against a service of its own, shows it step by step, and checks what is said of it.
 * Answers the exit code.
 */
export async function show(
	path: string,
	watch: (service: ReferenceService) => Watching,
): Promise<number> {
	const service = await startReferenceService();
	try {
		const { title, claims, onNodeEnd, onMessage } = watch(service);
		print();
		print(emphasised(`${path}, ${title}`));
		print();
		const workflow = readWorkflow(path);
		const observation = new Observation(service, workflow);
		const result = await runWorkflow(workflow, {
			credentialStore: credentialsFor(service),
			onNodeStart: () => observation.nodeStarts(),
			onNodeEnd: (name, task) => {
				observation.nodeEnds(name, task);
				onNodeEnd?.(name, task);
			},
			onMessage,
		});
		if (onMessage) print();
		printSteps(observation);
		print();
		if (!hasSucceeded(result)) return 1;
		return reportClaims([
			...(await claims({ observation, result })),
			claimOfRequests(service),
			claimOfSecrets(result.recorded, service),
		]);
	} finally {
		await service.close();
	}
}

/** Prints a run, node by node. */
function printSteps({ steps }: Observation): void {
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

/** Whether a run came to its end; says why when it did not. */
function hasSucceeded({ error, status }: RunResult): boolean {
	if (!error) return true;
	print(refused(`The workflow ended with status ${status}: ${error.message}`));
	if (error.description) print(error.description);
	return false;
}

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
import type { ReferenceService } from '../service';
import { print, printTable, refused } from './display';
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

/** Runs a workflow of the demonstration in n8n's engine, and watches it. */
export async function observedRun(
	path: string,
	service: ReferenceService,
	{ onNodeEnd, ...more }: Pick<WorkflowOptions, 'onNodeEnd' | 'onMessage'> = {},
): Promise<{ observation: Observation; result: RunResult }> {
	const workflow = readWorkflow(path);
	const observation = new Observation(service, workflow);
	const result = await runWorkflow(workflow, {
		credentialStore: credentialsFor(service),
		onNodeStart: () => observation.nodeStarts(),
		onNodeEnd: (name, task) => {
			observation.nodeEnds(name, task);
			onNodeEnd?.(name, task);
		},
		...more,
	});
	return { observation, result };
}

/** Prints a run, node by node. */
export function printSteps({ steps }: Observation): void {
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
export function hasSucceeded({ error, status }: RunResult): boolean {
	if (!error) return true;
	print(refused(`The workflow ended with status ${status}: ${error.message}`));
	if (error.description) print(error.description);
	return false;
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonParse, type INode } from 'n8n-workflow';
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

export function readWorkflow(path: string): WorkflowJson {
	return jsonParse<WorkflowJson>(readFileSync(join(__dirname, '../..', path), 'utf8'));
}

/** Returns a store with the credential that the demo workflows use. */
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

/** Listener for messages during a run, and claims about its result if it succeeds. */
export interface Watching extends Pick<WorkflowOptions, 'onMessage'> {
	claims: (result: RunResult) => Claim[] | Promise<Claim[]>;
}

/** Runs a workflow against its own service, prints each step and checks the claims. Returns the exit code. */
export async function show(
	path: string,
	title: string,
	watch: (service: ReferenceService) => Watching,
): Promise<number> {
	const service = await startReferenceService();
	try {
		const { claims, onMessage } = watch(service);
		print();
		print(emphasised(`${path}, ${title}`));
		print();
		const workflow = readWorkflow(path);
		const steps: string[][] = [];
		const itemsOut = new Map<string, number>();
		let requestsBefore = 0;
		const result = await runWorkflow(workflow, {
			credentialStore: credentialsFor(service),
			onNodeStart: () => (requestsBefore = service.requests.count),
			onNodeEnd: (name, { data, source, executionTime }) => {
				const count = (data?.main ?? []).flatMap((items) => items ?? []).length;
				itemsOut.set(name, count);
				steps.push([
					...[String(steps.length + 1), name],
					operationOf(workflow.nodes.find((node) => node.name === name)),
					String(itemsOut.get(source[0]?.previousNode ?? '') ?? 0),
					...[String(count), String(service.requests.count - requestsBefore)],
					`${executionTime} ms`,
				]);
			},
			onMessage,
		});
		if (onMessage) print();
		printTable(['Step', 'Node', 'Operation', 'In', 'Out', 'Requests', 'Time'], steps);
		print();
		if (result.error) {
			print(refused(`The workflow ended with status ${result.status}: ${result.error.message}`));
			if (result.error.description) print(result.error.description);
			return 1;
		}
		return reportClaims([
			...(await claims(result)),
			claimOfRequests(service),
			claimOfSecrets(result.recorded, service),
		]);
	} finally {
		await service.close();
	}
}

function operationOf(node: INode | undefined): string {
	const { operation, resource } = node?.parameters ?? {};
	return operation ? `${String(resource)}: ${String(operation)}` : '(n8n)';
}

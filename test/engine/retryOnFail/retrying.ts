import { NodeConnectionTypes, type INodeParameters } from 'n8n-workflow';
import type { Fault } from '../../service';
import type { RecordTestbed } from '../recordTestbed';
import {
	CredentialStore,
	packageTypes,
	runWorkflow,
	type InputItem,
	type RunResult,
	type WorkflowJson,
} from '../runner';
import { startItems } from '../runner/runNode';

export const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** Error response to one request. The next attempt succeeds. */
export const refusal: Fault = {
	kind: 'body',
	body: '{"status":"INVALID","code":202,"msg":"Not now"}',
};

/** Runs the node twice in one execution, with the same items. */
export async function twoRuns(
	testbed: RecordTestbed,
	parameters: INodeParameters,
	items: InputItem[],
): Promise<RunResult> {
	const credentialStore = new CredentialStore();
	const { sheetRecordsApi } = testbed.credentials();
	const credential = credentialStore.add('sheetRecordsApi', sheetRecordsApi);
	const connectionTo = (...names: string[]) => ({
		main: [names.map((node) => ({ node, type: NodeConnectionTypes.Main, index: 0 }))],
	});
	const node = (name: string, type: string) => ({
		...{ id: name, name, type, typeVersion: 1, parameters: {} },
		position: [0, 0] satisfies [number, number],
	});
	const json: WorkflowJson = {
		name: 'Two runs of one node',
		nodes: [
			node('Start', 'runner.startItems'),
			node('One', 'n8n-nodes-base.noOp'),
			node('Other', 'n8n-nodes-base.noOp'),
			{
				...node('Records', 'n8n-nodes-sheet-records.sheetRecords'),
				...retrying,
				parameters: { resource: 'record', ...parameters },
				credentials: { sheetRecordsApi: credential },
			},
		],
		connections: {
			Start: connectionTo('One', 'Other'),
			One: connectionTo('Records'),
			Other: connectionTo('Records'),
		},
	};
	const types = (await packageTypes()).with({ nodes: { 'runner.startItems': startItems(items) } });
	const result = await runWorkflow(json, {
		types,
		credentialStore,
		startNode: 'Start',
		resultNode: 'Records',
	});
	testbed.expectNoSecrets(result);
	return result;
}

import {
	NodeConnectionTypes,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeType,
} from 'n8n-workflow';
import { startingWith } from './builtIn';
import { CredentialStore } from './credentialStore';
import { nodeUnderTest, type NodeOptions } from './nodeUnderTest';
import { packageTypes } from './typeLibrary';
import type { RunResult } from './runResult';
import { runWorkflow, type WorkflowOptions } from './runWorkflow';

/** Input item of a node: the `json` of an item, or an item with files. */
export type InputItem = IDataObject | INodeExecutionData;

/** Returns a node whose output is these items. */
export function startItems(items: InputItem[]): INodeType {
	return startingWith(items.map((item) => (isWholeItem(item) ? item : { json: item })));
}

/** Returns whether this is an item of n8n, with data or only with files: n8n does not check the items of a node. */
function isWholeItem(item: InputItem): item is INodeExecutionData {
	const hasData = typeof item.json === 'object' && item.json !== null;
	return hasData || ('binary' in item && !('json' in item));
}

type NodeSettings = Pick<
	INode,
	'onError' | 'retryOnFail' | 'maxTries' | 'waitBetweenTries' | 'executeOnce'
>;

export interface RunNodeOptions
	extends NodeOptions, NodeSettings, Omit<WorkflowOptions, 'startNode' | 'resultNode'> {
	/** Default: one empty item. */
	items?: InputItem[];
	/** `combined` stores files in `json`. Default: in `binary`. */
	binaryMode?: 'separate' | 'combined';
}

export async function runNode(options: RunNodeOptions): Promise<RunResult> {
	const { items = [{}], credentialStore = new CredentialStore(), binaryMode } = options;
	const types = (options.types ?? (await packageTypes())).with({
		nodes: { 'runner.startItems': startItems(items) },
	});
	const { onError, retryOnFail, maxTries, waitBetweenTries, executeOnce } = options;
	const node: INode = {
		...nodeUnderTest(options, types, credentialStore),
		...{ onError, retryOnFail, maxTries, waitBetweenTries, executeOnce },
	};
	const start: INode = {
		id: 'start',
		name: 'Start',
		type: 'runner.startItems',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const toNode = [{ node: node.name, type: NodeConnectionTypes.Main, index: 0 }];
	return await runWorkflow(
		{
			name: 'One node',
			nodes: [start, node],
			connections: { [start.name]: { main: [toNode] } },
			settings: binaryMode && { binaryMode },
		},
		{ ...options, types, credentialStore, startNode: start.name, resultNode: node.name },
	);
}

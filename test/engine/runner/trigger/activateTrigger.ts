import { randomUUID } from 'node:crypto';
import type { INode, INodeParameters } from 'n8n-workflow';

import { prepareBinaryStore } from '../binary';
import { CredentialStore } from '../credentialStore';
import { nodeUnderTest, type CredentialsByType } from '../nodeUnderTest';
import { packageTypes } from '../packageTypes';
import { storedWorkflow, type WorkflowJson } from '../storedWorkflow';
import { ActiveWorkflow } from './activeWorkflow';
import { TriggerListener } from './triggerListener';

export interface ActivateTriggerOptions {
	/** Of the trigger, which is then the whole workflow. */
	parameters?: INodeParameters;
	/** A workflow with a trigger of ours in place of `parameters`. */
	workflow?: WorkflowJson;
	credentials?: CredentialsByType;
	credentialStore?: CredentialStore;
	/** Where n8n's operator lets larger bodies in. */
	bodyLimit?: number;
}

const triggerName = 'sheetRecordsTrigger';

/** Makes a workflow with our trigger active in n8n: its webhook is registered and heard. */
export async function activateTrigger({
	parameters = {},
	workflow,
	credentials,
	credentialStore: store = new CredentialStore(),
	bodyLimit,
}: ActivateTriggerOptions): Promise<TriggerListener> {
	const types = await packageTypes();
	await prepareBinaryStore();
	const node = nodeUnderTest({ node: triggerName, parameters, credentials }, types, store);
	const json = workflow ?? { name: 'One trigger', nodes: [node], connections: {} };
	// What the trigger's process keeps for a workflow outlives a file of tests.
	const stored = { ...storedWorkflow(json, store), id: randomUUID() };
	const nodes = stored.nodes.map((part) => (part.type === node.type ? withWebhookId(part) : part));
	const trigger = nodes.find(({ type }) => type === node.type);
	if (!trigger) throw new Error('The workflow has no trigger of ours');

	const listener = new TriggerListener(bodyLimit);
	try {
		await listener.start(
			(baseUrl) => new ActiveWorkflow({ ...stored, nodes }, trigger, types, store, baseUrl),
		);
		await listener.activate();
		return listener;
	} catch (error) {
		await listener.close();
		throw error;
	}
}

/** n8n gives each node with a webhook an id for its address. */
function withWebhookId(node: INode): INode {
	return { ...node, webhookId: node.webhookId ?? 'b7f2a8e4-6f0e-4a4e-9d0c-1d3f5a7b9c2e' };
}

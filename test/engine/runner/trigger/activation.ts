import { randomUUID } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';
import { prepareBinaryStore } from '../binary';
import { CredentialStore } from '../credentialStore';
import { nodeUnderTest, type CredentialsByType } from '../nodeUnderTest';
import { packageTypes } from '../typeLibrary';
import { storedWorkflow, type WorkflowJson } from '../storedWorkflow';
import { ActiveWorkflow } from './activeWorkflow';
import { Poller, type PollingHost } from './poller';
import { TriggerListener } from './triggerListener';

interface TriggerOptions {
	/** Parameters of the trigger, which is the only node of the workflow. */
	parameters?: INodeParameters;
	credentials?: CredentialsByType;
	credentialStore?: CredentialStore;
	/** ID of a workflow that has several triggers. Default: a new ID. */
	workflowId?: string;
	/** Name of the trigger. Default: the name that n8n gives the first one. */
	name?: string;
}

export interface ActivateTriggerOptions extends TriggerOptions {
	/** Workflow with a trigger of this package, used instead of `parameters`. */
	workflow?: WorkflowJson;
	/** Maximum size of a request body in bytes, if n8n is configured with another limit. */
	bodyLimit?: number;
	/** Is called with the webhook address before the activation. */
	onAddress?: (url: string) => void;
}

export type PollingOptions = TriggerOptions & Partial<PollingHost>;

/** Activates a workflow with the trigger: its webhook is registered, and a server receives its requests. */
export async function activateTrigger({
	bodyLimit,
	onAddress,
	...options
}: ActivateTriggerOptions): Promise<TriggerListener> {
	const active = await workflowOf('sheetRecordsTrigger', options);
	const listener = new TriggerListener(active, bodyLimit, onAddress);
	try {
		await listener.start();
		return listener;
	} catch (error) {
		await listener.close();
		throw error;
	}
}

/** Activates a workflow with the polling trigger, without its first poll. */
export async function activatePolling({
	isDurable = true,
	budgetMilliseconds,
	...options
}: PollingOptions): Promise<Poller> {
	const active = await workflowOf('sheetRecordsPollingTrigger', options);
	return new Poller(active, { isDurable, budgetMilliseconds });
}

async function workflowOf(
	triggerName: string,
	{
		parameters = {},
		workflow,
		credentials,
		credentialStore: store = new CredentialStore(),
		// A new ID by default, because the state that the trigger keeps in the process outlives a test file.
		workflowId = randomUUID(),
		name,
	}: Omit<ActivateTriggerOptions, 'bodyLimit' | 'onAddress'>,
): Promise<ActiveWorkflow> {
	const types = await packageTypes();
	await prepareBinaryStore();
	const usual = nodeUnderTest({ node: triggerName, parameters, credentials }, types, store);
	const node = { ...usual, name: name ?? usual.name };
	const json = workflow ?? { name: 'One trigger', nodes: [node], connections: {} };
	const stored = { ...storedWorkflow(json, store), id: workflowId };
	const trigger = stored.nodes.find(({ type }) => type === node.type);
	if (!trigger) throw new Error('The workflow has no trigger of ours');
	// n8n gives each node with a webhook an ID for its address.
	trigger.webhookId ??= 'b7f2a8e4-6f0e-4a4e-9d0c-1d3f5a7b9c2e';
	return new ActiveWorkflow(stored, trigger, types, store);
}

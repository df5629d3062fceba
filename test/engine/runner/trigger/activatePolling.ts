import { randomUUID } from 'node:crypto';
import type { INodeParameters } from 'n8n-workflow';

import { prepareBinaryStore } from '../binary';
import { CredentialStore } from '../credentialStore';
import { nodeUnderTest, type CredentialsByType } from '../nodeUnderTest';
import { packageTypes } from '../packageTypes';
import { storedWorkflow } from '../storedWorkflow';
import { ActiveWorkflow } from './activeWorkflow';
import { Poller, type PollingHost } from './poller';

export interface PollingOptions extends Partial<PollingHost> {
	/** Of the trigger, which is the whole workflow. */
	parameters?: INodeParameters;
	credentials?: CredentialsByType;
	credentialStore?: CredentialStore;
}

/** Makes a workflow with our polling trigger active in n8n, before its first poll. */
export async function activatePolling({
	parameters = {},
	credentials,
	credentialStore: store = new CredentialStore(),
	isDurable = true,
	budgetMilliseconds,
}: PollingOptions): Promise<Poller> {
	const types = await packageTypes();
	await prepareBinaryStore();
	const node = nodeUnderTest(
		{ node: 'sheetRecordsPollingTrigger', parameters, credentials },
		types,
		store,
	);
	const json = { name: 'One polling trigger', nodes: [node], connections: {} };
	const stored = { ...storedWorkflow(json, store), id: randomUUID() };
	const trigger = stored.nodes.find(({ type }) => type === node.type);
	if (!trigger) throw new Error('The workflow has no trigger of ours');
	const active = new ActiveWorkflow(stored, trigger, types, store, 'http://n8n.invalid/');
	return new Poller(active, { isDurable, budgetMilliseconds });
}

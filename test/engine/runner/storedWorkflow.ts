import type { IConnections, INode, IWorkflowBase, IWorkflowSettings } from 'n8n-workflow';
import type { CredentialStore } from './credentialStore';

export interface WorkflowJson {
	name?: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
}

/** Returns the workflow as stored in n8n's database, with references to stored credentials. */
export function storedWorkflow(
	json: WorkflowJson,
	store: CredentialStore,
	timezone?: string,
): IWorkflowBase {
	const now = new Date();
	return {
		id: 'workflow',
		name: json.name ?? 'Workflow',
		active: false,
		isArchived: false,
		activeVersionId: null,
		createdAt: now,
		updatedAt: now,
		nodes: json.nodes.map((node) => ({
			...node,
			credentials:
				node.credentials &&
				Object.fromEntries(
					Object.entries(node.credentials).map(([type, reference]) => [
						type,
						store.resolve(type, reference),
					]),
				),
		})),
		connections: json.connections,
		settings: { executionOrder: 'v1', ...json.settings, ...(timezone && { timezone }) },
	};
}

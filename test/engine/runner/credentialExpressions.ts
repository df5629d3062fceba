import {
	Workflow,
	type CredentialInformation,
	type ICredentialDataDecryptedObject,
	type ICredentialsExpressionResolveValues,
	type IExecuteData,
	type INode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import type { TypeLibrary } from './typeLibrary';

/** Resolves the values of a credential that are expressions, with the items of a run if there are. */
export function resolveCredentialExpressions(
	credentials: ICredentialDataDecryptedObject,
	types: TypeLibrary,
	mode: WorkflowExecuteMode,
	executeData?: IExecuteData,
	values?: ICredentialsExpressionResolveValues,
): ICredentialDataDecryptedObject {
	const resolved = { ...credentials };
	for (const [name, value] of Object.entries(credentials)) {
		if (typeof value !== 'string' || !value.startsWith('=')) continue;
		const result = values
			? values.workflow.expression.getParameterValue(
					value,
					values.runExecutionData,
					values.runIndex,
					values.itemIndex,
					values.node.name,
					values.connectionInputData,
					mode,
					{},
					executeData,
				)
			: emptyWorkflow(types).expression.getSimpleParameterValue(idleNode, value, mode, {});
		resolved[name] = isInformation(result) ? result : '';
	}
	return resolved;
}

function isInformation(value: unknown): value is CredentialInformation {
	return value !== undefined && value !== null;
}

/** A node for expressions that are resolved outside of any run. */
const idleNode: INode = {
	id: 'idle',
	name: 'Idle',
	type: 'n8n-nodes-base.noOp',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** A workflow for expressions that are resolved outside of any run. */
function emptyWorkflow(nodeTypes: TypeLibrary): Workflow {
	return new Workflow({ nodes: [idleNode], connections: {}, active: false, nodeTypes });
}

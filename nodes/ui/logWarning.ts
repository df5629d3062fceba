import type { IWebhookFunctions } from 'n8n-workflow';

/** Writes a warning of a trigger into n8n's log, with the node and the workflow that it is about. */
export function logWarning(
	context: Pick<IWebhookFunctions, 'logger' | 'getNode' | 'getWorkflow'>,
	message: string,
): void {
	const { id: workflowId, name: workflowName } = context.getWorkflow();
	const { name: nodeName } = context.getNode();
	context.logger.warn(message, { workflowId, workflowName, nodeName });
}

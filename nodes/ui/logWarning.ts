import type { IWebhookFunctions } from 'n8n-workflow';
import { processCache } from '../api/http/processState';

type TriggerContext = Pick<IWebhookFunctions, 'logger' | 'getNode' | 'getWorkflow'>;

/** The warnings of the last minute, by node and kind. */
const warnings = processCache<true>('warnings');

/** Returns which node of which workflow it is. */
export function nodeKeyOf(context: Pick<TriggerContext, 'getNode' | 'getWorkflow'>): string {
	return `${context.getWorkflow().id}/${context.getNode().id}`;
}

/**
 * Writes a warning of a trigger into n8n's log, with the node and the workflow that it is about.
 *
 * @param kind of which a node logs at most one a minute; each one is logged unless it has a kind
 */
export function logWarning(context: TriggerContext, message: string, kind?: string): void {
	const key = `${nodeKeyOf(context)}/${kind}`;
	if (kind !== undefined && warnings.get(key)) return;
	if (kind !== undefined) warnings.set(key, true);
	const { id: workflowId, name: workflowName } = context.getWorkflow();
	const { name: nodeName } = context.getNode();
	context.logger.warn(message, { workflowId, workflowName, nodeName });
}

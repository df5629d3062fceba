import { NodeOperationError } from 'n8n-workflow';
import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { processCache } from '../api/http/processState';
import { logWarning } from '../ui/logWarning';
import { nodeError } from '../ui/nodeError';
import { nodeKeyOf } from './nodeMemory';

/** Why a request is not taken, for the operator who reads the answer. */
export interface Refusal {
	status: 400 | 401 | 413 | 503;
	/** Nothing of the request, and no secret. */
	reason: string;
	/** What was thrown, for the one who tests the node: it may tell more than a stranger should hear. */
	cause?: unknown;
}

/**
 * Answers a request that is not taken, and lets the node's owner know: by a warning in n8n's log, or by an
 * error of the node in a test run. No execution starts in production.
 *
 * @throws NodeApiError or NodeOperationError in a test run
 */
export function refuse(context: IWebhookFunctions, refusal: Refusal): IWebhookResponseData {
	const { status, reason, cause } = refusal;
	const response = answer(context, status, reason);
	if (isTestRun(context)) {
		if (cause !== undefined) throw nodeError(context.getNode(), cause, 0);
		throw new NodeOperationError(context.getNode(), `A delivery was refused: ${reason}`, {
			description: `The sender was answered with ${status}. Execute the node again to wait for the next delivery.`,
			itemIndex: 0,
		});
	}
	warn(context, `A delivery was refused with ${status}: ${reason}`);
	return response;
}

/**
 * Answers the request. The node does so by itself: n8n would otherwise lose what is written into static data,
 * and store a failed execution for each refused request.
 */
export function answer(
	context: IWebhookFunctions,
	status: number,
	message: string,
): IWebhookResponseData {
	context.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true };
}

/** Whether somebody waits for a delivery in the editor. */
export function isTestRun(context: Pick<IWebhookFunctions, 'getMode'>): boolean {
	return context.getMode() === 'manual';
}

/** Anybody may send to the address: however much comes, n8n's log gets a line of each kind once in a while. */
const warnings = processCache<true>('warnings');

/**
 * Writes a warning into n8n's log, at most one a minute of each kind and node.
 *
 * @param kind one of a few texts; what was sent is no part of it, nor of the message
 */
export function warn(
	context: Pick<IWebhookFunctions, 'logger' | 'getNode' | 'getWorkflow'>,
	kind: string,
	message = kind,
): void {
	const key = `${nodeKeyOf(context)}/${kind}`;
	if (warnings.get(key)) return;
	warnings.set(key, true);
	logWarning(context, `Sheet Records Trigger: ${message}`);
}

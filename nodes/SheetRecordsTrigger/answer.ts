import { NodeOperationError } from 'n8n-workflow';
import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import type { Refusal } from '../api/webhooks/delivery';
import { nodeError } from '../ui/nodeError';
import { logWarning } from '../ui/trigger';

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

/**
 * Answers a request that is refused, and lets the node's owner know: by a warning in n8n's log, while no execution
 * starts; in a test run by an error of the node, NodeApiError or NodeOperationError.
 */
export function refuse(
	context: IWebhookFunctions,
	{ status, message, cause }: Refusal,
): IWebhookResponseData {
	const response = answer(context, status, message);
	if (isTestRun(context)) {
		if (cause !== undefined) throw nodeError(context.getNode(), cause, 0);
		throw new NodeOperationError(context.getNode(), `A delivery was refused: ${message}`, {
			description: `The sender was answered with ${status}. Execute the node again to wait for the next delivery.`,
			itemIndex: 0,
		});
	}
	warn(context, `A delivery was refused with ${status}: ${message}`);
	return response;
}

/** Whether somebody waits for a delivery in the editor. */
export function isTestRun(context: IWebhookFunctions): boolean {
	return context.getMode() === 'manual';
}

/** Writes a warning into n8n's log, at most one a minute of each kind and node: anybody may send to the address. */
export function warn(context: IWebhookFunctions, kind: string, message = kind): void {
	logWarning(context, `Sheet Records Trigger: ${message}`, kind);
}

import { NodeOperationError } from 'n8n-workflow';
import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import type { Refusal } from '../api/webhooks/delivery';
import { nodeError } from '../shared/nodeError';
import { logWarning } from '../shared/trigger';

/**
 * Answers the request. The node does it itself, because n8n would lose what the node writes into static data, and would store a
 * failed execution for each refused request.
 */
export function answer(
	context: IWebhookFunctions,
	status: number,
	message: string,
): IWebhookResponseData {
	context.getResponseObject().status(status).json({ message });
	return { noWebhookResponse: true };
}

/** Answers a refused request and tells the owner of the node: in n8n's log, or in a test run as NodeApiError or NodeOperationError. */
export function refuse(
	context: IWebhookFunctions,
	{ status, message, cause }: Refusal,
): IWebhookResponseData {
	const response = answer(context, status, message);
	if (isTestRun(context)) {
		if (cause !== undefined) throw nodeError(context.getNode(), cause, 0);
		throw new NodeOperationError(context.getNode(), `A delivery was refused: ${message}`, {
			description: `The sender received HTTP ${status}. Execute the node again to wait for the next delivery.`,
			itemIndex: 0,
		});
	}
	warn(context, `A delivery was refused with ${status}: ${message}`);
	return response;
}

/** Returns whether a user waits for a delivery in the editor. */
export function isTestRun(context: IWebhookFunctions): boolean {
	return context.getMode() === 'manual';
}

/** Writes a warning into n8n's log, at most one a minute for each message and node: anybody may send to the address. */
export function warn(context: IWebhookFunctions, message: string): void {
	logWarning(context, `Sheet Records Trigger: ${message}`, message);
}

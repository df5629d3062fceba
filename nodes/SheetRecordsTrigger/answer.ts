import { NodeOperationError } from 'n8n-workflow';
import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import type { DeliveryRefusal } from '../api/webhooks/delivery';
import { nodeError } from '../shared/nodeError';
import { logWarning } from '../shared/trigger';

/**
 * Answers the request with `{ message }` as JSON. Returns the result for n8n, which does not start the workflow unless
 * `workflowData` is added to it. The answer is not left to n8n, because then static data that the node writes would be lost, and
 * each rejected request would be stored as a failed execution.
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
 * Answers a rejected request. Then logs a warning for the owner of the node or, in a test run, throws NodeApiError or
 * NodeOperationError.
 */
export function refuse(
	context: IWebhookFunctions,
	{ status, message, cause }: DeliveryRefusal,
): IWebhookResponseData {
	const response = answer(context, status, message);
	if (isTestRun(context)) {
		if (cause !== undefined) throw nodeError(context.getNode(), cause, 0);
		throw new NodeOperationError(context.getNode(), `A delivery was refused: ${message}`, {
			description: `The sender received HTTP ${status}. Execute the node again to wait for the next delivery.`,
			itemIndex: 0,
		});
	}
	warnOnce(context, `A delivery was refused with ${status}: ${message}`);
	return response;
}

/** Returns whether a user waits for a delivery in the editor. */
export function isTestRun(context: IWebhookFunctions): boolean {
	return context.getMode() === 'manual';
}

/** Writes a warning to n8n's log, at most once per minute for each message, because anybody can send requests to the address. */
export function warnOnce(context: IWebhookFunctions, message: string): void {
	logWarning(context, `Sheet Records Trigger: ${message}`, message);
}

import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { Refusal } from '../api/webhooks/delivery';
import { servicePublicKeys } from '../api/webhooks/publicKey';
import { verifyDelivery } from '../api/webhooks/verifyDelivery';
import { acceptDelivery } from './acceptDelivery';
import { refuse } from './answer';
import { readSetUp } from './triggerParameters';

/**
 * Answers one webhook request. Starts the workflow with one item for each changed record (specification, "Events"). Throws
 * NodeApiError or NodeOperationError if the request is refused in a test run.
 */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	return await takeRequest(context).catch((thrown: unknown) => {
		if (thrown instanceof Refusal) return refuse(context, thrown);
		throw thrown;
	});
}

async function takeRequest(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const rawBody = await readRawBody(context);
	const setUp = await readSetUp(context).catch((cause: unknown) => {
		// Anybody may have sent the request, so the answer does not say what is wrong. Activation does.
		throw new Refusal(503, "The node's credential, sheet or settings are not set up", { cause });
	});
	const { client, sheet, settings } = setUp;
	const { delivery, verified } = await verifyDelivery(rawBody, {
		sheet,
		sleep: client.host.sleep,
		account: client.connection.account,
		verification: settings.verification,
		keys: settings.publicKey ? [settings.publicKey] : servicePublicKeys(client),
	});
	return await acceptDelivery({ context, ...setUp }, delivery, verified);
}

/** Returns the body as it was sent. n8n reads it beforehand for known content types, and does not keep that of a multipart form. */
async function readRawBody(context: IWebhookFunctions): Promise<Uint8Array> {
	const request = context.getRequestObject();
	const isForm = /^multipart\//i.test(String(request.headers['content-type'] ?? ''));
	if (request.rawBody === undefined && !isForm) {
		await request.readRawBody().catch(() => undefined);
	}
	if (request.rawBody === undefined) throw new Refusal(400, 'The body cannot be read');
	return request.rawBody;
}

import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { DeliveryRefusal } from '../api/webhooks/delivery';
import { servicePublicKeys } from '../api/webhooks/publicKey';
import { verifyDelivery } from '../api/webhooks/verifyDelivery';
import { acceptDelivery } from './acceptDelivery';
import { refuse } from './answer';
import { parseSetup } from './triggerParameters';

/**
 * Answers a webhook request, and starts the workflow with one item per changed record (specification, "Events"). Throws
 * NodeApiError or NodeOperationError if the request is rejected in a test run.
 */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	return await takeRequest(context).catch((thrown: unknown) => {
		if (thrown instanceof DeliveryRefusal) return refuse(context, thrown);
		throw thrown;
	});
}

async function takeRequest(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const rawBody = await rawBodyOf(context);
	const setUp = await parseSetup(context).catch((cause: unknown) => {
		// The answer does not name the wrong setting, because anybody may have sent the request. The user learns it at activation.
		throw new DeliveryRefusal(503, "The node's credential, sheet or settings are not set up", {
			cause,
		});
	});
	const { client, sheet, settings } = setUp;
	const { delivery, verified } = await verifyDelivery(rawBody, {
		sheet,
		account: client.connection.account,
		verification: settings.verification,
		keys: settings.publicKey ? [settings.publicKey] : servicePublicKeys(client),
	});
	return await acceptDelivery({ context, ...setUp }, delivery, verified);
}

/**
 * Returns the body as sent. n8n has already read it for known content types. Throws DeliveryRefusal if it cannot be read, as for
 * a multipart form, whose body n8n drops.
 */
async function rawBodyOf(context: IWebhookFunctions): Promise<Uint8Array> {
	const request = context.getRequestObject();
	const isForm = /^multipart\//i.test(String(request.headers['content-type'] ?? ''));
	if (request.rawBody === undefined && !isForm) {
		await request.readRawBody().catch(() => undefined);
	}
	if (request.rawBody === undefined) throw new DeliveryRefusal(400, 'The body cannot be read');
	return request.rawBody;
}

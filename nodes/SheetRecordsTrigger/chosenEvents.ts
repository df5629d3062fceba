import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { webhookEvents } from '../wire/webhookDelivery';
import type { WebhookEvent } from '../wire/webhookDelivery';

/** The events that start the workflow. */
export function chosenEvents(context: IHookFunctions | IWebhookFunctions): WebhookEvent[] {
	const chosen: unknown = context.getNodeParameter('events');
	return webhookEvents.filter((event) => Array.isArray(chosen) && chosen.includes(event));
}

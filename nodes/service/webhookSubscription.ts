import { readAnswer } from '../wire/answer';
import type { RawAnswer } from '../wire/answer';
import { isJsonObject } from '../wire/orderedJson';
import type { JsonValue } from '../wire/orderedJson';
import { encodeText } from '../wire/query';
import { ServiceError } from '../wire/serviceError';
import type { SheetAddress } from '../wire/sheetAddress';
import { webhookEvents } from '../wire/webhookDelivery';
import type { WebhookEvent } from '../wire/webhookDelivery';
import type { Client, ServiceRequest } from './client';

/** A receiver of a sheet's webhooks. */
export interface Subscription {
	sheet: SheetAddress;
	/** The address that receives deliveries. */
	url: string;
	events: readonly WebhookEvent[];
}

interface Receiver {
	url: string;
	event: string;
}

/**
 * Whether the sheet sends exactly these events to the address.
 *
 * The subscription endpoints are not in the published specification; a service may refuse them.
 *
 * @throws ServiceError
 */
export async function isSubscribed(client: Client, subscription: Subscription): Promise<boolean> {
	const receivers = await listReceivers(client, subscription.sheet);
	const wanted = eventText(subscription.events);
	return receivers.some(({ url, event }) => url === subscription.url && event === wanted);
}

/**
 * Makes the sheet send the events to the address.
 *
 * @throws ServiceError when the service refuses, or does not list the address afterwards
 */
export async function subscribe(client: Client, subscription: Subscription): Promise<void> {
	await client.read(request(client, 'webhookSubscribe', subscription), readConfirmation);
	if (await isSubscribed(client, subscription)) return;
	throw new ServiceError({
		kind: 'refused',
		message: 'The service did not register the webhook',
	});
}

/**
 * Makes the sheet send nothing to the address any more.
 *
 * @throws ServiceError
 */
export async function unsubscribe(client: Client, subscription: Subscription): Promise<void> {
	await client.read(request(client, 'webhookUnsubscribe', subscription), readConfirmation);
}

async function listReceivers(client: Client, sheet: SheetAddress): Promise<Receiver[]> {
	return await client.read(request(client, 'webhooks', { sheet }), readReceivers);
}

function request(
	client: Client,
	endpoint: 'webhookSubscribe' | 'webhookUnsubscribe' | 'webhooks',
	{ sheet, url, events }: Pick<Subscription, 'sheet'> & Partial<Subscription>,
): ServiceRequest {
	const { account } = client.connection;
	const query = [
		'n8n',
		`ap=${encodeText(account)}`,
		`path=${encodeText(`/${sheet.folders.join('/')}`)}`,
		`si=${sheet.sheetIndex}`,
		...(url === undefined ? [] : [`url=${encodeText(url)}`]),
		...(events === undefined ? [] : [`event=${eventText(events)}`]),
	];
	return { path: `/sims/${endpoint}.jsp`, query: query.join('&') };
}

/** `CreateUpdateDelete` or a part of it, in that order. */
function eventText(events: readonly WebhookEvent[]): string {
	return webhookEvents
		.filter((event) => events.includes(event))
		.map((event) => event.charAt(0) + event.slice(1).toLowerCase())
		.join('');
}

function readReceivers(answer: RawAnswer): Receiver[] {
	const value = readAnswer(answer);
	if (!Array.isArray(value)) return [];
	return value.filter(isJsonObject).map((receiver) => ({
		url: String(receiver.get('url') ?? ''),
		event: String(receiver.get('event') ?? ''),
	}));
}

/** A confirmation may be any text; a refusal is told by its status, its JSON, or a web page. */
function readConfirmation(answer: RawAnswer): JsonValue {
	const isPlainText =
		!/^\s*[<{[]/.test(answer.text) && answer.status < 400 && !isRefusalWord(answer.text);
	return isPlainText ? answer.text : readAnswer(answer);
}

function isRefusalWord(text: string): boolean {
	return text.trim() === '-1';
}

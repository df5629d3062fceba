import { readAnswer, type RawAnswer } from '../http/answer';
import type { Client, ServiceRequest } from '../http/client';
import { ServiceError } from '../http/serviceError';
import { isJsonObject, type JsonValue } from '../json/orderedJson';
import { encodeText } from '../values/query';
import type { SheetAddress } from '../values/sheetAddress';
import { webhookEvents, type WebhookEvent } from './delivery';

/**
 * An address that receives the webhooks of a sheet. The endpoints are not in the specification, so a service may refuse them:
 * all functions throw ServiceError.
 */
export interface Subscription {
	sheet: SheetAddress;
	url: string;
	events: readonly WebhookEvent[];
}

/** Returns whether the sheet sends exactly these events to the address, and each of them once. */
export async function isSubscribed(client: Client, subscription: Subscription): Promise<boolean> {
	const eventTexts = await fetchEventTexts(client, subscription);
	const registered = eventTexts.flatMap((text) => eventsIn(text) ?? [undefined]);
	const events = new Set(subscription.events);
	return (
		registered.length === events.size && [...events].every((event) => registered.includes(event))
	);
}

/**
 * Registers the address for the events. Checks the list of webhooks afterwards: the service may confirm without registering,
 * and after an unknown outcome the registration must not be repeated, because each change would be sent twice.
 */
export async function subscribe(client: Client, subscription: Subscription): Promise<void> {
	const { sheet, url, events } = subscription;
	const registrationRequest = request(client, 'webhookSubscribe', sheet, {
		url,
		event: eventTextOf(events),
	});
	const registration = client.write(
		{ ...registrationRequest, method: 'GET', step: 'subscribe' },
		decodeConfirmation,
	);
	const failure = await registration.then(() => undefined, doubtful);
	if (await isSubscribed(client, subscription)) return;
	const message = 'The service did not register the webhook';
	throw failure ?? new ServiceError({ kind: 'refused', message });
}

/**
 * Removes the address from the sheet. Sends one request for the events of the subscription, and one for each other combination of
 * events that is registered for the address, because a service may remove only the events of a request.
 */
export async function unsubscribe(client: Client, subscription: Subscription): Promise<void> {
	const { sheet, url, events } = subscription;
	const eventTexts = await fetchEventTexts(client, subscription);
	const registered = eventTexts.map((text) => eventTextOf(eventsIn(text) ?? []) || text);
	for (const event of new Set([eventTextOf(events), ...registered])) {
		const removal = request(client, 'webhookUnsubscribe', sheet, { url, event });
		await client.read(removal, decodeConfirmation);
	}
}

/** Returns the failure of a write that may have been carried out. Throws any other failure. */
function doubtful(error: unknown): ServiceError {
	if (error instanceof ServiceError && error.details.isDoubtful) return error;
	throw error;
}

/** Returns the events of each webhook of the sheet with this address, as text such as `CreateUpdateDelete`. */
async function fetchEventTexts(client: Client, { sheet, url }: Subscription): Promise<string[]> {
	const answer = await client.read(request(client, 'webhooks', sheet));
	const webhooks = Array.isArray(answer) ? answer.filter(isJsonObject) : [];
	const withAddress = webhooks.filter((webhook) => webhook.get('url') === url);
	return withAddress.map((webhook) => String(webhook.get('event') ?? ''));
}

/**
 * Parses the events of a webhook, in any letter case and order, with any separators. Returns undefined if the text contains
 * any other word.
 */
function eventsIn(eventText: string): WebhookEvent[] | undefined {
	const letters = eventText.toUpperCase().replace(/[^\p{L}]+/gu, '');
	const otherWords = letters.replace(new RegExp(webhookEvents.join('|'), 'g'), '');
	return otherWords === '' ? webhookEvents.filter((event) => letters.includes(event)) : undefined;
}

function request(
	{ connection: { account } }: Client,
	endpoint: 'webhookSubscribe' | 'webhookUnsubscribe' | 'webhooks',
	{ folders, sheetIndex }: SheetAddress,
	webhook: { url?: string; event?: string } = {},
): ServiceRequest {
	const values = { ap: account, path: `/${folders.join('/')}`, si: String(sheetIndex), ...webhook };
	const query = Object.entries(values).map(([name, value]) => `${name}=${encodeText(value)}`);
	return { path: `/sims/${endpoint}.jsp`, query: ['n8n', ...query].join('&') };
}

/** Returns the events as the service writes them: `CreateUpdateDelete` or a part of it, in that order. */
function eventTextOf(events: readonly WebhookEvent[]): string {
	return webhookEvents
		.filter((event) => events.includes(event))
		.map((event) => event.charAt(0) + event.slice(1).toLowerCase())
		.join('');
}

/**
 * Decodes a confirmation, which may be any text. Throws ServiceError for an HTTP error, JSON of an error response, or a web
 * page.
 */
function decodeConfirmation(answer: RawAnswer): JsonValue {
	const isRefusal = /^\s*(?:[<{[]|-1\s*$)/.test(answer.text) || answer.status >= 400;
	return isRefusal ? readAnswer(answer) : answer.text;
}

import { readAnswer, type RawAnswer } from '../http/answer';
import { isJsonObject, type JsonValue } from '../json/orderedJson';
import { encodeText } from '../values/query';
import { ServiceError } from '../http/serviceError';
import type { SheetAddress } from '../values/sheetAddress';
import { webhookEvents, type WebhookEvent } from './webhookDelivery';
import type { Client, ServiceRequest } from '../http/client';

/** A receiver of a sheet's webhooks. */
export interface Subscription {
	sheet: SheetAddress;
	url: string;
	events: readonly WebhookEvent[];
}

interface Receiver {
	url: string;
	/** Words of events, such as `CreateUpdateDelete`. */
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
	const entered = await enteredEvents(client, subscription);
	// A service may keep an entry for each event, and write them in its own order.
	const events = eventsOf(entered.join());
	return events !== undefined && eventText(events) === eventText(subscription.events);
}

/**
 * Makes the sheet send the events to the address. Entered twice, each change would come twice: after a
 * doubt it is sent again only when the service does not list the address.
 *
 * @throws ServiceError when the service refuses, or does not list the address afterwards
 */
export async function subscribe(client: Client, subscription: Subscription): Promise<void> {
	const { sheet, url, events } = subscription;
	const entry = request(client, 'webhookSubscribe', sheet, [url, eventText(events)]);
	const isListed = async () => await isSubscribed(client, subscription);
	if (await client.writeChecked(entry, readConfirmation, isListed)) return;
	throw new ServiceError({ kind: 'refused', message: 'The service did not register the webhook' });
}

/**
 * Makes the sheet send nothing to the address any more, whichever events were entered for it: a service may
 * take out those only that the request names. However often it is sent, the outcome is the same.
 *
 * @throws ServiceError
 */
export async function unsubscribe(client: Client, subscription: Subscription): Promise<void> {
	const { sheet, url, events } = subscription;
	const entered = await enteredEvents(client, subscription);
	const texts = entered.map((text) => eventText(eventsOf(text) ?? []) || text);
	for (const text of new Set([eventText(events), ...texts])) {
		const removal = request(client, 'webhookUnsubscribe', sheet, [url, text]);
		await client.read(removal, readConfirmation);
	}
}

async function enteredEvents(client: Client, { sheet, url }: Subscription): Promise<string[]> {
	const receivers = await client.read(request(client, 'webhooks', sheet), readReceivers);
	return receivers.filter((receiver) => receiver.url === url).map(({ event }) => event);
}

function request(
	client: Client,
	endpoint: 'webhookSubscribe' | 'webhookUnsubscribe' | 'webhooks',
	sheet: SheetAddress,
	[url, event]: [url?: string, event?: string] = [],
): ServiceRequest {
	const { account } = client.connection;
	const query = [
		'n8n',
		`ap=${encodeText(account)}`,
		`path=${encodeText(`/${sheet.folders.join('/')}`)}`,
		`si=${sheet.sheetIndex}`,
		...(url === undefined ? [] : [`url=${encodeText(url)}`]),
		...(event === undefined ? [] : [`event=${encodeText(event)}`]),
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

/** The events that a text names in any order; undefined when it names something else. */
function eventsOf(text: string): WebhookEvent[] | undefined {
	const words =
		text
			.toUpperCase()
			.match(/[A-Z]+/g)
			?.join('') ?? '';
	const named = new RegExp(webhookEvents.join('|'), 'g');
	if (words.replace(named, '') !== '') return undefined;
	return webhookEvents.filter((event) => words.includes(event));
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
	const isRefusal = /^\s*(?:[<{[]|-1\s*$)/.test(answer.text) || answer.status >= 400;
	return isRefusal ? readAnswer(answer) : answer.text;
}

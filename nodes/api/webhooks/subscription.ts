import { readAnswer, type RawAnswer } from '../http/answer';
import type { Client, ServiceRequest } from '../http/client';
import { ServiceError } from '../http/serviceError';
import { isJsonObject, type JsonValue } from '../json/orderedJson';
import { encodeText } from '../values/query';
import type { SheetAddress } from '../values/sheetAddress';
import { webhookEvents, type WebhookEvent } from './delivery';

/** A receiver of a sheet's webhooks. Its endpoints are not in the specification; a service may refuse them. All throw ServiceError. */
export interface Subscription {
	sheet: SheetAddress;
	url: string;
	events: readonly WebhookEvent[];
}

/** Returns whether the sheet sends exactly these events to the address, and each of them once. */
export async function isSubscribed(client: Client, subscription: Subscription): Promise<boolean> {
	const entries = await fetchEntries(client, subscription);
	const registered = entries.flatMap((entry) => eventsIn(entry) ?? [undefined]);
	const events = new Set(subscription.events);
	return (
		registered.length === events.size && [...events].every((event) => registered.includes(event))
	);
}

/** Registers the address for the events. Checks the list of webhooks afterwards: a success may be false, and after an unknown outcome a second registration would send each change twice. */
export async function subscribe(client: Client, subscription: Subscription): Promise<void> {
	const { sheet, url, events } = subscription;
	const entry = request(client, 'webhookSubscribe', sheet, { url, event: eventText(events) });
	const registration = client.write({ ...entry, method: 'GET' }, decodeConfirmation);
	const failure = await registration.then(() => undefined, doubtful);
	if (await isSubscribed(client, subscription)) return;
	const message = 'The service did not register the webhook';
	throw failure ?? new ServiceError({ kind: 'refused', message });
}

/** Removes the address from the sheet. Sends one request per registered combination of events, because a service may remove only the events of a request. */
export async function unsubscribe(client: Client, subscription: Subscription): Promise<void> {
	const { sheet, url, events } = subscription;
	const entries = await fetchEntries(client, subscription);
	const registered = entries.map((entry) => eventText(eventsIn(entry) ?? []) || entry);
	for (const event of new Set([eventText(events), ...registered])) {
		const removal = request(client, 'webhookUnsubscribe', sheet, { url, event });
		await client.read(removal, decodeConfirmation);
	}
}

/** Returns the failure of a write that may have been carried out. Throws any other failure. */
function doubtful(error: unknown): ServiceError {
	if (error instanceof ServiceError && error.details.isDoubtful) return error;
	throw error;
}

/** Returns the event text, such as `CreateUpdateDelete`, of each entry of the address. */
async function fetchEntries(client: Client, { sheet, url }: Subscription): Promise<string[]> {
	const answer = await client.read(request(client, 'webhooks', sheet));
	const receivers = Array.isArray(answer) ? answer.filter(isJsonObject) : [];
	const entries = receivers.filter((receiver) => receiver.get('url') === url);
	return entries.map((entry) => String(entry.get('event') ?? ''));
}

/** Returns the events of an entry, in any letter case, order and with any separators; undefined if it contains any other word. */
function eventsIn(entry: string): WebhookEvent[] | undefined {
	const letters = entry.toUpperCase().replace(/[^\p{L}]+/gu, '');
	const others = letters.replace(new RegExp(webhookEvents.join('|'), 'g'), '');
	return others === '' ? webhookEvents.filter((event) => letters.includes(event)) : undefined;
}

function request(
	{ connection: { account } }: Client,
	endpoint: 'webhookSubscribe' | 'webhookUnsubscribe' | 'webhooks',
	{ folders, sheetIndex }: SheetAddress,
	entry: { url?: string; event?: string } = {},
): ServiceRequest {
	const values = { ap: account, path: `/${folders.join('/')}`, si: String(sheetIndex), ...entry };
	const query = Object.entries(values).map(([name, value]) => `${name}=${encodeText(value)}`);
	return { path: `/sims/${endpoint}.jsp`, query: ['n8n', ...query].join('&') };
}

/** Returns `CreateUpdateDelete` or a part of it, in that order. */
function eventText(events: readonly WebhookEvent[]): string {
	return webhookEvents
		.filter((event) => events.includes(event))
		.map((event) => event.charAt(0) + event.slice(1).toLowerCase())
		.join('');
}

/** Decodes a confirmation, which may be any text. Throws ServiceError for an HTTP error, JSON of an error response, or a web page. */
function decodeConfirmation(answer: RawAnswer): JsonValue {
	const isRefusal = /^\s*(?:[<{[]|-1\s*$)/.test(answer.text) || answer.status >= 400;
	return isRefusal ? readAnswer(answer) : answer.text;
}

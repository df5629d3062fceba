import { readAnswer, type RawAnswer } from '../http/answer';
import type { Client, ServiceRequest } from '../http/client';
import { fallbackTo, ServiceError } from '../http/serviceError';
import { withoutTrailing } from '../json/objects';
import { isJsonObject, type JsonValue } from '../json/orderedJson';
import { encodeText } from '../values/query';
import { urlOf } from '../values/serviceAddress';
import type { SheetAddress } from '../values/sheetAddress';
import { percentDecoded } from '../values/text';
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

/** A webhook as the sheet lists it. A sheet may list several for one address. */
interface ListedWebhook {
	url: string;
	event: string;
}

/** Returns whether the sheet sends exactly these events to the address, and each of them once. */
export async function isSubscribed(client: Client, subscription: Subscription): Promise<boolean> {
	const webhooks = await fetchWebhooks(client, subscription);
	const registered = webhooks.flatMap(({ event }) => eventsIn(event) ?? [undefined]);
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
 * Removes the address from the sheet, with one request for each combination of events that the sheet lists for it. Sends
 * nothing else, because a service may answer the removal of an unregistered address with an error.
 */
export async function unsubscribe(client: Client, subscription: Subscription): Promise<void> {
	await removeAll(client, subscription, await fetchWebhooks(client, subscription));
}

/**
 * Removes the address after a registration that failed or was not confirmed. Also removes it if the sheet does not list it,
 * because the list may not be complete.
 */
export async function undoSubscribe(client: Client, subscription: Subscription): Promise<void> {
	const { url, events } = subscription;
	const unlisted: ListedWebhook[] = [{ url, event: eventTextOf(events) }];
	const webhooks = await fetchWebhooks(client, subscription).catch(fallbackTo([]));
	await removeAll(client, subscription, [...unlisted, ...webhooks]);
}

/** Sends the removal of each webhook once. An answer that nothing was found is no error if the sheet does not list the address any more. */
async function removeAll(
	client: Client,
	subscription: Subscription,
	webhooks: readonly ListedWebhook[],
): Promise<void> {
	const removals = webhooks.map(({ url, event }) =>
		request(client, 'webhookUnsubscribe', subscription.sheet, {
			url,
			event: eventTextOf(eventsIn(event) ?? []) || event,
		}),
	);
	let notFound: ServiceError | undefined;
	for (const removal of new Map(removals.map((each) => [each.query, each])).values()) {
		await client.read(removal, decodeConfirmation).catch((error: unknown) => {
			if (!(error instanceof ServiceError && isNotFound(error))) throw error;
			notFound = error;
		});
	}
	if (!notFound) return;
	const left = await fetchWebhooks(client, subscription).catch(fallbackTo(undefined, 'unexpected'));
	if (left?.length !== 0) throw notFound;
}

/** Returns the failure of a write that may have been carried out. Throws any other failure. */
function doubtful(error: unknown): ServiceError {
	if (error instanceof ServiceError && error.details.isDoubtful) return error;
	throw error;
}

/** Returns the webhooks of the sheet that have this address in any spelling. Throws ServiceError if the answer is not a list. */
async function fetchWebhooks(
	client: Client,
	{ sheet, url }: Subscription,
): Promise<ListedWebhook[]> {
	const answer = await client.read(request(client, 'webhooks', sheet));
	if (!Array.isArray(answer)) throw noListError();
	const address = comparableAddress(url);
	return answer.filter(isJsonObject).flatMap((webhook) => {
		const listed = webhook.get('url');
		if (typeof listed !== 'string') return [];
		const decoded = decodedAddress(listed.trim());
		const isListed = comparableAddress(decoded) === address;
		return isListed ? [{ url: decoded, event: String(webhook.get('event') ?? '') }] : [];
	});
}

/** Returns an address without the percent-encoding of the whole address, as in `https%3A%2F%2Fhost`. */
function decodedAddress(address: string): string {
	return /^https?%3a/i.test(address) ? (percentDecoded(address) ?? address) : address;
}

/** Returns an address in the spelling of the URL standard, without a slash at its end. */
function comparableAddress(address: string): string {
	const parsed = urlOf(address);
	return parsed
		? `${parsed.origin}${withoutTrailing(parsed.pathname, '/')}${parsed.search}`
		: address;
}

function isNotFound({ kind, details }: ServiceError): boolean {
	return kind === 'notFound' || details.status === 404;
}

function noListError(): ServiceError {
	return new ServiceError({
		kind: 'unexpected',
		message: 'The service did not return the list of webhooks of the sheet',
		description: 'Nothing was removed. Look in the settings of the sheet (Tools → Sync → Webhook).',
	});
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

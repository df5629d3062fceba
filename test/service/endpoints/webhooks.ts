import { demandWriting, noAccessRight, type Call, type ServiceState } from '../call';
import type { Sheet } from '../data/sheet';
import { htmlAnswer, jsonAnswer, textAnswer, type Answer } from '../http/answer';
import type { Query } from '../http/query';
import { errorCodes, ServiceError, StatusError } from '../http/serviceError';
import { webhookEvents } from '../webhooks/receivers';

export type SubscriptionEndpoint = 'subscribe' | 'unsubscribe' | 'list';

/** Hands out the public key for webhooks, to anybody (specification, endpoint 15). */
export function publicKey(query: Query, { switches, webhooks }: ServiceState): Answer {
	const { pem, der } = webhooks.key;
	if (query.first('type') === 'pem' || switches.publicKeyForm === 'pem') return textAnswer(pem);
	if (switches.publicKeyForm === 'der') return textAnswer(`${der}\n`);
	return jsonAnswer({ status: 'SUCCESS', code: 200, publicKey: der }, query);
}

/**
 * Enters, removes or lists receivers of a sheet. All is said in the query: `ap`, `path` and `si` name the
 * sheet, `url` the receiver, and `event` what a new one is told. Not in the specification, and a switch
 * closes it.
 */
export function answerSubscription(endpoint: SubscriptionEndpoint, call: Call): Answer {
	const { query, state } = call;
	switch (state.switches.subscriptions) {
		case 'code106':
			throw noAccessRight();
		case 'http404':
			throw new StatusError(404, 'Not Found');
		case 'html':
			return htmlAnswer('Please use the interface.');
	}
	const sheet = namedSheet(query, state);
	demandWriting(sheet, call.identity);
	const { receivers } = state.webhooks;
	if (endpoint === 'list') {
		const rows = receivers.of(sheet).map(({ url, events }) => ({ url, event: eventText(events) }));
		return jsonAnswer(rows, query);
	}
	const url = query.first('url');
	if (!url) throw new ServiceError(errorCodes.parameters, 'url is missing.');
	const isByEvents = state.switches.unsubscribing === 'events';
	if (endpoint === 'unsubscribe') {
		receivers.remove(sheet, url, isByEvents ? namedEvents(query) : undefined);
	} else {
		const receiver = { url, events: namedEvents(query), fullContent: true };
		receivers.add(sheet, receiver, { besideOthers: isByEvents });
	}
	return jsonAnswer({ status: 'SUCCESS' }, query);
}

function namedSheet(query: Query, { account, data }: ServiceState): Sheet {
	const named = query.first('ap') ?? '';
	if (named !== account) {
		throw new ServiceError(errorCodes.invalidAccount, `Invalid account name: ${named}`);
	}
	const path = query.first('path') ?? '';
	const index = Number(query.first('si'));
	const sheet = path.startsWith('/') ? data.findSheet({ path: path.slice(1), index }) : undefined;
	if (!sheet) throw new ServiceError(errorCodes.invalidPath, `Invalid path: ${path}`);
	return sheet;
}

/** `CreateUpdateDelete`, or a part of it in that order. */
function namedEvents(query: Query): (typeof webhookEvents)[number][] {
	const text = query.first('event') ?? '';
	const events = webhookEvents.filter((event) => text.toUpperCase().includes(event));
	if (events.length > 0 && eventText(events) === text) return events;
	throw new ServiceError(errorCodes.parameters, `Invalid event: ${text}`);
}

function eventText(events: readonly string[]): string {
	return events.map((event) => event.charAt(0) + event.slice(1).toLowerCase()).join('');
}

import { demandWriting, type Call, type ServiceState } from '../call';
import type { Sheet } from '../data/sheet';
import { jsonAnswer, textAnswer, type Answer } from '../http/answer';
import type { Query } from '../http/query';
import { refusal, ServiceError } from '../http/serviceError';
import type { Switches } from '../switches';
import { webhookEvents } from '../webhooks/webhooks';
import { discover } from './discovery';

export type SubscriptionEndpoint = 'subscribe' | 'unsubscribe' | 'list';

/** Returns the public key for webhooks, without authentication (specification, endpoint 15). */
export function publicKey(query: Query, { switches, webhooks }: ServiceState): Answer {
	const { pem, der } = webhooks.key;
	if (query.first('type') === 'pem' || switches.publicKeyForm === 'pem') return textAnswer(pem);
	if (switches.publicKeyForm === 'der') return textAnswer(`${der}\n`);
	return jsonAnswer({ status: 'SUCCESS', code: 200, publicKey: der }, query);
}

/**
 * Adds, removes or lists webhook receivers of a sheet. All parameters are in the query: `ap`, `path` and `si` identify the
 * sheet, `url` the receiver, and `event` lists the events of a new receiver. Not in the specification; a switch turns it off.
 */
export function answerSubscription(endpoint: SubscriptionEndpoint, call: Call): Answer {
	return discover(call, 'subscriptions', () => {
		const { query, state } = call;
		const sheet = namedSheet(query, state);
		demandWriting(sheet, call.identity);
		const { receivers } = state.webhooks;
		if (endpoint === 'list') {
			return receivers
				.of(sheet)
				.flatMap(({ url, events }) =>
					listedEvents(events, state.switches.subscriptionList).map((event) => ({ url, event })),
				);
		}
		const url = query.first('url');
		if (!url) throw new ServiceError('parameters', 'url is missing.');
		const isByEvents = state.switches.unsubscribing === 'events';
		if (endpoint === 'unsubscribe') {
			const { length } = receivers.of(sheet);
			receivers.remove(sheet, url, isByEvents ? namedEvents(query) : undefined);
			const isRemoved = receivers.of(sheet).length < length;
			if (!isRemoved && state.switches.unregisteredRemoval === 'http404') throw refusal('http404');
		} else {
			const receiver = { url, events: namedEvents(query), fullContent: true };
			receivers.add(sheet, receiver, { besideOthers: isByEvents });
		}
		return { status: 'SUCCESS' };
	});
}

function namedSheet(query: Query, { account, data }: ServiceState): Sheet {
	const named = query.first('ap') ?? '';
	if (named !== account) {
		throw new ServiceError('invalidAccount', `Invalid account name: ${named}`);
	}
	const path = query.first('path') ?? '';
	const index = Number(query.first('si'));
	const sheet = path.startsWith('/') ? data.findSheet({ path: path.slice(1), index }) : undefined;
	if (!sheet) throw new ServiceError('invalidPath', `Invalid path: ${path}`);
	return sheet;
}

/** Parses `CreateUpdateDelete`, or a part of it in that order. */
function namedEvents(query: Query): (typeof webhookEvents)[number][] {
	const text = query.first('event') ?? '';
	const events = webhookEvents.filter((event) => text.toUpperCase().includes(event));
	if (events.length > 0 && eventText(events) === text) return events;
	throw new ServiceError('parameters', `Invalid event: ${text}`);
}

/** Returns the `event` of each entry that the list contains for a receiver. */
function listedEvents(events: readonly string[], form: Switches['subscriptionList']): string[] {
	const names = events.map((event) => eventText([event]));
	if (form === 'entryForEach') return names;
	if (form === 'commas') return [names.join(', ')];
	if (form === 'otherOrder') return [[...names].reverse().join('')];
	return [form === 'smallLetters' ? names.join('').toLowerCase() : names.join('')];
}

function eventText(events: readonly string[]): string {
	return events.map((event) => event.charAt(0) + event.slice(1).toLowerCase()).join('');
}

import type { Point } from './question';

const delivery = 'it needs an address that the service can reach';
const limit = 'to find the limit is to overload the service';
const noSuchField = 'the sheet for the probe has no such fields';

type Unasked = [point: string, reason: string, about?: Point];

const all: Unasked[] = [
	['A mass operation without a selection', 'it could change every record of the sheet'],
	['How many requests at once, and how fast', limit, 'queueLength'],
	['The answer of a full queue', limit, 'overloadAnswer'],
	['A good key that is taken for a guest’s', 'the first line counts them', 'goodKeyRefusedEvery'],
	['How long an answer takes', 'the slowest answer is told above', 'latencyMilliseconds'],
	['Whether writes through the API send webhooks', delivery, 'webhooksOfApiWrites'],
	['Removing a receiver', 'it would change the receivers of the sheet', 'unsubscribing'],
	['Repeated and delayed deliveries', delivery],
	['Linked fields that find no source under `doLinkLoad`', noSuchField],
	['New rows of a subtable that shows linked records', noSuchField],
	['The largest upload, and the largest mass operation', limit],
	['Scopes and revocation of keys', 'nothing of them shows from outside'],
	['Approval, conversation and history', 'the probe shows no data of people'],
	['Every other line of that table', 'nothing of the nodes hangs on it'],
];

/** What cannot be asked from outside, or not without harm. */
export const unasked = all.map(([point, notAsked, about]) => ({ about, point, notAsked }));

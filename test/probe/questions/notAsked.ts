import type { Point } from './question';

/** An open point that is not asked, with the reason. */
interface Unasked {
	/** The switch that stands for its readings, if it has one. */
	about?: Point;
	point: string;
	notAsked: string;
}

const delivery = 'a delivery needs an address that the service can reach';
const limit = 'to find the limit is to overload the service';
const rows = 'the sheet for the probe needs no subtable';

/** What cannot be asked from outside, or not without harm. */
export const unasked: readonly Unasked[] = [
	{
		about: 'emptySelection',
		point: 'A mass operation without a selection',
		notAsked: 'it could change every record of the sheet',
	},
	{ about: 'unknownRows', point: 'A row that is not there', notAsked: rows },
	{ about: 'rowNumbers', point: 'Whether two subtables have rows of the same ID', notAsked: rows },
	{ about: 'maximumRequestsPerSecond', point: 'How fast it may be asked', notAsked: limit },
	{ about: 'queueLength', point: 'How many requests at once', notAsked: limit },
	{
		about: 'latencyMilliseconds',
		point: 'How long an answer takes',
		notAsked: 'no reading hangs on it; the slowest answer is told above',
	},
	{ about: 'signatureForm', point: 'The encoding of the signature', notAsked: delivery },
	{ about: 'bodySpelling', point: 'The spelling of texts in what is sent', notAsked: delivery },
	{ about: 'signedSpelling', point: 'The spelling of texts in what is signed', notAsked: delivery },
	{
		about: 'webhooksOfApiWrites',
		point: 'Whether writes through the API send webhooks',
		notAsked: delivery,
	},
	{
		about: 'unsubscribing',
		point: 'Removing a receiver',
		notAsked: 'it would change the receivers of the sheet, which are no records of the probe',
	},
	{ point: 'Repeated and delayed deliveries', notAsked: delivery },
	{
		point: 'The largest upload, and the largest mass operation',
		notAsked: 'to find the limit is to burden the service',
	},
	{ point: 'Scopes and revocation of keys', notAsked: 'nothing of them shows from outside' },
	{
		point: 'Field types, approval, conversation and history',
		notAsked: 'the probe shows no data of people',
	},
];

import {
	mayBeTooMuch,
	mayConcernField,
	outcomeIsUnknown,
	retryPolicy,
	waitBeforeRetry,
} from '../../../../nodes/api/http/policies';
import { ServiceError, type FailureDetails } from '../../../../nodes/api/http/serviceError';

const failure = (details: Omit<FailureDetails, 'message'>) =>
	new ServiceError({ message: 'x', ...details });

/** Returns the delays after each attempt until the request is given up. */
function waitsOf(details: Omit<FailureDetails, 'message'>, request: { isWrite?: boolean } = {}) {
	const waits: number[] = [];
	for (;;) {
		const wait = waitBeforeRetry(failure(details), request, waits.length + 1);
		if (wait === undefined) return waits;
		waits.push(wait);
	}
}

const four = [500, 1_000, 2_000, 4_000];
const seven = [...four, 8_000, 16_000, 32_000];

it.each<{
	title: string;
	details: Omit<FailureDetails, 'message'>;
	read: number[];
	write: number[];
}>([
	{ title: 'too frequent', details: { kind: 'tooFrequent' }, read: seven, write: seven },
	{ title: 'unreachable', details: { kind: 'unreachable' }, read: four, write: four },
	{ title: 'server', details: { kind: 'server' }, read: four, write: [] },
	{ title: 'malformed', details: { kind: 'malformed' }, read: four, write: [] },
	{ title: 'connection lost', details: { kind: 'connectionLost' }, read: four, write: [] },
	{
		title: 'connection lost at the login before it',
		details: { kind: 'connectionLost', beforeRequest: true },
		read: four,
		write: four,
	},
	{ title: 'too slow', details: { kind: 'tooSlow' }, read: [], write: [] },
	{ title: 'refused', details: { kind: 'refused', code: 202 }, read: [], write: [] },
	{
		title: 'no access, perhaps mistaken for a guest',
		details: { kind: 'noAccess', code: 106 },
		read: [500],
		write: [500],
	},
	{
		title: 'no access, without the code',
		details: { kind: 'noAccess', status: 403 },
		read: [],
		write: [],
	},
])('a read and a write are sent again after these waits: $title', ({ details, read, write }) => {
	expect(waitsOf(details)).toEqual(read);
	expect(waitsOf(details, { isWrite: true })).toEqual(write);
});

it('the rule of an error code takes precedence over the time that the service asks for', () => {
	expect(waitsOf({ kind: 'noAccess', code: 106, retryAfterSeconds: 9 })).toEqual([500]);
	expect(retryPolicy.codes).toEqual({ 106: { maxAttempts: 2, waitMilliseconds: 500 } });
});

it.each<{ title: string; details: Omit<FailureDetails, 'message'>; isTooMuch: boolean }>([
	{ title: 'server', details: { kind: 'server', status: 500 }, isTooMuch: true },
	{ title: 'server before it', details: { kind: 'server', beforeRequest: true }, isTooMuch: false },
	{ title: 'busy', details: { kind: 'server', status: 503 }, isTooMuch: false },
	{ title: 'too slow', details: { kind: 'tooSlow' }, isTooMuch: true },
	{ title: 'malformed', details: { kind: 'malformed' }, isTooMuch: true },
	{ title: 'connection lost', details: { kind: 'connectionLost' }, isTooMuch: true },
	{ title: 'busy, not as a server', details: { kind: 'webPage', status: 500 }, isTooMuch: false },
	{ title: 'unreachable', details: { kind: 'unreachable' }, isTooMuch: false },
	{ title: 'parameters', details: { kind: 'refused', code: 201 }, isTooMuch: true },
	{ title: 'other code', details: { kind: 'refused', code: 202 }, isTooMuch: false },
	{ title: 'no code', details: { kind: 'refused' }, isTooMuch: false },
])('a request for less may succeed after this failure: $title', ({ details, isTooMuch }) => {
	expect(mayBeTooMuch(failure(details))).toBe(isTooMuch);
});

it.each<{ title: string; details: Omit<FailureDetails, 'message'>; isUnknown: boolean }>([
	{ title: 'redirect 302', details: { kind: 'redirected', status: 302 }, isUnknown: true },
	{ title: 'redirect 307', details: { kind: 'redirected', status: 307 }, isUnknown: false },
	{ title: 'redirect 308', details: { kind: 'redirected', status: 308 }, isUnknown: false },
	{ title: 'unconfirmed 307', details: { kind: 'unconfirmed', status: 307 }, isUnknown: true },
	{ title: 'web page 404', details: { kind: 'webPage', status: 404 }, isUnknown: false },
	{ title: 'web page 200', details: { kind: 'webPage', status: 200 }, isUnknown: true },
	{ title: 'unconfirmed 404', details: { kind: 'unconfirmed', status: 404 }, isUnknown: true },
	{ title: 'refused 404', details: { kind: 'refused', status: 404 }, isUnknown: false },
	{ title: 'too slow', details: { kind: 'tooSlow' }, isUnknown: true },
	{
		title: 'a login before it',
		details: { kind: 'webPage', beforeRequest: true },
		isUnknown: false,
	},
])('the outcome of a write is unknown after this failure: $title', ({ details, isUnknown }) => {
	expect(outcomeIsUnknown(failure(details))).toBe(isUnknown);
});

it.each<[isExpected: boolean, details: Omit<FailureDetails, 'message'>]>([
	[true, { kind: 'rejected', code: 201 }],
	[true, { kind: 'rejected', serviceMessage: 'Field 1000001 was not found' }],
	[false, { kind: 'rejected', code: 202 }],
	[false, { kind: 'rejected', serviceMessage: 'No access' }],
	[false, { kind: 'rejected' }],
	[false, { kind: 'notFound', code: 201 }],
	[false, { kind: 'notFound', serviceMessage: 'Record 5 was not found' }],
])('whether a failure may concern a field is %s: %j', (isExpected, details) => {
	expect(mayConcernField(failure(details))).toBe(isExpected);
});

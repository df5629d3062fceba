import { noAccessCode } from './errorCodes';
import { failureKinds, type FailureKind, type ServiceError } from './serviceError';

/** Big pages take seconds, with spikes of half a minute. */
export const timeoutMilliseconds = 120_000;
/** A person may wait for the answer. */
export const loginTimeoutMilliseconds = 60_000;
export const mostRedirects = 5;
/** In one run; a service locks accounts after some. */
export const mostRefusedLogins = 2;
/** An answer in text that has not come whole after so long will not be waited for, however it drips. */
export const deadlineMilliseconds = 300_000;
/** Time between two checks of deadlines, in ms. A timer outlives its request by no more: in n8n 2.0.0 no sleep can be ended early. */
export const deadlineCheckMilliseconds = 5_000;
/** Maximum duration of one sleep of a longer wait, in ms: a sleep that is cancelled in n8n 2.0.0 lasts no longer. */
export const maxSleepMilliseconds = 3_000;
/** A refused login is not repeated for so long, and each time for twice as long: thirteen times in an hour. */
export const firstLoginPause = 10_000;
export const longestLoginPause = 600_000;
/** A valid key is sometimes taken for a guest's and refused (code 106); after so many milliseconds it is accepted. */
export const guestMilliseconds = 500;
const firstWaitMilliseconds = 500;
const longestWaitMilliseconds = 60_000;

/** What a gateway says when the service has more to do than it can. */
export const busyStatus = 503;
/** What a service says to a limit that it does not accept. */
const parametersCode = 201;
/** Whatever page comes with it, there was nothing at the address that could have done the work. */
const notFoundStatus = 404;
/** Redirects that ask to send a request once more; others may be the answer to one that was carried out. */
const repeatingRedirects = [307, 308];
const incomplete: readonly FailureKind[] = ['malformed', 'connectionLost', 'tooSlow'];

/** Returns the milliseconds to wait before a request is sent again: what the service asks, up to a minute, or more each time; undefined if never. */
export function waitBeforeRetry(
	error: ServiceError,
	{ isWrite, isDivisible }: { isWrite?: boolean; isDivisible?: boolean },
	attempts: number,
): number | undefined {
	const { kind, details } = error;
	if (isDivisible && mayBeTooMuch(error)) return undefined;
	if (details.code === noAccessCode) return attempts === 1 ? guestMilliseconds : undefined;
	const { reads = 1, writes = 1 } = failureKinds[kind];
	if (attempts >= (isWrite && !details.beforeRequest ? writes : reads)) return undefined;
	return details.retryAfterSeconds === undefined
		? firstWaitMilliseconds * 2 ** (attempts - 1)
		: Math.min(details.retryAfterSeconds * 1000, longestWaitMilliseconds);
}

/** Whether less may be had: the service refuses the amount, or it could not be made in time or sent whole. */
export function mayBeTooMuch({ kind, details }: ServiceError): boolean {
	if (details.beforeRequest) return false;
	if (kind === 'server') return details.status !== busyStatus;
	return details.code === parametersCode || incomplete.includes(kind);
}

/** Whether nobody knows if a write was carried out. */
export function outcomeIsUnknown({ kind, details }: ServiceError): boolean {
	const { beforeRequest, status = 0 } = details;
	if (beforeRequest || (kind === 'webPage' && status === notFoundStatus)) return false;
	if (kind === 'redirected' && repeatingRedirects.includes(status)) return false;
	return failureKinds[kind].isDoubtful === true;
}

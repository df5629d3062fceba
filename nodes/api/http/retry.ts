import { unfinishedCode } from './errorCodes';
import type { FailureKind, ServiceError } from './serviceError';

/**
 * A read may be carried out twice, a divisible one asks for what can be had in smaller parts; a write changes
 * something and must not be carried out twice.
 */
export type RequestPurpose = 'read' | 'divisibleRead' | 'write';

const mostAttempts = 5;
/** Refused at the door, nothing was done, and others of the account may take long to make room. */
const mostRefusals = 8;
/** What a gateway says when the service has more to do than it can. */
const busyStatus = 503;
const firstWaitMilliseconds = 500;
const longestWaitMilliseconds = 60_000;
/** Now and then a good key is taken for a guest's and refused at the door (code 106); after so long it is known. */
export const guestMilliseconds = 500;

/** Failures after which a read may have better luck. */
const passing: ReadonlySet<FailureKind> = new Set<FailureKind>([
	'tooFrequent',
	'server',
	'malformed',
	'unreachable',
	'connectionLost',
]);

/** Failures after which a write was surely not carried out: refused at the door, or never sent. */
const surelyNotCarriedOut: ReadonlySet<FailureKind> = new Set<FailureKind>([
	'tooFrequent',
	'unreachable',
]);

/**
 * How long to wait before the request is sent again: as long as the service asks, up to a minute, or
 * longer each time.
 *
 * @param attempts how often it was sent
 * @returns milliseconds, or undefined when it must not be sent again: the failure will not pass, the
 *   attempts are used up, or it is a write that may have been carried out
 */
export function waitBeforeRetry(
	error: ServiceError,
	purpose: RequestPurpose,
	attempts: number,
): number | undefined {
	if (purpose === 'divisibleRead' && mayBeTooMuch(error)) return undefined;
	const changesNothing = purpose !== 'write' || error.details.beforeRequest === true;
	const repeatable = changesNothing ? passing : surelyNotCarriedOut;
	const most = error.kind === 'tooFrequent' ? mostRefusals : mostAttempts;
	if (attempts >= most || !repeatable.has(error.kind)) return undefined;
	const { retryAfterSeconds } = error.details;
	if (retryAfterSeconds === undefined) return firstWaitMilliseconds * 2 ** (attempts - 1);
	return Math.min(retryAfterSeconds * 1000, longestWaitMilliseconds);
}

/** What a service says to a limit that it does not accept. */
const parametersCode = 201;

/** Whether the account has more requests than the service takes: it should get fewer for a while. */
export function asksForFewer({ kind, details }: ServiceError): boolean {
	return kind === 'tooFrequent' || details.status === busyStatus;
}

/**
 * Whether less may be had where this failed: the service refuses the amount, or it could not be made in time,
 * sent whole, or held.
 */
export function mayBeTooMuch({ kind, details }: ServiceError): boolean {
	if (details.beforeRequest) return false;
	if (kind === 'server') return details.status !== busyStatus;
	return details.code === parametersCode || kind === 'malformed' || kind === 'connectionLost';
}

/** Redirects that may be the answer to a request that was carried out; 307 and 308 ask to send it once more. */
const redirectsAfterWork = [301, 302, 303];
/** Whatever page comes with it, there was nothing at the address that could have done the work. */
const notFoundStatus = 404;

/** Whether nobody knows if the write was carried out. */
export function outcomeIsUnknown({ kind, details }: ServiceError): boolean {
	if (details.beforeRequest) return false;
	return (
		// "The POST request did not finish" says no more than a connection that broke off.
		details.code === unfinishedCode ||
		(kind === 'redirected' && redirectsAfterWork.includes(details.status ?? 0)) ||
		(kind === 'webPage' && details.status !== notFoundStatus) ||
		['server', 'unconfirmed', 'malformed', 'connectionLost'].includes(kind)
	);
}

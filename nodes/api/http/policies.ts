import { noAccessCode } from './errorCodes';
import { failureKinds, type FailureKind, type ServiceError } from './serviceError';
import { saysNotFound } from './successWords';

/** Time-out of a request, in ms. Large pages take seconds, at times half a minute. */
export const timeoutMilliseconds = 120_000;
/** Time-out of a login, in ms. Shorter, because a user who tests a credential waits for it. */
export const loginTimeoutMilliseconds = 60_000;
export const maxRedirects = 5;
/** Maximum number of rejected logins in one run. The service locks accounts after a few. */
export const maxRefusedLogins = 2;
/** Maximum duration of an answer in text, in ms. It also ends answers that keep arriving very slowly. */
export const deadlineMilliseconds = 300_000;
/**
 * Time between two checks of deadlines, in ms. A timer may outlive its request by this time, because n8n 2.0.0 cannot end a sleep
 * early.
 */
export const deadlineCheckMilliseconds = 5_000;
/** Maximum duration of one sleep within a longer wait, in ms. A cancelled sleep runs on for at most this time in n8n 2.0.0. */
export const maxSleepMilliseconds = 3_000;
/** Delay before a rejected login may be sent again, in ms. It doubles with each rejection. */
export const minLoginPauseMilliseconds = 10_000;
export const maxLoginPauseMilliseconds = 600_000;
/** Delay before a request with code 106 is repeated, in ms. For a moment, the service may mistake a valid key for a guest's. */
export const guestRetryMilliseconds = 500;

/**
 * When a failed request is sent again. There is no jitter, because the rate limit of the account spreads the requests of this
 * process, and no list of HTTP methods, because the API sends some writes with GET.
 */
export const retryPolicy = {
	/**
	 * Maximum number of attempts of a read, by kind of failure. 1 for all other kinds. `tooFrequent` has more, because other
	 * programs may use up the limit of the account for a while.
	 */
	maxReadAttempts: { tooFrequent: 8, server: 5, malformed: 5, unreachable: 5, connectionLost: 5 },
	/**
	 * The same for a write, only with kinds of failures after which the write was certainly not carried out. If the login before
	 * the write failed (`beforeRequest`), `maxReadAttempts` applies.
	 */
	maxWriteAttempts: { tooFrequent: 8, unreachable: 5 },
	/** Error codes of the service with a rule that takes precedence, for reads and writes. */
	codes: { [noAccessCode]: { maxAttempts: 2, waitMilliseconds: guestRetryMilliseconds } },
	/** Delay before the first retry, in ms, and factor for each further retry. */
	backoff: { minMilliseconds: 500, factor: 2 },
	/** Maximum delay by a `Retry-After` header, in ms. Longer ones are cut to it. The header takes precedence over the backoff. */
	maxRetryAfterMilliseconds: 60_000,
} satisfies RetryPolicy;

interface RetryPolicy {
	maxReadAttempts: Attempts;
	maxWriteAttempts: Attempts;
	codes: Readonly<Record<number, { maxAttempts: number; waitMilliseconds: number }>>;
	backoff: { minMilliseconds: number; factor: number };
	maxRetryAfterMilliseconds: number;
}

type Attempts = Readonly<Partial<Record<FailureKind, number>>>;

/** HTTP status of an overloaded service or gateway. It halves the request rate without a pause, and keeps the page size. */
export const busyStatus = 503;
/** Service error code for invalid request parameters, such as a page size that is too large. */
const parametersCode = 201;
/** A web page with HTTP 404 means that nothing handled the request, so a write was certainly not carried out. */
const notFoundStatus = 404;
/** Redirects that ask to repeat the request elsewhere: it was not carried out. Other redirects may follow a finished request. */
const repeatingRedirects = [307, 308];
/** Failures that a smaller answer may avoid. */
const incompleteAnswers: readonly FailureKind[] = ['malformed', 'connectionLost', 'tooSlow'];

/**
 * Returns the time in ms to wait before a request is sent again, after `attempts` failed attempts; undefined if it must not be
 * sent again. The rule of an error code takes precedence over `Retry-After`, and `Retry-After` over the backoff (see
 * `retryPolicy`). A divisible request is not sent again if it `mayBeTooMuch`.
 */
export function waitBeforeRetry(
	error: ServiceError,
	{ isWrite, isDivisible }: { isWrite?: boolean; isDivisible?: boolean },
	attempts: number,
): number | undefined {
	const { kind, details } = error;
	const { maxReadAttempts, maxWriteAttempts, codes, backoff }: RetryPolicy = retryPolicy;
	if (isDivisible && mayBeTooMuch(error)) return undefined;
	const ofCode = codes[details.code ?? 0];
	if (ofCode) return attempts < ofCode.maxAttempts ? ofCode.waitMilliseconds : undefined;
	const ofKind = isWrite && !details.beforeRequest ? maxWriteAttempts : maxReadAttempts;
	if (attempts >= (ofKind[kind] ?? 1)) return undefined;
	return details.retryAfterSeconds === undefined
		? backoff.minMilliseconds * backoff.factor ** (attempts - 1)
		: Math.min(details.retryAfterSeconds * 1000, retryPolicy.maxRetryAfterMilliseconds);
}

/** Returns whether a smaller request may succeed: the service refused the amount, failed (not just busy), or did not finish. */
export function mayBeTooMuch({ kind, details }: ServiceError): boolean {
	if (details.beforeRequest) return false;
	if (kind === 'server') return details.status !== busyStatus;
	return details.code === parametersCode || incompleteAnswers.includes(kind);
}

/** Returns whether the service refused a parameter, or did not find something other than the record, such as a field. */
export function mayConcernField({ kind, details }: ServiceError): boolean {
	if (kind === 'notFound') return false;
	return details.code === parametersCode || saysNotFound(details.serviceMessage ?? '');
}

/** Returns whether a failed write may have been carried out. */
export function outcomeIsUnknown({ kind, details }: ServiceError): boolean {
	const { beforeRequest, status = 0 } = details;
	if (beforeRequest || (kind === 'webPage' && status === notFoundStatus)) return false;
	if (kind === 'redirected' && repeatingRedirects.includes(status)) return false;
	return failureKinds[kind].isDoubtful === true;
}

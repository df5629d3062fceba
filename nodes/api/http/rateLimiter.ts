import { getOrInsert } from '../json/objects';
import type { RawAnswer } from './answer';
import type { Send } from './call';
import type { RateLimit } from './connection';
import { processCache } from './processState';
import { acquire, waitUnlessCancelled, type Waiting } from './waiting';

const second = 1000;
// The rate follows AIMD (additive increase, multiplicative decrease), as in TCP: a refusal halves it, each good answer adds a
// step. Below the threshold it doubles instead (slow start).

/** Share of the rate that each good answer adds. After a refusal, 75 answers restore the full rate. */
const recoveryStep = 1 / 150;
/** Time without a refusal after which the full rate is restored, in ms. */
const recoveryMilliseconds = 300_000;
/** Minimum share of the rate when the service counts requests and refuses them as too frequent. */
const minShare = 1 / 64;
/** Minimum share of the rate when the service is overloaded or down. */
const minBusyShare = 1 / 8;

/** The state of each account, shared by all executions of this process. Times are monotonic, in ms. */
const accounts = processCache<{
	/** The requests of the last second, by `at`: the end of a finished request, or the start of a request in progress. */
	sent: Array<RateLimit & { at: number }>;
	/** No request starts before this time. */
	pausedUntil: number;
	/** Share of the rate that is used now, up to 1. */
	share: number;
	/** Share below which each good answer doubles the share. */
	threshold: number;
	/** When the service last refused a request as too frequent, or was busy. */
	refusedAt: number;
}>('rateLimits');

/** Delays requests so that the rate limit of their account holds. */
export function limitRate(next: Send<RawAnswer>): Send<RawAnswer> {
	return async (call) => {
		const { rateLimit } = call.connection;
		const begun = performance.now();
		const send = async () => {
			if (shareOf(accountState(rateLimit)) < 1) call.cache.addWait(performance.now() - begun);
			return await next(call);
		};
		return await schedule(rateLimit, send, call.host);
	};
}

/**
 * Waits until another request is allowed (specification, "Limits"), sends it and counts it. Throws the errors of `send`, and
 * the reason of the signal if the execution is cancelled.
 */
export async function schedule<T>(
	limit: RateLimit,
	send: () => Promise<T>,
	waiting: Waiting,
): Promise<T> {
	const account = accountState(limit);
	const request = { ...limit, at: 0 };
	const count = () => {
		const index = account.sent.lastIndexOf(request);
		if (index !== -1) account.sent.splice(index, 1);
		request.at = performance.now();
		account.sent.push(request);
	};
	// The mutex keeps the order of the calls.
	const release = await acquire(`rate limit of ${limit.account}`, waiting.signal);
	await untilAllowed(limit, waiting).then(count).finally(release);
	// The request reached the service at an unknown time before its answer, so it counts from the answer.
	return await send().finally(count);
}

/** Waits until another request is allowed. Throws the reason of the signal if the execution is cancelled. */
export async function untilAllowed(limit: RateLimit, waiting: Waiting): Promise<void> {
	for (;;) {
		const wait = allowedAt(limit) - performance.now();
		if (wait <= 0) return;
		await waitUnlessCancelled(wait, waiting);
	}
}

/**
 * Returns the monotonic time in ms at which another request may start. The lowest limit of the recent requests counts. Without
 * any limit, only a pause delays requests.
 */
function allowedAt(limit: RateLimit): number {
	const account = accountState(limit);
	dropOldRequests(account.sent);
	const rate = lowestLimit(limit, account.sent) * shareOf(account);
	const maxPerSecond = Math.max(1, Math.floor(rate));
	const interval = second / Math.min(1, rate);
	const freeAt = (account.sent.at(-maxPerSecond)?.at ?? -Infinity) + interval;
	return Math.max(freeAt, account.pausedUntil);
}

/** Returns the lowest number of requests per second that a limit or the recent requests allow; Infinity without any limit. */
function lowestLimit(limit: RateLimit, sent: readonly RateLimit[]): number {
	let lowest = limit.requestsPerSecond || Infinity;
	for (const { requestsPerSecond } of sent) {
		lowest = Math.min(lowest, requestsPerSecond || Infinity);
	}
	return lowest;
}

/** Drops the requests that are over a second old, except the last one: it counts for rates below one per second. */
function dropOldRequests(sent: Array<{ at: number }>): void {
	const firstRecent = sent.findIndex(({ at }) => at + second > performance.now());
	sent.splice(0, firstRecent === -1 ? sent.length - 1 : firstRecent);
}

/**
 * Pauses an account and halves its rate. The rate then recovers step by step, so that several processes end up sharing the
 * limit of the account. Without a pause, the service counts as busy, and `minBusyShare` is the minimum.
 */
export function slowDown(limit: RateLimit, milliseconds: number): void {
	const account = accountState(limit);
	const now = performance.now();
	account.pausedUntil = Math.max(account.pausedUntil, now + milliseconds);
	const share = shareOf(account);
	const lowest = milliseconds > 0 ? minShare : minBusyShare;
	if (share > account.threshold || share === 1) account.threshold = share / 2;
	account.share = Math.max(share / 2, Math.min(share, lowest));
	account.refusedAt = now;
}

/** Raises the rate of an account after a good answer: doubles it below the threshold, and adds a step above it. */
export function speedUp(limit: RateLimit): void {
	const account = accountState(limit);
	const { share, threshold } = account;
	const isLow = share < threshold;
	account.share = isLow ? Math.min(share * 2, threshold) : Math.min(1, share + recoveryStep);
}

function accountState({ account }: RateLimit) {
	const make = () => ({ sent: [], pausedUntil: 0, share: 1, threshold: 1, refusedAt: -Infinity });
	return getOrInsert(accounts, account, make);
}

function shareOf({ share, refusedAt }: { share: number; refusedAt: number }): number {
	return performance.now() - refusedAt < recoveryMilliseconds ? share : 1;
}

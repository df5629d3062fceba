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

/** Number of finished requests whose latencies are compared, and the number from which on they are. */
const maxLatencies = 20;
const minLatencies = 5;

/** A request that counts towards the limit. */
interface SentRequest extends RateLimit {
	/** When it started. */
	begun: number;
	/** Time until its answer, in ms; undefined for a request in progress. */
	latency?: number;
}

/** The state of each account, shared by all executions of this process. Times are monotonic, in ms. */
const accounts = processCache<{
	/** The requests of the last second, in the order of their starts. */
	sent: SentRequest[];
	/** Times that the last finished requests took, in ms. */
	latencies: number[];
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
	const request: SentRequest = { ...limit, begun: 0 };
	const begin = () => {
		request.begun = performance.now();
		account.sent.push(request);
	};
	const end = () => {
		request.latency = performance.now() - request.begun;
		account.latencies = [...account.latencies, request.latency].slice(-maxLatencies);
		if (!account.sent.includes(request)) account.sent.push(request);
	};
	// The mutex keeps the order of the calls.
	const release = await acquire(`rate limit of ${limit.account}`, waiting.signal);
	await untilAllowed(limit, waiting).then(begin).finally(release);
	return await send().finally(end);
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
	dropOldRequests(account);
	const rate = lowestLimit(limit, account.sent) * shareOf(account);
	if (rate === Infinity) return account.pausedUntil;
	const maxPerSecond = Math.max(1, Math.floor(rate));
	const interval = second / Math.min(1, rate);
	const arrivals = latestArrivals(account);
	const freeAt = (arrivals.at(-maxPerSecond) ?? -Infinity) + interval;
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

/**
 * Returns the times from which the recent requests count, in ascending order. Requests must not *arrive* more often than allowed,
 * and their travel times differ by no more than their latencies do. So a request counts from its start plus the spread of the
 * recent latencies, at the latest from its answer. Before enough latencies are known, it counts from its answer.
 */
function latestArrivals({ sent, latencies }: { sent: SentRequest[]; latencies: number[] }) {
	const isKnown = latencies.length >= minLatencies;
	const spread = isKnown ? Math.max(...latencies) - Math.min(...latencies) : Infinity;
	const arrivals = sent.map(({ begun, latency = 0 }) => begun + Math.min(latency, spread));
	return arrivals.sort((left, right) => left - right);
}

/** Drops the requests that ended over a second ago, except the last one: it counts for rates below one per second. */
function dropOldRequests({ sent }: { sent: SentRequest[] }): void {
	const now = performance.now();
	const firstRecent = sent.findIndex(({ begun, latency = 0 }) => begun + latency + second > now);
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
	const make = () => ({
		sent: [],
		latencies: [],
		pausedUntil: 0,
		share: 1,
		threshold: 1,
		refusedAt: -Infinity,
	});
	return getOrInsert(accounts, account, make);
}

function shareOf({ share, refusedAt }: { share: number; refusedAt: number }): number {
	return performance.now() - refusedAt < recoveryMilliseconds ? share : 1;
}

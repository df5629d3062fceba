import { getOrInsert } from '../json/objects';
import type { HttpAnswer } from './answer';
import type { Send } from './call';
import type { RateLimit } from './connection';
import { processCache } from './processState';
import { acquire, waitUnlessCancelled } from './waiting';

const second = 1000;
/** So many requests bring back what one refusal takes of the rate. */
const recoveryRequests = 75;
/** After so long without a refusal it is back at once. */
const recoveryMilliseconds = 300_000;
const smallestShare = 1 / 64;

interface SentRequest {
	requestsPerSecond: number;
	/** When it ended, or began while it is under way; milliseconds of a clock that is never set. */
	at: number;
	/** It holds the account's mutex and has not ended: for those beside it only, it counts already. */
	isUnderWay: boolean;
}

/** Of each account, shared by all executions of this process. */
const accounts = processCache<{
	sent: SentRequest[];
	/** Nothing begins before this time. */
	pausedUntil: number;
	/** The part of the rate that is used now, and when the service last refused a request as too frequent. */
	share: number;
	refusedAt: number;
}>('rateLimits');

/** Sends each request when the account's rate limit allows it. */
export function limitRate(next: Send<HttpAnswer>): Send<HttpAnswer> {
	return async (call) => {
		const limit = { ...call.connection.rateLimit, isBeside: call.request.isPublic };
		return await schedule(limit, async () => await next(call), call.signal);
	};
}

/**
 * Sends a request when one more is allowed (specification, "Limits"), and counts it, whether it succeeds or fails.
 * Throws what `send` throws; the reason of the signal when the execution is cancelled meanwhile.
 */
export async function schedule<T>(
	limit: RateLimit,
	send: () => Promise<T>,
	signal?: AbortSignal,
): Promise<T> {
	// One at a time, lest one beside is overtaken again and again.
	const release = await acquire(`rate limit of ${limit.account}`, signal);
	await untilAllowed(limit, signal).catch((reason: unknown) => {
		release();
		throw reason;
	});
	const request = { ...limit, at: performance.now(), isUnderWay: !limit.isBeside };
	accountOf(limit).sent.push(request);
	release();
	return await send().finally(() => {
		Object.assign(request, { at: performance.now(), isUnderWay: false });
		const account = accountOf(limit);
		account.share = Math.min(1, account.share + 1 / 2 / recoveryRequests);
	});
}

/** Waits until one more request is allowed. Throws the reason of the signal when the execution is cancelled. */
export async function untilAllowed(limit: RateLimit, signal?: AbortSignal): Promise<void> {
	for (;;) {
		const wait = allowedAt(limit) - performance.now();
		if (wait <= 0) return;
		await waitUnlessCancelled(wait, signal);
	}
}

/**
 * Lets no request of the account begin for a while, and then only half as many in a second as before. The rate comes
 * back request by request: so processes that know nothing of each other come to share what the service bears.
 */
export function slowDown(limit: RateLimit, milliseconds: number): void {
	const account = accountOf(limit);
	account.pausedUntil = Math.max(account.pausedUntil, performance.now() + milliseconds);
	account.share = Math.max(shareOf(account) / 2, smallestShare);
	account.refusedAt = performance.now();
}

function accountOf({ account }: RateLimit) {
	const make = () => ({ sent: [], pausedUntil: 0, share: 1, refusedAt: -Infinity });
	return getOrInsert(accounts, account, make);
}

function shareOf({ share, refusedAt }: { share: number; refusedAt: number }): number {
	return performance.now() - refusedAt < recoveryMilliseconds ? share : 1;
}

/**
 * When one more request may begin: of different limits the lowest counts. Nobody knows when a request reaches the
 * service, only that it has when it is answered. So a second is counted from there.
 */
function allowedAt(limit: RateLimit): number {
	const account = accountOf(limit);
	account.sent = account.sent.sort((one, other) => one.at - other.at).filter(stillCounts);
	const sent = account.sent.filter(({ isUnderWay }) => limit.isBeside || !isUnderWay);
	const limits = [limit, ...sent].map(({ requestsPerSecond }) => requestsPerSecond || Infinity);
	const rate = Math.min(...limits) * shareOf(account);
	if (rate === Infinity) return account.pausedUntil;
	const most = Math.max(1, Math.floor(rate));
	const free = (sent.at(-most)?.at ?? -Infinity) + second / Math.min(1, rate);
	return Math.max(free, account.pausedUntil);
}

/** The last one counts for whatever is slower than one a second. */
function stillCounts(request: SentRequest, index: number, sent: readonly SentRequest[]): boolean {
	const milliseconds = Math.max(second, second / (request.requestsPerSecond || Infinity));
	const isLast = index === sent.length - 1;
	return isLast || request.isUnderWay || request.at + milliseconds > performance.now();
}

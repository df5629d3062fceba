import { getOrInsert } from '../json/objects';
import type { HttpAnswer } from './answer';
import type { Send } from './call';
import type { RateLimit } from './connection';
import { processCache } from './processState';
import { waitUnlessCancelled, type Waiting } from './waiting';

const second = 1000;
/** The lowest rate limit of an account counts for so long after a request with it. */
const lowestCounts = 60_000;
/** The part of the rate that is used doubles in such a time without a refusal. */
const doublingTime = 10_000;
const smallestShare = 1 / 64;
/** Where the service is busy, or down, without counting requests. */
const smallestBusyShare = 1 / 4;

/** Of each account, shared by all executions of this process. Times are of a clock that is never set. */
const accounts = processCache<{
	/** The lowest rate of those in use, and when a request with it came last. */
	lowest: { rate: number; at: number };
	/** When the latest requests ended: nobody knows when one reaches the service, only that it has when it is answered. */
	ended: number[];
	/** Nothing begins before this time. */
	pausedUntil: number;
	/** The part of the rate that was used after the latest refusal as too frequent, and when that was. */
	share: number;
	refusedAt: number;
}>('rateLimits');

/** Sends each request when the account's rate limit allows it. */
export function limitRate(next: Send<HttpAnswer>): Send<HttpAnswer> {
	return async (call) => {
		const { rateLimit } = call.connection;
		const begun = performance.now();
		const send = async () => {
			if (shareOf(accountOf(rateLimit)) < 1) call.cache.addWait(performance.now() - begun);
			return await next(call);
		};
		return await schedule(rateLimit, send, call.host);
	};
}

/**
 * Sends a request when one more is allowed (specification, "Limits"), and counts it, whether it succeeds or fails.
 * Throws what `send` throws; the reason of the signal when the execution is cancelled meanwhile.
 */
export async function schedule<T>(
	limit: RateLimit,
	send: () => Promise<T>,
	waiting: Waiting,
): Promise<T> {
	await untilAllowed(limit, waiting);
	return await send().finally(() => {
		const account = accountOf(limit);
		const latest = account.ended.slice(-mostAtOnce(account.lowest.rate));
		account.ended = [...latest, performance.now()];
	});
}

/** Waits until one more request is allowed. Throws the reason of the signal when the execution is cancelled. */
export async function untilAllowed(limit: RateLimit, waiting: Waiting): Promise<void> {
	for (;;) {
		const wait = allowedAt(limit) - performance.now();
		if (wait <= 0) return;
		await waitUnlessCancelled(wait, waiting);
	}
}

/**
 * Lets no request of the account begin for a while, and then only half as many in a second as before. So processes that
 * know nothing of each other come to share what the service bears.
 */
export function slowDown(limit: RateLimit, milliseconds: number): void {
	const account = accountOf(limit);
	const now = performance.now();
	account.pausedUntil = Math.max(account.pausedUntil, now + milliseconds);
	const share = shareOf(account);
	const least = milliseconds > 0 ? smallestShare : smallestBusyShare;
	account.share = Math.max(share / 2, Math.min(share, least));
	account.refusedAt = now;
}

function accountOf({ account }: RateLimit) {
	return getOrInsert(accounts, account, () => ({
		lowest: { rate: Infinity, at: 0 },
		ended: [],
		pausedUntil: 0,
		share: 1,
		refusedAt: 0,
	}));
}

function shareOf({ share, refusedAt }: { share: number; refusedAt: number }): number {
	return Math.min(1, share * 2 ** ((performance.now() - refusedAt) / doublingTime));
}

/** When one more request may begin. */
function allowedAt(limit: RateLimit): number {
	const account = accountOf(limit);
	const rate = limit.requestsPerSecond || Infinity;
	const now = performance.now();
	const { lowest, ended, pausedUntil } = account;
	if (rate <= lowest.rate || now - lowest.at > lowestCounts) account.lowest = { rate, at: now };
	const allowed = account.lowest.rate * shareOf(account);
	if (allowed === Infinity) return pausedUntil;
	const last = ended.at(-mostAtOnce(allowed)) ?? -Infinity;
	return Math.max(last + second / Math.min(1, allowed), pausedUntil);
}

/** How many requests of a rate may come at once, in a second or, below one, in a longer time. */
function mostAtOnce(rate: number): number {
	return rate === Infinity ? 1 : Math.max(1, Math.floor(rate));
}

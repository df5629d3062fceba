import { getOrInsert } from '../json/objects';
import type { RawAnswer } from './answer';
import type { Send } from './call';
import type { RateLimit } from './connection';
import { processCache } from './processState';
import { acquire, waitUnlessCancelled, type Waiting } from './waiting';

const second = 1000;
/** 75 requests bring back what one refusal takes of the rate. */
const recoveryStep = 1 / 150;
/** After so long without a refusal it is back at once. */
const recoveryMilliseconds = 300_000;
/** The least part of the rate: where requests are counted, and where the service is busy, or down, without counting them. */
const [smallestShare, smallestBusyShare] = [1 / 64, 1 / 8];

/** Of each account, shared by all executions of this process. Times are of a clock that is never set. */
const accounts = processCache<{
	/** When each request ended, or began while it is under way, and by which limit; the latest one last. */
	sent: ReadonlyArray<RateLimit & { at: number }>;
	/** Nothing begins before this time. */
	pausedUntil: number;
	/** The part of the rate that is used now; below `threshold` each good answer doubles it. */
	share: number;
	threshold: number;
	/** When the service last refused a request as too frequent. */
	refusedAt: number;
}>('rateLimits');

export function limitRate(next: Send<RawAnswer>): Send<RawAnswer> {
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

/** Sends a request when one more is allowed (specification, "Limits"), and counts it. Throws what `send` throws, and as `untilAllowed`. */
export async function schedule<T>(
	limit: RateLimit,
	send: () => Promise<T>,
	waiting: Waiting,
): Promise<T> {
	const account = accountOf(limit);
	const request = { ...limit, at: 0 };
	const count = () => {
		request.at = performance.now();
		account.sent = [...account.sent.filter((one) => one !== request), request];
	};
	// One at a time, in the order of the calls.
	const release = await acquire(`rate limit of ${limit.account}`, waiting.signal);
	await untilAllowed(limit, waiting).then(count).finally(release);
	return await send().finally(() => {
		// Nobody knows when a request reaches the service, only that it has when it is answered.
		count();
		const { share, threshold } = account;
		const isLow = share < threshold;
		account.share = isLow ? Math.min(share * 2, threshold) : Math.min(1, share + recoveryStep);
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

/** When one more request may begin: of the limits in use the lowest counts. */
function allowedAt(limit: RateLimit): number {
	const account = accountOf(limit);
	// The last one counts for whatever is slower than one a second.
	account.sent = account.sent.filter(
		({ at }, index, { length }) => index === length - 1 || at + second > performance.now(),
	);
	const limits = [limit, ...account.sent].map((one) => one.requestsPerSecond || Infinity);
	const rate = Math.min(...limits) * shareOf(account);
	const most = Math.max(1, Math.floor(rate));
	const free = (account.sent.at(-most)?.at ?? -Infinity) + second / Math.min(1, rate);
	return Math.max(free, account.pausedUntil);
}

/** Lets no request begin for a while, and then half as many as before, coming back step by step: so processes come to share an account. */
export function slowDown(limit: RateLimit, milliseconds: number): void {
	const account = accountOf(limit);
	const now = performance.now();
	account.pausedUntil = Math.max(account.pausedUntil, now + milliseconds);
	const share = shareOf(account);
	const least = milliseconds > 0 ? smallestShare : smallestBusyShare;
	if (share > account.threshold || share === 1) account.threshold = share / 2;
	account.share = Math.max(share / 2, Math.min(share, least));
	account.refusedAt = now;
}

function accountOf({ account }: RateLimit) {
	const make = () => ({ sent: [], pausedUntil: 0, share: 1, threshold: 1, refusedAt: -Infinity });
	return getOrInsert(accounts, account, make);
}

function shareOf({ share, refusedAt }: { share: number; refusedAt: number }): number {
	return performance.now() - refusedAt < recoveryMilliseconds ? share : 1;
}

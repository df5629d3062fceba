import { waitUnlessCancelled } from './cancellation';
import { getOrInsert } from '../json/objects';
import { acquire } from './mutex';
import { processCache } from './processState';

const second = 1000;

/** So many requests bring back what one refusal takes of the set pace. */
const recoveryRequests = 75;

/** After so long without a refusal it is back at once. */
const recoveryMilliseconds = 300_000;

/** Slower than this part of the set pace it never becomes. */
const smallestShare = 1 / 64;

/** What a credential promises: a stretch of time with a request of it holds no more requests than so many. */
interface Limit {
	most: number;
	milliseconds: number;
}

/** A request of the account that has ended, and the limit that it was sent under. */
interface SentRequest extends Limit {
	/** Milliseconds of a clock that is never set. */
	end: number;
}

interface Account {
	sent: SentRequest[];
	/** The request of the turn, until it has ended: it counts from its beginning for those beside it. */
	underWay?: SentRequest;
	/** Nothing begins before this time; milliseconds of the same clock. */
	heldUntil: number;
	/** The part of the set pace that holds now, and when the service last refused a request as too frequent. */
	share: number;
	refusedAt: number;
}

/** Shared by all executions of this process: the limit is the account's. */
const accounts = processCache<Account>('rateLimits');

export interface RateLimit {
	/** The service address and account: those who share it wait for each other. */
	account: string;
	/** At most so many requests, rounded down, reach the service in any second; below 1, one in a longer time; 0 for no limit. */
	requestsPerSecond: number;
	/** Of a request that goes out although another one has the account's turn. */
	isBeside?: boolean;
}

/**
 * Waits until one more request may go out (specification, "Limits"). When that request has ended,
 * `countRequest` is to be told. Throws the reason of the signal when the execution is cancelled meanwhile.
 */
export async function untilPaceAllows(pace: RateLimit, signal?: AbortSignal): Promise<void> {
	// One at a time, lest one beside the turns is overtaken again and again.
	const release = await acquire(`pace of ${pace.account}`, signal);
	try {
		await whenFree(pace, signal);
		// Those behind one beside the turns do not wait for its end: it counts now, and again then.
		if (pace.isBeside) countRequest(pace);
		else accountOf(pace).underWay = sentNow(pace);
	} finally {
		release();
	}
}

async function whenFree(pace: RateLimit, signal?: AbortSignal): Promise<void> {
	for (;;) {
		const account = accountOf(pace);
		account.sent = stillCounting(account.sent);
		const others = pace.isBeside && account.underWay ? [account.underWay] : [];
		const inOrder = [...account.sent, ...others].sort((one, other) => one.end - other.end);
		const free = freeAt(inOrder, limitOf(pace, shareOf(account)));
		const wait = Math.max(free, account.heldUntil) - performance.now();
		if (wait <= 0) return;
		await waitUnlessCancelled(wait, signal);
	}
}

/** Counts a request that has ended now, well or badly. */
export function countRequest(pace: RateLimit): void {
	const account = accountOf(pace);
	if (!pace.isBeside) account.underWay = undefined;
	account.sent.push(sentNow(pace));
	account.share = Math.min(1, account.share + 1 / 2 / recoveryRequests);
}

function sentNow(pace: RateLimit): SentRequest {
	return { ...limitOf(pace), end: performance.now() };
}

/**
 * The service asked for fewer: lets no request of the account begin for a while, and then only half as many in a
 * second as before. The pace comes back little by little, request by request, and never passes the set one. So
 * processes that know nothing of each other come to share what the service bears.
 */
export function slowDown(pace: RateLimit, milliseconds: number): void {
	const account = accountOf(pace);
	account.heldUntil = Math.max(account.heldUntil, performance.now() + milliseconds);
	account.share = Math.max(shareOf(account) / 2, smallestShare);
	account.refusedAt = performance.now();
}

function shareOf({ share, refusedAt }: Account): number {
	return performance.now() - refusedAt < recoveryMilliseconds ? share : 1;
}

function accountOf({ account: name }: RateLimit): Account {
	const make = () => ({ sent: [], heldUntil: 0, share: 1, refusedAt: -Infinity });
	return getOrInsert(accounts, name, make);
}

/** @param share of the set pace */
function limitOf({ requestsPerSecond }: RateLimit, share = 1): Limit {
	if (requestsPerSecond === 0) return { most: Infinity, milliseconds: 0 };
	const perSecond = requestsPerSecond * share;
	return {
		most: Math.max(1, Math.floor(perSecond)),
		milliseconds: second / Math.min(1, perSecond),
	};
}

/**
 * When one more request may begin: no limit is passed, neither its own by those before it, nor that of one
 * before it, which may be another credential's, by those around that one.
 *
 * Nobody knows when a request reaches the service, only that it has when it is answered. So a stretch of
 * time is counted from there: however long each is on its way, the service never sees more.
 */
function freeAt(sent: readonly SentRequest[], own: Limit): number {
	const endOf = (countFromLast: number) => sent.at(-countFromLast)?.end ?? -Infinity;
	let free = endOf(own.most) + own.milliseconds;
	for (const [index, { most, milliseconds }] of sent.entries()) {
		const countFromLast = Math.max(most, sent.length - index);
		free = Math.max(free, endOf(countFromLast) + milliseconds);
	}
	return free;
}

/** The last one counts for whatever is slower than one a second. */
function stillCounting(sent: readonly SentRequest[]): SentRequest[] {
	const now = performance.now();
	const last = sent.at(-1);
	return sent.filter(
		(request) => request === last || request.end + Math.max(second, request.milliseconds) > now,
	);
}

import { waitUnlessCancelled, withCancel } from './cancel';

const second = 1000;

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

/** The requests of one account: one at a time, and no more than so many in a stretch of time. */
interface AccountQueue {
	/** Settles when the last turn in the queue has ended. */
	tail: Promise<void>;
	/** The latest requests, the oldest first. */
	sent: SentRequest[];
	/** Nothing begins before this time; milliseconds of the same clock. */
	heldUntil: number;
}

/** Shared by all executions of this process: the limit is the account's. */
const queues = new Map<string, AccountQueue>();

export interface Pace {
	/** The service address and account: those who share it wait for each other. */
	account: string;
	/** At most so many requests, rounded down, reach the service in any second; below 1, one in a longer time; 0 for no limit. */
	requestsPerSecond: number;
	signal?: AbortSignal;
}

/** Sends when the pace allows. */
export type Paced = <T>(send: () => Promise<T>) => Promise<T>;

/**
 * Runs what takes a turn of its account: after all earlier turns have ended, with each of its requests
 * not faster than the pace (specification, "Limits").
 *
 * @throws what `run` throws; the reason of the signal when the execution is cancelled while waiting
 */
export async function inTurn<T>(pace: Pace, run: (paced: Paced) => Promise<T>): Promise<T> {
	const queue = queueOf(pace.account);
	const previous = queue.tail;
	let leave = () => {};
	const left = new Promise<void>((resolve) => (leave = resolve));
	// Whoever leaves early, cancelled, must not let the next one overtake those before.
	queue.tail = previous.then(() => left);
	try {
		await withCancel(previous, pace.signal);
		return await run(async (send) => await sendPaced(pace, send));
	} finally {
		leave();
	}
}

/**
 * Sends one request when the pace allows, in the turn of whoever calls.
 *
 * @throws what `send` throws; the reason of the signal when the execution is cancelled while waiting
 */
export async function sendPaced<T>(pace: Pace, send: () => Promise<T>): Promise<T> {
	await untilPaceAllows(pace);
	try {
		return await send();
	} finally {
		queueOf(pace.account).sent.push({ ...limitOf(pace), end: performance.now() });
	}
}

/**
 * Waits until one more request may go out.
 *
 * @throws the reason of the signal when the execution is cancelled meanwhile
 */
export async function untilPaceAllows(pace: Pace): Promise<void> {
	const queue = queueOf(pace.account);
	for (;;) {
		queue.sent = stillCounting(queue.sent);
		const free = Math.max(freeAt(queue.sent, limitOf(pace)), queue.heldUntil);
		const wait = free - performance.now();
		if (wait <= 0) return;
		await waitUnlessCancelled(wait, pace.signal);
	}
}

/** Lets no request of the account begin for a while: the service asked for fewer. */
export function holdBack(account: string, milliseconds: number): void {
	const queue = queueOf(account);
	queue.heldUntil = Math.max(queue.heldUntil, performance.now() + milliseconds);
}

function queueOf(account: string): AccountQueue {
	const known = queues.get(account);
	if (known) return known;
	const queue = { tail: Promise.resolve(), sent: [], heldUntil: 0 };
	queues.set(account, queue);
	return queue;
}

function limitOf({ requestsPerSecond }: Pace): Limit {
	if (requestsPerSecond === 0) return { most: Infinity, milliseconds: 0 };
	const most = Math.max(1, Math.floor(requestsPerSecond));
	return { most, milliseconds: second / Math.min(1, requestsPerSecond) };
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

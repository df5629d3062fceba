import { waitUnlessCancelled, withCancel } from './cancel';

/** The requests of one account: one at a time, and no more than so many in a stretch of time. */
interface AccountQueue {
	/** Settles when the last turn in the queue has ended. */
	tail: Promise<void>;
	/** When the latest requests had ended, the oldest first; milliseconds of a clock that is never set. */
	ends: number[];
	/** Nothing begins before this time; milliseconds of the same clock. */
	heldUntil: number;
}

/** Shared by all executions of this process: the limit is the account's. */
const queues = new Map<string, AccountQueue>();

export interface Pace {
	/** The service address and account: those who share it wait for each other. */
	account: string;
	/** At most so many requests reach the service in a second; 0 for as many as there are. */
	requestsPerSecond: number;
	signal?: AbortSignal;
}

/**
 * Sends when the pace allows.
 *
 * @param requests how many it sends: a login may go before
 */
export type Paced = <T>(send: () => Promise<T>, requests?: number) => Promise<T>;

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
		return await run(async (send, requests = 1) => {
			await waitForPace(queue, pace, requests);
			try {
				return await send();
			} finally {
				const now = performance.now();
				queue.ends.push(...Array.from({ length: requests }, () => now));
			}
		});
	} finally {
		leave();
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
	const queue = { tail: Promise.resolve(), ends: [], heldUntil: 0 };
	queues.set(account, queue);
	return queue;
}

/**
 * Nobody knows when a request reaches the service, only that it has when it is answered. So a stretch of
 * time is counted from there: however long each is on its way, the service never sees more.
 */
async function waitForPace(queue: AccountQueue, pace: Pace, requests: number): Promise<void> {
	const most = Math.max(1, Math.floor(pace.requestsPerSecond));
	const isLimited = pace.requestsPerSecond > 0;
	const stretch = isLimited ? (most / pace.requestsPerSecond) * 1000 : 0;
	const others = Math.max(0, most - requests);
	for (;;) {
		queue.ends = queue.ends.slice(-most);
		const end = isLimited ? queue.ends.at(-others - 1) : undefined;
		const free = end === undefined ? 0 : end + stretch;
		const wait = Math.max(free, queue.heldUntil) - performance.now();
		if (wait <= 0) return;
		await waitUnlessCancelled(wait, pace.signal);
	}
}

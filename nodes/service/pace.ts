import { waitUnlessCancelled, withCancel } from './cancel';

/** The requests of one account: one at a time, and no more than so many in a stretch of time. */
interface AccountQueue {
	/** Settles when the last request in the queue has ended. */
	tail: Promise<void>;
	/** When the latest requests began, the oldest first; milliseconds of a clock that is never set. */
	starts: number[];
	/** Nothing begins before this time; milliseconds of the same clock. */
	heldUntil: number;
}

/** Shared by all executions of this process: the limit is the account's. */
const queues = new Map<string, AccountQueue>();

export interface Pace {
	/** The service address and account: those who share it wait for each other. */
	account: string;
	/** At most so many requests begin in a second; 0 for as many as there are. */
	requestsPerSecond: number;
	signal?: AbortSignal;
}

/**
 * Runs a request when it is its turn: after every earlier one of the account has ended, and not
 * faster than the pace (specification, "Limits").
 *
 * @throws what `run` throws; the reason of the signal when the execution is cancelled while waiting
 */
export async function inTurn<T>(pace: Pace, run: () => Promise<T>): Promise<T> {
	const queue = queueOf(pace.account);
	const previous = queue.tail;
	let leave = () => {};
	const left = new Promise<void>((resolve) => (leave = resolve));
	// Whoever leaves early, cancelled, must not let the next one overtake those before.
	queue.tail = previous.then(() => left);
	try {
		await withCancel(previous, pace.signal);
		await waitForPace(queue, pace);
		queue.starts.push(performance.now());
		return await run();
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
	const queue = { tail: Promise.resolve(), starts: [], heldUntil: 0 };
	queues.set(account, queue);
	return queue;
}

async function waitForPace(queue: AccountQueue, pace: Pace): Promise<void> {
	const burst = Math.max(1, Math.floor(pace.requestsPerSecond));
	const stretch = pace.requestsPerSecond > 0 ? (burst / pace.requestsPerSecond) * 1000 : 0;
	for (;;) {
		queue.starts = queue.starts.slice(-burst);
		const [oldest] = queue.starts;
		const free = oldest !== undefined && queue.starts.length >= burst ? oldest + stretch : 0;
		const wait = Math.max(free, queue.heldUntil) - performance.now();
		if (wait <= 0) return;
		await waitUnlessCancelled(wait, pace.signal);
	}
}

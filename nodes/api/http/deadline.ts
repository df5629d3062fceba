import { getOrInsert } from '../json/objects';
import { deadlineCheckMilliseconds, deadlineMilliseconds } from './policies';
import { ServiceError } from './serviceError';
import { withCancel, type Waiting } from './waiting';

/** A time limit, and the error of what exceeds it. */
export interface Deadline {
	/** Returns the monotonic time in ms at which the limit is exceeded. It may move. */
	at: () => number;
	error: () => ServiceError;
}

/** The deadlines of all requests that are under way, checked by one timer. */
class Deadlines {
	/** What is called when a deadline has passed. */
	private readonly pending = new Map<Deadline, (error: ServiceError) => void>();
	/** Monotonic time of the next check in ms. */
	private nextCheckAt = Infinity;

	constructor(private readonly sleep: Waiting['sleep']) {}

	add(deadline: Deadline, onPassed: (error: ServiceError) => void): void {
		this.pending.set(deadline, onPassed);
		// An overdue check does not count: its timer may be lost.
		const isOverdue = this.nextCheckAt < performance.now();
		if (deadline.at() >= this.nextCheckAt && !isOverdue) return;
		this.check().catch(() => (this.nextCheckAt = Infinity));
	}

	delete(deadline: Deadline): void {
		this.pending.delete(deadline);
	}

	/** Checks again and again until no request is under way, or until an earlier check takes over. */
	private async check(): Promise<void> {
		while (this.pending.size > 0) {
			const now = performance.now();
			const left = Math.min(deadlineCheckMilliseconds, this.earliest() - now);
			const checkAt = now + left;
			this.nextCheckAt = checkAt;
			await this.sleep(Math.max(0, left));
			if (this.nextCheckAt !== checkAt) return;
			for (const [deadline, onPassed] of this.pending) {
				if (deadline.at() <= performance.now()) onPassed(deadline.error());
			}
		}
		this.nextCheckAt = Infinity;
	}

	private earliest(): number {
		let earliest = Infinity;
		for (const deadline of this.pending.keys()) earliest = Math.min(earliest, deadline.at());
		return earliest;
	}
}

/** One for each way to sleep: n8n has one. */
const deadlinesBySleep = new WeakMap<Waiting['sleep'], Deadlines>();

/**
 * Returns the result of `run`, whose signal is aborted when the execution is cancelled, or when the deadline has passed.
 * Throws the reason of the cancellation, or the error of the deadline.
 */
export async function withDeadline<T>(
	deadline: Deadline,
	run: (signal: AbortSignal) => Promise<T>,
	{ sleep, signal: outer }: Waiting,
): Promise<T> {
	outer?.throwIfAborted();
	const controller = new AbortController();
	const cancel = () => controller.abort(outer?.reason);
	outer?.addEventListener('abort', cancel);
	const deadlines = getOrInsert(deadlinesBySleep, sleep, () => new Deadlines(sleep));
	deadlines.add(deadline, (error) => controller.abort(error));
	return await withCancel(run(controller.signal), controller.signal).finally(() => {
		deadlines.delete(deadline);
		outer?.removeEventListener('abort', cancel);
	});
}

/**
 * Returns the deadline of an answer that begins now, as text or as a stream. The time-out of a request ends silence; this
 * also ends a text that comes in drips. A stream may take any time: its reader sets the limit.
 */
export function answerDeadline(encoding?: 'stream'): Deadline {
	const at = performance.now() + (encoding ? Infinity : deadlineMilliseconds);
	return { at: () => at, error: tooSlow };
}

function tooSlow(): ServiceError {
	const seconds = deadlineMilliseconds / 1000;
	const message = `The service did not complete its answer within ${seconds} seconds`;
	return new ServiceError({ kind: 'tooSlow', message, description: 'Try again later.' });
}

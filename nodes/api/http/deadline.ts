import { getOrInsert } from '../json/objects';
import { deadlineCheckMilliseconds, deadlineMilliseconds } from './policies';
import { objectState } from './processState';
import { ServiceError } from './serviceError';
import { withCancel, type Waiting } from './waiting';

/** A time limit, and the error if it is exceeded. */
export interface Deadline {
	/** Returns the monotonic time of the deadline in ms. It may change between calls. */
	at: () => number;
	error: () => ServiceError;
}

/** The deadlines of all requests in progress, checked by one timer. */
class Deadlines {
	/** Deadline → callback that runs when the deadline has passed. */
	private readonly pending = new Map<Deadline, (error: ServiceError) => void>();
	/** Monotonic time of the next check in ms. */
	private nextCheckAt = Infinity;

	constructor(private readonly sleep: Waiting['sleep']) {}

	add(deadline: Deadline, onPassed: (error: ServiceError) => void): void {
		this.pending.set(deadline, onPassed);
		// The timer of an overdue check may be lost, so start a new one.
		const isOverdue = this.nextCheckAt < performance.now();
		if (deadline.at() >= this.nextCheckAt && !isOverdue) return;
		this.check().catch(() => (this.nextCheckAt = Infinity));
	}

	delete(deadline: Deadline): void {
		this.pending.delete(deadline);
	}

	/** Checks the deadlines repeatedly. Ends when none is left, or when `add` has started another check in the meantime. */
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

/** Sleep function → its deadlines. n8n has one sleep function, tests have others. */
const deadlinesBySleep = objectState<Waiting['sleep'], Deadlines>('deadlines');

/**
 * Returns the result of `run`. The signal of `run` is aborted if the execution is cancelled or the deadline passes.
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
 * Returns the deadline of an answer whose request starts now. The time-out of a request only limits silence; the deadline
 * also ends a text that arrives very slowly. A stream has no deadline here: its reader sets one.
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

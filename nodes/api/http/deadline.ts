import { getOrInsert } from '../json/objects';
import { deadlineCheckMilliseconds } from './policies';
import { ServiceError } from './serviceError';
import { withCancel, type Waiting } from './waiting';

interface Deadline {
	/** Monotonic time in ms. */
	at: number;
	pass: () => void;
}

/** The deadlines of all requests that are under way, checked by one timer. */
class Deadlines {
	private readonly pending = new Set<Deadline>();
	/** Monotonic time of the next check in ms. */
	private nextCheckAt = Infinity;

	constructor(private readonly sleep: Waiting['sleep']) {}

	add(deadline: Deadline): void {
		this.pending.add(deadline);
		if (deadline.at >= this.nextCheckAt) return;
		this.check().catch(() => (this.nextCheckAt = Infinity));
	}

	delete(deadline: Deadline): void {
		this.pending.delete(deadline);
	}

	/** Checks again and again until no request is under way, or until an earlier check takes over. */
	private async check(): Promise<void> {
		while (this.pending.size > 0) {
			const now = performance.now();
			const checkAt = this.earliest(now + deadlineCheckMilliseconds);
			this.nextCheckAt = checkAt;
			await this.sleep(Math.max(0, checkAt - now));
			if (this.nextCheckAt !== checkAt) return;
			for (const deadline of this.pending) if (deadline.at <= performance.now()) deadline.pass();
		}
		this.nextCheckAt = Infinity;
	}

	private earliest(latest: number): number {
		let earliest = latest;
		for (const { at } of this.pending) earliest = Math.min(earliest, at);
		return earliest;
	}
}

/** One for each way to sleep: n8n has one. */
const deadlinesBySleep = new WeakMap<Waiting['sleep'], Deadlines>();

/**
 * Returns the result of `run`, whose signal is aborted when the execution is cancelled, or after these milliseconds.
 * Throws the reason of the cancellation, or ServiceError of kind `tooSlow`, up to five seconds late. Unlike the time-out
 * of a request, which ends silence, the deadline also ends an answer that comes in drips.
 */
export async function withDeadline<T>(
	milliseconds: number,
	run: (signal: AbortSignal) => Promise<T>,
	{ sleep, signal: outer }: Waiting,
): Promise<T> {
	outer?.throwIfAborted();
	const request = new AbortController();
	const cancel = () => request.abort(outer?.reason);
	outer?.addEventListener('abort', cancel);
	const deadlines = getOrInsert(deadlinesBySleep, sleep, () => new Deadlines(sleep));
	const pass = () => request.abort(tooSlow(milliseconds));
	const deadline = { at: performance.now() + milliseconds, pass };
	if (milliseconds < Infinity) deadlines.add(deadline);
	return await withCancel(run(request.signal), request.signal).finally(() => {
		deadlines.delete(deadline);
		outer?.removeEventListener('abort', cancel);
	});
}

function tooSlow(milliseconds: number): ServiceError {
	const message = `The service did not complete its answer within ${milliseconds / 1000} seconds`;
	return new ServiceError({ kind: 'tooSlow', message, description: 'Try again later.' });
}

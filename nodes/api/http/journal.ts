import type { RawAnswer } from './answer';

/**
 * The answers that confirmed the steps of one item. A step says what a write does, to which record, and with which fields or rows.
 * The sent values are not part of it, because an expression such as `$now` has another value in each attempt. When n8n's Retry On
 * Fail repeats the item, the answer of a confirmed step is returned instead of sending the write again.
 */
export class Journal {
	private readonly answers = new Map<string, RawAnswer>();
	/** Confirmed steps that this attempt has reached. */
	private readonly reached = new Set<string>();

	/** Number of confirmed steps in all attempts. */
	get count(): number {
		return this.answers.size;
	}

	/** Must be called before each attempt of the item. */
	startOver(): void {
		this.reached.clear();
	}

	/** Returns the answer that confirmed a step in an earlier attempt; undefined if the write must be sent. */
	answerOf(step: string): RawAnswer | undefined {
		return this.answers.get(step);
	}

	/** Must be called when a step is confirmed, now or by an earlier attempt. Throws Error if this attempt has already reached it. */
	confirm(step: string, answer: RawAnswer): void {
		// The next attempt could not distinguish two writes with the same step.
		if (this.reached.has(step)) throw new Error(`The step '${step}' is not unique`);
		this.reached.add(step);
		if (!this.answers.has(step)) this.answers.set(step, answer);
	}
}

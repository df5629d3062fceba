import { getOrInsert } from '../json/objects';
import type { RawAnswer } from './answer';

/**
 * The answers that confirmed the steps of one item. A step says what a write does and to which record, and for rows and files also
 * to which of them. The sent values are not part of it, because an expression such as `$now` has another value in each attempt.
 * When n8n's Retry On Fail repeats the item, the answer of a confirmed step is returned instead of sending the write again. Equal
 * steps of one attempt are distinguished by their order.
 */
export class Journal {
	/** Step → answers to its confirmed writes, in the order of the writes. */
	private readonly answers = new Map<string, RawAnswer[]>();
	/** Step → number of its confirmed writes that this attempt has reached. Rejected writes do not count. */
	private readonly reached = new Map<string, number>();
	private confirmedCount = 0;

	/** Number of confirmed writes in all attempts. */
	get count(): number {
		return this.confirmedCount;
	}

	/** Must be called before each attempt of the item: its next write of a step is the first one again. */
	startOver(): void {
		this.reached.clear();
	}

	/** Returns the answer that confirmed the next write of a step in an earlier attempt; undefined if the write must be sent. */
	answerOf(step: string): RawAnswer | undefined {
		return this.answers.get(step)?.[this.reached.get(step) ?? 0];
	}

	/** Must be called when the next write of a step is confirmed, now or by an earlier attempt. */
	confirm(step: string, answer: RawAnswer): void {
		const index = this.reached.get(step) ?? 0;
		const answers = getOrInsert(this.answers, step, () => []);
		if (index === answers.length) {
			answers.push(answer);
			this.confirmedCount += 1;
		}
		this.reached.set(step, index + 1);
	}
}

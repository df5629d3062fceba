import type { RawAnswer } from '../wire/answer';

/**
 * The answers by which the service confirmed the writes of one item. When n8n's Retry On Fail starts the
 * item over, what was confirmed is not sent again: its answer is handed out once more.
 */
export class ConfirmedWrites {
	private readonly answers = new Map<string, RawAnswer>();
	private readonly sent = new Map<string, number>();

	/** Whether anything was confirmed. */
	get any(): boolean {
		return this.answers.size > 0;
	}

	/** From now on writes are counted from the first one again. */
	startOver(): void {
		this.sent.clear();
	}

	/**
	 * Sends a write, unless the one of the same place among those to its address was confirmed before. What
	 * is in it does not count: an expression such as `$now` yields something else in each try.
	 *
	 * @param address method and address
	 * @param decode makes the value of a confirmation, and throws for anything else
	 * @throws what `send` and `decode` throw
	 */
	async once<T>(
		address: string,
		decode: (answer: RawAnswer) => T,
		send: (decode: (answer: RawAnswer) => T) => Promise<T>,
	): Promise<T> {
		const place = (this.sent.get(address) ?? 0) + 1;
		this.sent.set(address, place);
		const key = `${place} ${address}`;
		const confirmed = this.answers.get(key);
		if (confirmed) return decode(confirmed);
		return await send((answer) => {
			const value = decode(answer);
			this.answers.set(key, answer);
			return value;
		});
	}
}

import type { RawAnswer } from './answer';
import { getOrInsert } from '../json/objects';

/** One write among those of an item, and the answer that confirmed it. */
interface ItemWrite {
	confirmation?: RawAnswer;
}

/**
 * The answers by which the service confirmed the writes of one item. When n8n's Retry On Fail starts the
 * item over, what was confirmed is not sent again: its answer is handed out once more.
 */
export class ConfirmedWrites {
	private readonly writes = new Map<string, ItemWrite>();
	private readonly sent = new Map<string, number>();

	get any(): boolean {
		return [...this.writes.values()].some(({ confirmation }) => confirmation !== undefined);
	}

	/** From now on writes are counted from the first one again. */
	startOver(): void {
		this.sent.clear();
	}

	/**
	 * The next write to an address: it is told by its place among those to this address. What is in it does not
	 * count: an expression such as `$now` yields something else in each try.
	 *
	 * @param address method and address
	 */
	next(address: string): ItemWrite {
		const place = (this.sent.get(address) ?? 0) + 1;
		this.sent.set(address, place);
		const key = `${place} ${address}`;
		return getOrInsert(this.writes, key, () => ({}));
	}
}

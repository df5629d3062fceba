import { sheet, type RecordTestbed } from '../engine/recordTestbed';
import { activatePolling, type Poller } from '../engine/runner';
import { orders } from '../service';

const pollsOfRound = 3;
const aMinute = 60_000;

/** Polls of a trigger that is active all the time. */
export class Polls {
	done = 0;

	private readonly begun = Date.now();

	private constructor(
		private readonly testbed: RecordTestbed,
		private readonly poller: Poller,
		private readonly tell: (problem: string) => void,
	) {}

	/** @param tell of a poll that did not give what was changed */
	static async begin(testbed: RecordTestbed, tell: (problem: string) => void): Promise<Polls> {
		const poller = await activatePolling({
			parameters: { sheet: sheet(orders) },
			credentials: testbed.credentials(),
		});
		await poller.poll();
		return new Polls(testbed, poller, tell);
	}

	/** Each finds what somebody has changed since the last one. An hour goes by on the service's clock. */
	async round(): Promise<void> {
		const { service } = this.testbed;
		service.reset();
		for (let turn = 0; turn < pollsOfRound; turn++) {
			this.done += 1;
			const recordId = 1 + (this.done % 50);
			service.clock.set(this.begun + this.done * 20 * aMinute);
			service.people.edit(orders, recordId, { [orders.fields.remark]: `poll ${this.done}` });
			service.clock.advance(2 * aMinute);
			const items = await this.poller.poll();
			if (!items.some((item) => String(item.recordId) === String(recordId))) {
				this.tell(`A poll did not give the changed record, but ${items.length} others`);
			}
		}
		for (const failure of this.poller.failures) this.tell(`A poll has failed: ${String(failure)}`);
		for (const kept of [this.poller.executions, this.poller.failures, this.poller.printed]) {
			kept.splice(0);
		}
	}

	close(): void {
		this.poller.close();
	}
}

import { sheet, type RecordTestbed } from '../engine/recordTestbed';
import { activatePolling, type Poller } from '../engine/runner';
import { orders } from '../service';

const pollsOfRound = 3;
const minute = 60_000;

/** Polls with a trigger that stays active. */
export class Polls {
	done = 0;

	private readonly begun = Date.now();

	private constructor(
		private readonly testbed: RecordTestbed,
		private readonly poller: Poller,
		private readonly reportProblem: (problem: string) => void,
	) {}

	/** @param reportProblem called for each poll that did not emit the changed record */
	static async begin(
		testbed: RecordTestbed,
		reportProblem: (problem: string) => void,
	): Promise<Polls> {
		const poller = await activatePolling({
			parameters: { sheet: sheet(orders) },
			credentials: testbed.credentials(),
		});
		await poller.poll();
		return new Polls(testbed, poller, reportProblem);
	}

	/** Polls three times, each after a change by a user. The clock of the service advances by one hour. */
	async round(): Promise<void> {
		const { service } = this.testbed;
		service.reset();
		for (let turn = 0; turn < pollsOfRound; turn++) {
			this.done += 1;
			const recordId = 1 + (this.done % 50);
			service.clock.set(this.begun + this.done * 20 * minute);
			service.people.edit(orders, recordId, { [orders.fields.remark]: `poll ${this.done}` });
			service.clock.advance(2 * minute);
			const items = await this.poller.poll();
			if (!items.some((item) => String(item.recordId) === String(recordId))) {
				this.reportProblem(`A poll did not give the changed record, but ${items.length} others`);
			}
		}
		for (const failure of this.poller.failures)
			this.reportProblem(`A poll has failed: ${String(failure)}`);
		for (const results of [this.poller.executions, this.poller.failures, this.poller.printed]) {
			results.splice(0);
		}
	}

	close(): void {
		this.poller.close();
	}
}

import { sheet, type RecordTestbed } from '../engine/recordTestbed';
import { activateTrigger, type TriggerListener } from '../engine/runner';
import { orders } from '../service';

/** Number of deliveries sent at the same time. One of them is forged. */
const batchSize = 10;
/** Number of different signed deliveries per round. It is small, because signing takes longer than verifying. */
const bodiesPerRound = 18;

/** Sends signed and forged deliveries to triggers that stay active. */
export class Deliveries {
	sent = 0;
	private forged = 0;

	private bodies: string[] = [];

	private isSecondKey = false;

	private constructor(
		private readonly testbed: RecordTestbed,
		private readonly listeners: TriggerListener[],
		private readonly reportProblem: (problem: string) => void,
	) {}

	/** @param reportProblem called for each wrong response to a delivery and for each error of the trigger */
	static async begin(
		testbed: RecordTestbed,
		reportProblem: (problem: string) => void,
	): Promise<Deliveries> {
		const fieldKeys = 'id';
		const listen = async (options: Record<string, string | boolean>) =>
			await activateTrigger({
				parameters: { sheet: sheet(orders), options: { fieldKeys, ...options } },
				credentials: testbed.credentials(),
			});
		const listeners = [await listen({}), await listen({ skipUnchanged: true, skipRepeats: true })];
		return new Deliveries(testbed, listeners, reportProblem);
	}

	/** Switches between two signing keys, and signs new deliveries with the new key. */
	rotateKey(round: number): void {
		const { webhooks, data } = this.testbed.service;
		this.isSecondKey = round % 2 === 1;
		this.startOver();
		const ordersSheet = data.sheet(orders);
		this.bodies = Array.from({ length: bodiesPerRound }, (_, index) => {
			const record = ordersSheet.record(index + 1);
			record.set(orders.fields.remark, `round ${round}`);
			return webhooks.body(ordersSheet, 'UPDATE', [record]);
		});
	}

	/** Resets the data and requests of the service, but not the signing key. */
	startOver(): void {
		const { service } = this.testbed;
		service.reset();
		if (this.isSecondKey) service.webhooks.key.rotate();
	}

	/** Sends a batch of deliveries at the same time. Batches alternate between the triggers. */
	async sendBatch(): Promise<void> {
		const listener = this.listeners[(this.sent / batchSize) % this.listeners.length];
		if (!listener) throw new Error('There is no active trigger');
		const answers = await Promise.all(
			Array.from({ length: batchSize }, async (_, index) => {
				this.sent += 1;
				const isForged = index === batchSize / 2;
				const { status } = await listener.post(isForged ? this.forgery() : this.nextBody());
				return { status, expected: isForged ? 401 : 200 };
			}),
		);
		for (const { status, expected } of answers) {
			if (status === expected) continue;
			this.reportProblem(`A delivery was answered with ${status} in place of ${expected}`);
		}
		this.collectResults(listener);
	}

	async reactivate(): Promise<void> {
		for (const listener of this.listeners) {
			await listener.deactivate();
			await listener.activate();
		}
	}

	async close(): Promise<void> {
		for (const listener of this.listeners) {
			await listener.deactivate();
			await listener.close();
		}
	}

	private nextBody(): string {
		return this.bodies[this.sent % this.bodies.length] ?? '';
	}

	private forgery(): string {
		this.forged += 1;
		const signature = Buffer.alloc(256, String(this.forged)).toString('base64');
		const [, genuine = ''] = /"signature":"([^"]*)"/.exec(this.nextBody()) ?? [];
		return this.nextBody().replace(genuine, signature);
	}

	/** Reports failures, and clears the results that the engine runner keeps for tests. */
	private collectResults({ executions, failures, printed }: TriggerListener): void {
		for (const failure of failures)
			this.reportProblem(`The trigger has thrown: ${String(failure)}`);
		for (const { status, error } of executions) {
			if (status !== 'success')
				this.reportProblem(`A delivery ended with ${status}: ${error?.message}`);
		}
		for (const results of [executions, failures, printed]) results.splice(0);
	}
}

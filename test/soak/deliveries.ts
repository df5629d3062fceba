import { sheet, type RecordTestbed } from '../engine/recordTestbed';
import { activateTrigger, type TriggerListener } from '../engine/runner';
import { orders } from '../service';

/** Deliveries that come at the same time; one of them is forged. */
const atOnce = 10;
/** Different signed deliveries of a round: to sign one takes longer than to check it. */
const different = 18;

/** Signed and forged deliveries to triggers that listen all the time. */
export class Deliveries {
	sent = 0;
	private forged = 0;

	private bodies: string[] = [];

	private isSecondKey = false;

	private constructor(
		private readonly testbed: RecordTestbed,
		private readonly listeners: TriggerListener[],
		private readonly tell: (problem: string) => void,
	) {}

	/** @param tell of a delivery that was not answered as it should be, and of whatever the trigger throws */
	static async begin(testbed: RecordTestbed, tell: (problem: string) => void): Promise<Deliveries> {
		const fieldKeys = 'id';
		const listen = async (options: Record<string, string | boolean>) =>
			await activateTrigger({
				parameters: { sheet: sheet(orders), options: { fieldKeys, ...options } },
				credentials: testbed.credentials(),
			});
		const listeners = [await listen({}), await listen({ skipUnchanged: true, skipRepeats: true })];
		return new Deliveries(testbed, listeners, tell);
	}

	/** Another of two keys each time. What is delivered from now on is signed with it. */
	rotateKey(round: number): void {
		const { webhooks, data } = this.testbed.service;
		this.isSecondKey = round % 2 === 1;
		this.startOver();
		const ordersSheet = data.sheet(orders);
		this.bodies = Array.from({ length: different }, (_, index) => {
			const record = ordersSheet.record(index + 1);
			record.set(orders.fields.remark, `round ${round}`);
			return webhooks.body(ordersSheet, 'UPDATE', [record]);
		});
	}

	/** Data and requests as at the beginning, but for the key. */
	startOver(): void {
		const { service } = this.testbed;
		service.reset();
		if (this.isSecondKey) service.webhooks.key.rotate();
	}

	/** Sends some at the same time, to each trigger in turn. */
	async someTogether(): Promise<void> {
		const listener = this.listeners[(this.sent / atOnce) % this.listeners.length];
		if (!listener) throw new Error('Nobody listens');
		const answers = await Promise.all(
			Array.from({ length: atOnce }, async (_, index) => {
				this.sent += 1;
				const isForged = index === atOnce / 2;
				const { status } = await listener.post(isForged ? this.forgery() : this.nextBody());
				return { status, expected: isForged ? 401 : 200 };
			}),
		);
		for (const { status, expected } of answers) {
			if (status === expected) continue;
			this.tell(`A delivery was answered with ${status} in place of ${expected}`);
		}
		this.forget(listener);
	}

	async activateAnew(): Promise<void> {
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

	/** What a test keeps to look at later. */
	private forget({ executions, failures, printed }: TriggerListener): void {
		for (const failure of failures) this.tell(`The trigger has thrown: ${String(failure)}`);
		for (const { status, error } of executions) {
			if (status !== 'success') this.tell(`A delivery ended with ${status}: ${error?.message}`);
		}
		for (const kept of [executions, failures, printed]) kept.splice(0);
	}
}

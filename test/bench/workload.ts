import { measurements, orders, startReferenceService, type ReferenceService } from '../service';
import type { MeasuredClient, ScriptedRequest, Task, Work } from './task';
import { demoOrders, workPlans } from './works';

const megabyte = 1024 * 1024;
const recordsOfDelivery = 100;

/** A workload with its own service. */
export class Workload {
	private constructor(
		readonly work: Work,
		readonly amount: number,
		readonly service: ReferenceService,
		private readonly warmUpItems: number,
		private readonly files: { smallFile: string; largeFile: string },
	) {}

	static async start(work: Work, amount: number, warmUpItems: number): Promise<Workload> {
		const service = await startReferenceService({ demoRecords: demoOrders(amount) });
		const smallFile = service.data.generateFile('small.bin', megabyte);
		const largeFile = service.data.generateFile('large.bin', amount);
		return new Workload(work, amount, service, warmUpItems, { smallFile, largeFile });
	}

	taskFor(measuredClient: MeasuredClient, script: ScriptedRequest[]): Task {
		const { baseUrl, account, identities, webhooks } = this.service;
		const { path, index } = ['wideRead', 'wideItems', 'manyFields'].includes(this.work)
			? measurements
			: orders;
		return {
			measuredClient,
			work: this.work,
			amount: this.amount,
			warmUpItems: this.warmUpItems,
			baseUrl,
			account,
			apiKey: identities.member.apiKey,
			sheetPath: `${path}/${index}`,
			script,
			...this.files,
			publicKey: webhooks.key.pem,
		};
	}

	/** Reverts the changes of the previous client and clears the recorded requests. */
	startOver(): void {
		const { service, work, amount } = this;
		if (['create', 'update', 'upsert', 'sync', 'rowSync', 'addRows'].includes(work))
			service.reset();
		workPlans[work].begin?.(service, amount);
		service.requests.clear();
	}

	/**
	 * Returns the requests for the other clients: the requests of the node, or the writes of the plan. Requests for the state of
	 * a task are omitted, because each client polls its own tasks.
	 */
	script(): ScriptedRequest[] {
		const { account, requests } = this.service;
		const writes = workPlans[this.work].writes?.(this.amount);
		if (writes) {
			return writes.map((body, index) => ({
				method: 'POST',
				address: `/${account}/${orders.path}/${orders.index}/${index + 1}?api`,
				body: JSON.stringify(body),
			}));
		}
		return requests
			.all()
			.filter(({ rawUrl }) => !rawUrl.includes('taskId='))
			.map(({ method, rawUrl, body }) => ({
				method,
				address: rawUrl,
				...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
			}));
	}

	/** Returns a few signed deliveries, which are sent repeatedly. */
	deliveries(): string[] {
		const sheet = this.service.data.sheet(orders);
		const records = [...sheet.records.values()];
		return Array.from({ length: 10 }, (_, index) =>
			this.service.webhooks.body(
				sheet,
				'UPDATE',
				records.slice(index * recordsOfDelivery, (index + 1) * recordsOfDelivery),
			),
		);
	}

	/** @throws Error if the work is missing or incomplete */
	demandDone(count: number): void {
		if (workPlans[this.work].isDone(this.service, this.amount, count)) return;
		throw new Error(`The work was not done: ${this.work}`);
	}
}

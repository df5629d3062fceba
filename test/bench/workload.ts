import { orders, startReferenceService, type ReferenceService } from '../service';
import { giveReferences } from './items';
import type { MeasuredClient, ScriptedRequest, Task, Work } from './task';

const megabyte = 1024 * 1024;
const recordsOfDelivery = 100;

/** How much there is to do: records, items, bytes or deliveries. */
export type Amounts = Record<Work, number>;

export const fullAmounts: Amounts = {
	read: 100_000,
	create: 500,
	upsert: 500,
	massLock: 10_000,
	download: 300 * megabyte,
	upload: 300 * megabyte,
	verify: 1_000,
};

/** For trying the bench itself out. */
export const smallAmounts: Amounts = {
	read: 3_000,
	create: 20,
	upsert: 20,
	massLock: 1_000,
	download: 5 * megabyte,
	upload: 5 * megabyte,
	verify: 20,
};

/** Words for a table. */
export function titleOf(work: Work, amount: number): string {
	const count = amount.toLocaleString('en-US');
	const titles: Record<Work, string> = {
		read: `read ${count} records`,
		create: `create ${count}`,
		upsert: `upsert ${count}, half exist`,
		massLock: `mass lock ${count} items`,
		download: `${amount / megabyte} MB down`,
		upload: `${amount / megabyte} MB up`,
		verify: `verify ${count} deliveries`,
	};
	return titles[work];
}

/** One kind of work with a service of its own. */
export class Workload {
	private constructor(
		readonly work: Work,
		readonly amount: number,
		readonly service: ReferenceService,
		private readonly files: { smallFile: string; largeFile: string },
	) {}

	static async start(work: Work, amount: number): Promise<Workload> {
		const demoRecords = work === 'read' || work === 'massLock' ? amount : 2_500;
		const service = await startReferenceService({ demoRecords });
		const smallFile = service.data.generateFile('small.bin', megabyte);
		const largeFile = service.data.generateFile('large.bin', amount);
		return new Workload(work, amount, service, { smallFile, largeFile });
	}

	taskFor(measuredClient: MeasuredClient, script: ScriptedRequest[]): Task {
		const { baseUrl, account, identities, webhooks } = this.service;
		return {
			measuredClient,
			work: this.work,
			amount: this.amount,
			baseUrl,
			account,
			apiKey: identities.member.apiKey,
			sheetPath: `${orders.path}/${orders.index}`,
			script,
			...this.files,
			publicKey: webhooks.key.pem,
		};
	}

	/** Takes back what the last measuredClient changed; what it sent is forgotten. */
	startOver(): void {
		const { service, work, amount } = this;
		if (work === 'create' || work === 'upsert') service.reset();
		if (work === 'upsert') giveReferences(service, amount);
		if (work === 'massLock') {
			service.tasks.forget();
			for (const record of service.data.sheet(orders).records.values()) record.locked = false;
		}
		if (work === 'upload') service.data.record(orders, 5).set(orders.fields.contract, '');
		service.requests.clear();
	}

	/** What the node sent, without the looks at tasks, of which each client takes its own. */
	script(): ScriptedRequest[] {
		return this.service.requests
			.all()
			.filter(({ rawUrl }) => !rawUrl.includes('taskId='))
			.map(({ method, rawUrl, body }) => ({
				method,
				address: rawUrl,
				...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
			}));
	}

	/** Signed deliveries; a few of them again and again. */
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

	/**
	 * @param came how many records, bytes or deliveries came, by the measuredClient's own count
	 * @throws Error when the work was not done, or only a part of it
	 */
	demandDone(came: number): void {
		const { data } = this.service;
		const { records } = data.sheet(orders);
		const done: Record<Work, () => boolean> = {
			read: () => came === this.amount,
			create: () => records.size === 2_500 + this.amount,
			upsert: () => records.size === 2_500 + Math.floor(this.amount / 2),
			massLock: () => [...records.values()].every(({ locked }) => locked),
			download: () => came === this.amount,
			upload: () => uploadedSizes(this.service).includes(this.amount),
			verify: () => came === this.amount,
		};
		if (!done[this.work]()) throw new Error(`The work was not done: ${this.work}`);
	}
}

function uploadedSizes({ data }: ReferenceService): Array<number | undefined> {
	const values = [data.record(orders, 5).value(orders.fields.contract)].flat();
	return values.map((value) => data.files.get(value)?.size);
}

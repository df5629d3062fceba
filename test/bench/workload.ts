import {
	measurements,
	orders,
	startReferenceService,
	type ReferenceService,
	type SheetAddress,
} from '../service';
import {
	areRowsSynced,
	giveReferences,
	isSynced,
	itemsToSync,
	storeForSync,
	storeRows,
	writtenRows,
} from './items';
import type { MeasuredClient, ScriptedRequest, Task, Work } from './task';
import { replaceMeasurements } from './wideSheet';

const megabyte = 1024 * 1024;
const recordsOfDelivery = 100;

/** How much there is to do: records, items, bytes or deliveries. */
export type Amounts = Record<Work, number>;

export const fullAmounts: Amounts = {
	read: 100_000,
	wideRead: 20_000,
	create: 500,
	upsert: 500,
	sync: 1_000,
	rowSync: 1_000,
	massLock: 10_000,
	download: 300 * megabyte,
	upload: 300 * megabyte,
	verify: 1_000,
};

/** For trying the bench itself out. */
export const smallAmounts: Amounts = {
	read: 3_000,
	wideRead: 3_000,
	create: 20,
	upsert: 20,
	sync: 200,
	rowSync: 200,
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
		wideRead: `wide read, 3 of 40 fields`,
		create: `create ${count}`,
		upsert: `upsert ${count}, half exist`,
		sync: `sync ${count}, ${Math.ceil(amount / 100)} differ`,
		rowSync: `sync ${count} with ${(amount * 5).toLocaleString('en-US')} rows`,
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
		if (work === 'wideRead') replaceMeasurements(service, amount);
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
			sheetPath: pathOf(this.work === 'wideRead' ? measurements : orders),
			script,
			...this.files,
			publicKey: webhooks.key.pem,
		};
	}

	/** Takes back what the last measuredClient changed; what it sent is forgotten. */
	startOver(): void {
		const { service, work, amount } = this;
		if (['create', 'upsert', 'sync', 'rowSync'].includes(work)) service.reset();
		if (work === 'upsert') giveReferences(service, amount);
		if (work === 'sync') storeForSync(service, amount);
		if (work === 'rowSync') storeRows(service, amount);
		if (work === 'massLock') {
			service.tasks.forget();
			for (const record of service.data.sheet(orders).records.values()) record.locked = false;
		}
		if (work === 'upload') service.data.record(orders, 5).set(orders.fields.contract, '');
		service.requests.clear();
	}

	/**
	 * What the node sent, without the looks at tasks, of which each client takes its own. For a sync, all writes:
	 * who does not know what is stored cannot leave any out.
	 */
	script(): ScriptedRequest[] {
		if (this.work === 'sync') return this.writesOfAll(itemsToSync(this.amount));
		if (this.work === 'rowSync') return this.writesOfAll(writtenRows(this.amount));
		return this.service.requests
			.all()
			.filter(({ rawUrl }) => !rawUrl.includes('taskId='))
			.map(({ method, rawUrl, body }) => ({
				method,
				address: rawUrl,
				...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
			}));
	}

	/** The writes of all items of a sync, as if the ids of their records were known. */
	private writesOfAll(items: object[]): ScriptedRequest[] {
		const { account } = this.service;
		return items.map((item, index) => ({
			method: 'POST',
			address: `/${account}/${pathOf(orders)}/${index + 1}?api`,
			body: JSON.stringify(item),
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
		// Who only repeats the requests has the records twice that two pages share.
		const areRead = () => came >= this.amount && came < this.amount + this.service.requests.count;
		const done: Record<Work, () => boolean> = {
			read: areRead,
			wideRead: areRead,
			create: () => records.size === 2_500 + this.amount,
			upsert: () => records.size === 2_500 + Math.floor(this.amount / 2),
			sync: () => came === this.amount && isSynced(this.service, this.amount),
			rowSync: () => came === this.amount && areRowsSynced(this.service, this.amount),
			massLock: () => [...records.values()].every(({ locked }) => locked),
			download: () => came === this.amount,
			upload: () => uploadedSizes(this.service).includes(this.amount),
			verify: () => came === this.amount,
		};
		if (!done[this.work]()) throw new Error(`The work was not done: ${this.work}`);
	}
}

function pathOf({ path, index }: SheetAddress): string {
	return `${path}/${index}`;
}

function uploadedSizes({ data }: ReferenceService): Array<number | undefined> {
	const values = [data.record(orders, 5).value(orders.fields.contract)].flat();
	return values.map((value) => data.files.get(value)?.size);
}

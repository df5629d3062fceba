import type { INodeParameters } from 'n8n-workflow';
import { orders, type IdentityName } from '../../service';
import { RecordTestbed, sheet, useRecordTestbed } from '../recordTestbed';
import { activateTrigger, type ActivateTriggerOptions, type TriggerListener } from '../runner';
import { secretsFoundIn } from '../secrets';

/** The reference service of one test file, and triggers that listen to it. */
export class TriggerTestbed {
	private readonly listeners: TriggerListener[] = [];

	constructor(readonly testbed: RecordTestbed) {}

	get service() {
		return this.testbed.service;
	}

	/** Data of somebody's choosing with the service's signature, readdressed to the sheet of orders. */
	readdressed(data: Array<Record<string, string | number>>, eventType = 'UPDATE'): string {
		const others = { apname: 'acme', path: '/sales/orders', sheetIndex: 1, eventType };
		return this.service.webhooks.signedBody(data, others);
	}

	/** Requests to the account, not those for the public key. */
	get reads() {
		return this.service.requests.all().filter(({ path }) => path.startsWith('/acme'));
	}

	/** Somebody changes the remarks of orders together. */
	async changeTogether(recordIds: number[]): Promise<void> {
		const { remark } = orders.fields;
		this.service.people.massChange(orders, recordIds, ({ id }) => ({ [remark]: `of ${id}` }));
		await this.service.webhooks.settled();
	}

	refuseToRead(recordId: number): void {
		this.service.faults.inject({
			kind: 'body',
			when: ({ path }) => path.endsWith(`/${recordId}`),
			times: 2,
			body: '{"status":"ERROR","code":106,"msg":"No access right."}',
		});
	}

	/** Where the public key was asked for. */
	get keyRequests() {
		return this.service.requests.all().filter(({ path }) => path.includes('PublicKey'));
	}

	/**
	 * A trigger for the sheet of orders, with ids for the names of fields unless the test says otherwise:
	 * names are asked for.
	 */
	async listen(
		{ options = {}, ...parameters }: INodeParameters = {},
		more: Partial<ActivateTriggerOptions> = {},
	): Promise<TriggerListener> {
		const byIds = typeof options === 'object' ? { fieldKeys: 'id', ...options } : options;
		return await this.listenAsItIs({ ...parameters, options: byIds }, more);
	}

	/** The same with every default of the trigger. */
	async listenAsItIs(
		parameters: INodeParameters,
		more: Partial<ActivateTriggerOptions> = {},
	): Promise<TriggerListener> {
		const listener = await activateTrigger({
			parameters: { sheet: sheet(orders), ...parameters },
			credentials: this.testbed.credentials(),
			...more,
		});
		this.listeners.push(listener);
		return listener;
	}

	/** A trigger for the sheet of orders that is entered in the sheet's webhook settings by hand. */
	async subscribe(
		parameters: INodeParameters = {},
		receiver: { fullContent?: boolean } = {},
	): Promise<TriggerListener> {
		const listener = await this.listen(parameters);
		this.service.webhooks.register(orders, listener.url, receiver);
		return listener;
	}

	/** A signed delivery of orders. */
	body(
		recordIds: readonly number[],
		event: 'CREATE' | 'UPDATE' | 'DELETE' = 'UPDATE',
		changes: Parameters<typeof this.service.webhooks.body>[3] = {},
	): string {
		const ordersSheet = this.service.data.sheet(orders);
		const records = recordIds.map((id) => ordersSheet.record(id));
		return this.service.webhooks.body(ordersSheet, event, records, changes);
	}

	credentials(identity: IdentityName = 'member') {
		return this.testbed.credentials(identity);
	}

	/** Closes every listener, and fails when n8n would store, show or log a secret. */
	async end(): Promise<void> {
		const found: string[] = [];
		for (const listener of this.listeners.splice(0)) {
			await listener.settled();
			found.push(...secretsFoundIn(listener.recorded, this.service));
			await listener.close();
		}
		expect(found).toEqual([]);
	}
}

let minutes = 0;

/**
 * One service for a test file. The clock goes on by a day before each test: the node asks for a key
 * at most once a minute, whatever the service's reset made of it.
 */
export function useTriggerTestbed(demoRecords = 2_500): TriggerTestbed {
	return watched(new TriggerTestbed(useRecordTestbed({ demoRecords })));
}

/** The same with a service of its own for each test, of which the node knows no key yet. */
export function useFreshTriggerTestbed(): TriggerTestbed {
	const testbed = new RecordTestbed();
	beforeEach(async () => await testbed.start());
	afterEach(async () => await testbed.stop());
	return watched(new TriggerTestbed(testbed));
}

function watched(testbed: TriggerTestbed): TriggerTestbed {
	beforeEach(() => {
		minutes += 24 * 60;
		setClock();
	});
	afterEach(async () => {
		await testbed.end();
		jest.restoreAllMocks();
	});
	return testbed;
}

/** Lets time pass without waiting. */
export function passMinutes(count: number): void {
	minutes += count;
	setClock();
}

function setClock(): void {
	jest.restoreAllMocks();
	const now = performance.now.bind(performance);
	jest.spyOn(performance, 'now').mockImplementation(() => now() + minutes * 60_000);
}

/** Returns the orders and remarks in the items of a workflow. */
export async function remarksOf(listener: TriggerListener): Promise<unknown[]> {
	const items = await listener.items();
	return items.map(({ recordId, record }) => [recordId, Object(record)[orders.fields.remark]]);
}

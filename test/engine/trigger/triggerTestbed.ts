import type { INodeParameters } from 'n8n-workflow';
import { orders, type IdentityName } from '../../service';
import { RecordTestbed, sheet, useRecordTestbed } from '../recordTestbed';
import { activateTrigger, type ActivateTriggerOptions, type TriggerListener } from '../runner';
import { secretsFoundIn } from '../secrets';

/** Reference service of a test file, and triggers that receive its deliveries. */
export class TriggerTestbed {
	private readonly listeners: TriggerListener[] = [];

	constructor(readonly testbed: RecordTestbed) {}

	get service() {
		return this.testbed.service;
	}

	/** Returns a delivery with any data and a valid signature of the service, readdressed to the sheet of orders. */
	readdressed(data: Array<Record<string, string | number>>, eventType = 'UPDATE'): string {
		const envelope = { apname: 'acme', path: '/sales/orders', sheetIndex: 1, eventType };
		return this.service.webhooks.signedBody(data, envelope);
	}

	/** Requests to the account, without requests for the public key. */
	get reads() {
		return this.service.requests.all().filter(({ path }) => path.startsWith('/acme'));
	}

	/** Changes the remarks of orders as a user, at the same time. */
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

	/** Requests for the public key. */
	get keyRequests() {
		return this.service.requests.all().filter(({ path }) => path.includes('PublicKey'));
	}

	/** Starts a trigger for the sheet of orders, with field IDs by default, because names need requests. */
	async listen(
		{ options = {}, ...parameters }: INodeParameters = {},
		overrides: Partial<ActivateTriggerOptions> = {},
	): Promise<TriggerListener> {
		const byIds = typeof options === 'object' ? { fieldKeys: 'id', ...options } : options;
		return await this.listenAsItIs({ ...parameters, options: byIds }, overrides);
	}

	/** Starts a trigger for the sheet of orders, with all defaults of the trigger. */
	async listenAsItIs(
		parameters: INodeParameters,
		overrides: Partial<ActivateTriggerOptions> = {},
	): Promise<TriggerListener> {
		const listener = await activateTrigger({
			parameters: { sheet: sheet(orders), ...parameters },
			credentials: this.testbed.credentials(),
			...overrides,
		});
		this.listeners.push(listener);
		return listener;
	}

	/** Starts a trigger for the sheet of orders, and registers it manually in the sheet's webhook settings. */
	async subscribe(
		parameters: INodeParameters = {},
		receiver: { fullContent?: boolean } = {},
	): Promise<TriggerListener> {
		const listener = await this.listen(parameters);
		this.service.webhooks.register(orders, listener.url, receiver);
		return listener;
	}

	/** Returns a signed delivery of orders. */
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

	/** Closes every listener. Fails if n8n would store, show or log a secret. */
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
 * Starts one service for a test file. The clock advances by one day before each test, because the node requests a key at most
 * once a minute, even after a reset of the service.
 */
export function useTriggerTestbed(demoRecords = 2_500): TriggerTestbed {
	return watched(new TriggerTestbed(useRecordTestbed({ demoRecords })));
}

/** Starts a service for each test, so that the node has no cached key. */
export function useFreshTriggerTestbed(demoRecords = 300): TriggerTestbed {
	const testbed = new RecordTestbed();
	beforeEach(async () => await testbed.start({ demoRecords }));
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

/** Advances the clock without waiting. */
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

import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import {
	orders,
	startReferenceService,
	type Fault,
	type IdentityName,
	type ReferenceService,
	type ReferenceServiceOptions,
	type SeenRequest,
	type SheetAddress,
} from '../service';
import {
	forgetPreviousTest,
	runNode,
	type InputItem,
	type RunNodeOptions,
	type RunResult,
} from './runner';
import { secretsFoundIn } from './secrets';

/** A resource locator as the editor stores it. */
export interface Locator extends INodeParameters {
	__rl: true;
	mode: string;
	value: string;
}

export function sheet({ path, index }: SheetAddress): Locator {
	return { __rl: true, mode: 'path', value: `${path}/${index}` };
}

/** The sheet by a path, or by an expression that yields one, as the editor stores it. */
export function sheetAt(value: string): Locator {
	return { __rl: true, mode: 'path', value };
}

export function recordId(value: number | string): Locator {
	return { __rl: true, mode: 'id', value: String(value) };
}

/** An operation on the sheet of orders. */
export function onOrders(operation: string): { operation: string; sheet: Locator } {
	return { operation, sheet: sheet(orders) };
}

/** An operation on one order, on that of each item's `id` unless it is said. */
export function onOrder(operation: string, id: number | string = '={{ $json.id }}') {
	return { ...onOrders(operation), recordId: recordId(id) };
}

export function numbers(count: number, from = 1): number[] {
	return Array.from({ length: count }, (_, index) => from + index);
}

/** Takes the name of a field of the orders away. */
export function unname({ data }: ReferenceService, fieldId = orders.fields.unnamed): void {
	for (const field of data.sheet(orders).fields) if (field.id === fieldId) field.name = '';
}

/** Returns the members of a trigger's item for a verified update of an order, without the record. */
export function eventOf(recordId: number, more: object) {
	const address = { account: 'acme', path: 'sales/orders', sheetIndex: 1 };
	return { event: 'UPDATE', recordId, ...address, verified: true, ...more };
}

type Told = string | RegExp;

/** The reference service of one test file, and the node that talks to it in n8n's engine. */
export class RecordTestbed {
	private started: ReferenceService | undefined;

	get service(): ReferenceService {
		if (!this.started) throw new Error('The service has not been started yet');
		return this.started;
	}

	async start(options?: ReferenceServiceOptions): Promise<void> {
		this.started = await startReferenceService(options);
	}

	async stop(): Promise<void> {
		await this.started?.close();
	}

	credentials(identity: IdentityName = 'member', more: INodeParameters = {}) {
		const { baseUrl, account, identities } = this.service;
		const { apiKey } = identities[identity];
		return { sheetRecordsApi: { baseUrl, account, apiKey, requestsPerSecond: 0, ...more } };
	}

	/** Returns the credentials for a run as another user. */
	as(identity?: IdentityName, more?: INodeParameters) {
		return { credentials: this.credentials(identity, more) };
	}

	/** A session credential that has not logged in yet, as fast as the service is. */
	sessionCredentials(identity: IdentityName = 'member', more: INodeParameters = {}) {
		const { baseUrl, account, identities } = this.service;
		const { email, password } = identities[identity];
		const credentialData = { baseUrl, account, email, password, requestsPerSecond: 0 };
		return { sheetRecordsSessionApi: { ...credentialData, ...more } };
	}

	/** Runs the action node as `member` with the node's defaults, and checks that no secret was recorded. */
	async run(
		parameters: INodeParameters,
		items: InputItem[] = [{}],
		more: Partial<RunNodeOptions> = {},
	): Promise<RunResult> {
		const result = await runNode({
			node: 'sheetRecords',
			parameters: { resource: 'record', ...parameters },
			items,
			credentials: this.credentials(),
			...more,
		});
		this.expectNoSecrets(result, JSON.stringify([parameters, items]));
		return result;
	}

	/** Like `run`, but a write returns its fields by ID (`fieldKeys: 'id'`), which takes no request for names. */
	async runById(
		parameters: INodeParameters,
		items?: InputItem[],
		more?: Partial<RunNodeOptions>,
	): Promise<RunResult> {
		return await this.run(byIds({ resource: 'record', ...parameters }), items, more);
	}

	/** Like `run` with Continue On Fail: failed items are on the error output. */
	async runAll(
		parameters: INodeParameters,
		items?: InputItem[],
		more: Partial<RunNodeOptions> = {},
	): Promise<RunResult> {
		return await this.run(parameters, items, { onError: 'continueErrorOutput', ...more });
	}

	/** Like `runById` with Continue On Fail: failed items are on the error output. */
	async runAllById(
		parameters: INodeParameters,
		items?: InputItem[],
		more: Partial<RunNodeOptions> = {},
	): Promise<RunResult> {
		return await this.runById(parameters, items, { onError: 'continueErrorOutput', ...more });
	}

	/** Returns the message and description of the error that ends a run. */
	async errorOf(...runArguments: Parameters<RecordTestbed['run']>): Promise<string | undefined> {
		return (await this.run(...runArguments)).error?.message;
	}

	/** Expects that exactly these input items failed, each with these words in its error. A list is for the first items. */
	expectErrors(
		{ errorItems }: { errorItems: INodeExecutionData[] },
		expectedErrors: Told | Told[] | Record<number, Told>,
		count = 1,
	): void {
		const isOne = typeof expectedErrors === 'string' || expectedErrors instanceof RegExp;
		const all = Object.entries(isOne ? Array<Told>(count).fill(expectedErrors) : expectedErrors);
		expect(errorItems.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual(
			all.map(([item, words]) => [expect.stringMatching(asPattern(words)), { item: Number(item) }]),
		);
	}

	/** Expects that all items fail with these words in their errors, and that nothing is written. */
	async expectRefused(
		parameters: INodeParameters,
		items: InputItem[],
		expectedErrors: Told | Told[],
		more?: Partial<RunNodeOptions>,
	): Promise<void> {
		const result = await this.runAll(parameters, items, more);
		this.expectErrors(result, expectedErrors, items.length);
		expect([result.items, this.writes]).toEqual([[], []]);
	}

	/** The service answers so next time. */
	inject(fault: Fault): void {
		this.service.faults.inject(fault);
	}

	/** The service refuses these requests, once unless it is said. */
	refuse(when: Fault['when'], times = 1, code = 202, msg = 'No.'): void {
		this.inject({
			kind: 'body',
			body: JSON.stringify({ status: 'ERROR', code, msg }),
			when,
			times,
		});
	}

	/** The sheet of orders in the service. */
	get orders() {
		return this.service.data.sheet(orders);
	}

	order(id: number) {
		return this.service.data.record(orders, id);
	}

	/** Fails when n8n would store, show or log a secret; what the test itself put in does not count. */
	expectNoSecrets(result: RunResult, input = ''): void {
		expect(secretsFoundIn(result.recorded, this.service, input)).toEqual([]);
	}

	get logins(): SeenRequest[] {
		return this.service.requests.all().filter(({ path }) => path === '/AUTH');
	}

	get writes(): SeenRequest[] {
		return this.service.requests.all().filter(({ method }) => method !== 'GET');
	}

	get bodies(): Array<SeenRequest['body']> {
		return this.writes.map(({ body }) => body);
	}

	get writeUrls(): string[] {
		return this.writes.map(({ rawUrl }) => rawUrl);
	}

	get readUrls(): string[] {
		return this.reads.map(({ rawUrl }) => rawUrl);
	}

	get reads(): SeenRequest[] {
		return this.service.requests.all().filter(({ method }) => method === 'GET');
	}
}

/** Operations that return the saved record. */
const writes = /^(?:record (?:create|update|upsert)|subtableRow (?:add|update)|file upload)$/;

function byIds(parameters: INodeParameters): INodeParameters {
	const { resource, operation, options = {} } = parameters;
	const isWrite = writes.test(`${String(resource)} ${String(operation)}`);
	if (!isWrite || typeof options !== 'object') return parameters;
	return { ...parameters, options: { fieldKeys: 'id', ...options } };
}

/** One service for a test file, with few orders, back at its beginning before each test. */
export function useRecordTestbed(options?: ReferenceServiceOptions): RecordTestbed {
	const testbed = new RecordTestbed();
	beforeAll(async () => await testbed.start({ demoRecords: 300, ...options }));
	beforeEach(() => {
		testbed.service.reset();
		forgetPreviousTest();
	});
	afterAll(async () => await testbed.stop());
	return testbed;
}

function asPattern(words: Told): RegExp {
	return typeof words === 'string'
		? new RegExp(words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
		: words;
}

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

/** Resource locator as stored by the editor. */
export interface Locator extends INodeParameters {
	__rl: true;
	mode: string;
	value: string;
}

export function sheet({ path, index }: SheetAddress): Locator {
	return { __rl: true, mode: 'path', value: `${path}/${index}` };
}

/** Returns a sheet by its path, or by an expression that returns a path, as stored by the editor. */
export function sheetAt(value: string): Locator {
	return { __rl: true, mode: 'path', value };
}

export function recordId(value: number | string): Locator {
	return { __rl: true, mode: 'id', value: String(value) };
}

/** Returns the parameters of an operation on the sheet of orders. */
export function onOrders(operation: string): { operation: string; sheet: Locator } {
	return { operation, sheet: sheet(orders) };
}

/** Returns the parameters of an operation on one order, by default the order of the item's `id`. */
export function onOrder(operation: string, id: number | string = '={{ $json.id }}') {
	return { ...onOrders(operation), recordId: recordId(id) };
}

export function numbers(count: number, from = 1): number[] {
	return Array.from({ length: count }, (_, index) => from + index);
}

/** Removes the name of a field of the orders. */
export function unname({ data }: ReferenceService, fieldId = orders.fields.unnamed): void {
	for (const field of data.sheet(orders).fields) if (field.id === fieldId) field.name = '';
}

/** Returns the properties of a trigger's item for a verified update of an order, without the record. */
export function eventOf(recordId: number, overrides: object) {
	const address = { account: 'acme', path: 'sales/orders', sheetIndex: 1 };
	return { event: 'UPDATE', recordId, ...address, verified: true, ...overrides };
}

type ExpectedText = string | RegExp;

/** Reference service of a test file, and the action node that sends requests to it in the n8n engine. */
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

	credentials(identity: IdentityName = 'member', overrides: INodeParameters = {}) {
		const { baseUrl, account, identities } = this.service;
		const { apiKey } = identities[identity];
		return { sheetRecordsApi: { baseUrl, account, apiKey, requestsPerSecond: 0, ...overrides } };
	}

	/** Returns the credentials for a run as another user. */
	as(identity?: IdentityName, overrides?: INodeParameters) {
		return { credentials: this.credentials(identity, overrides) };
	}

	/** Returns a session credential without a login, and without a limit of requests per second. */
	sessionCredentials(identity: IdentityName = 'member', overrides: INodeParameters = {}) {
		const { baseUrl, account, identities } = this.service;
		const { email, password } = identities[identity];
		const credentialData = { baseUrl, account, email, password, requestsPerSecond: 0 };
		return { sheetRecordsSessionApi: { ...credentialData, ...overrides } };
	}

	/** Runs the action node as `member` with its defaults, and checks that no secret was recorded. */
	async run(
		parameters: INodeParameters,
		items: InputItem[] = [{}],
		overrides: Partial<RunNodeOptions> = {},
	): Promise<RunResult> {
		const result = await runNode({
			node: 'sheetRecords',
			parameters: { resource: 'record', ...parameters },
			items,
			credentials: this.credentials(),
			...overrides,
		});
		this.expectNoSecrets(result, JSON.stringify([parameters, items]));
		return result;
	}

	/** Like `run`, but a write returns its fields by ID (`fieldKeys: 'id'`), without a request for names. */
	async runById(
		parameters: INodeParameters,
		items?: InputItem[],
		overrides?: Partial<RunNodeOptions>,
	): Promise<RunResult> {
		return await this.run(byIds({ resource: 'record', ...parameters }), items, overrides);
	}

	/** Like `run` with Continue On Fail: failed items are on the error output. */
	async runAll(
		parameters: INodeParameters,
		items?: InputItem[],
		overrides: Partial<RunNodeOptions> = {},
	): Promise<RunResult> {
		return await this.run(parameters, items, { onError: 'continueErrorOutput', ...overrides });
	}

	/** Like `runById` with Continue On Fail: failed items are on the error output. */
	async runAllById(
		parameters: INodeParameters,
		items?: InputItem[],
		overrides: Partial<RunNodeOptions> = {},
	): Promise<RunResult> {
		return await this.runById(parameters, items, { onError: 'continueErrorOutput', ...overrides });
	}

	/** Returns the message and description of the error that ends a run. */
	async errorOf(...runArguments: Parameters<RecordTestbed['run']>): Promise<string | undefined> {
		return (await this.run(...runArguments)).error?.message;
	}

	/** Expects that exactly these input items failed, each with this text in its error. A list starts with the first item. */
	expectErrors(
		{ errorItems }: { errorItems: INodeExecutionData[] },
		expectedErrors: ExpectedText | ExpectedText[] | Record<number, ExpectedText>,
		count = 1,
	): void {
		const isSingle = typeof expectedErrors === 'string' || expectedErrors instanceof RegExp;
		const expectedByItem = Object.entries(
			isSingle ? Array<ExpectedText>(count).fill(expectedErrors) : expectedErrors,
		);
		expect(errorItems.map(({ json, pairedItem }) => [json.error, pairedItem])).toEqual(
			expectedByItem.map(([item, words]) => [
				expect.stringMatching(asPattern(words)),
				{ item: Number(item) },
			]),
		);
	}

	/** Expects that all items fail with these texts in their errors, and that nothing is written. */
	async expectRefused(
		parameters: INodeParameters,
		items: InputItem[],
		expectedErrors: ExpectedText | ExpectedText[],
		overrides?: Partial<RunNodeOptions>,
	): Promise<void> {
		const result = await this.runAll(parameters, items, overrides);
		this.expectErrors(result, expectedErrors, items.length);
		expect([result.items, this.writes]).toEqual([[], []]);
	}

	/** Makes the next matching request fail. */
	inject(fault: Fault): void {
		this.service.faults.inject(fault);
	}

	/** Rejects the matching requests, by default once. */
	refuse(when: Fault['when'], times = 1, code = 202, msg = 'No.'): void {
		this.inject({
			kind: 'body',
			body: JSON.stringify({ status: 'ERROR', code, msg }),
			when,
			times,
		});
	}

	/** Sheet of orders in the service. */
	get orders() {
		return this.service.data.sheet(orders);
	}

	order(id: number) {
		return this.service.data.record(orders, id);
	}

	/** Fails if n8n would store, show or log a secret, except for secrets in the input of the test. */
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

/** Starts one service with few orders for a test file, and resets it before each test. */
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

function asPattern(words: ExpectedText): RegExp {
	return typeof words === 'string'
		? new RegExp(words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
		: words;
}

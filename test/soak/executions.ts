import type { INodeExecutionData } from 'n8n-workflow';
import { askingOperations } from '../engine/faults/askingOperations';
import { changingOperations } from '../engine/faults/changingOperations';
import type { OperationCase } from '../engine/faults/operation';
import { operationsInSteps } from '../engine/faults/operationsInSteps';
import type { RecordTestbed } from '../engine/recordTestbed';
import { CredentialStore, runNode, type RunResult } from '../engine/runner';
import type { Fault, IdentityName } from '../service';

/** All that the node does, as the matrix of faults asks for it. */
const operations = [...askingOperations, ...changingOperations, ...operationsInSteps];

/** One execution of so many meets a fault: in each round others. */
const struckEvery = 5;
const page = '<!DOCTYPE html><html><title>Maintenance</title></html>';
const tooFrequent = '{"status":"ERROR","code":204,"msg":"Request frequency too high."}';
const faults: readonly Fault[] = [
	{ kind: 'status', status: 503 },
	{ kind: 'status', status: 429, headers: { 'retry-after': '2' } },
	{ kind: 'body', body: tooFrequent },
	{ kind: 'resetUnread' },
	{ kind: 'reset' },
	{ kind: 'resetAfterWork' },
	{ kind: 'truncate' },
	{ kind: 'truncateSilently' },
	{ kind: 'body', body: page, afterWork: true },
	{ kind: 'redirect', location: 'https://elsewhere.invalid/' },
];

/** Mixed executions of the node, by key and by session, one of them after the other. */
export class Executions {
	done = 0;
	private struck = 0;

	private rounds = 0;

	private readonly stores = new Map<IdentityName, CredentialStore>();

	/** @param tell of an execution that failed although nothing was in its way */
	constructor(
		private readonly testbed: RecordTestbed,
		private readonly tell: (problem: string) => void,
	) {}

	/** Each operation once: after `startOver`, and with `beside` done beside it, whose end ends all sessions. */
	async round(startOver: () => void, beside: () => Promise<void>): Promise<void> {
		const { service } = this.testbed;
		this.rounds += 1;
		for (const [index, operation] of operations.entries()) {
			const turn = this.rounds + index;
			startOver();
			operation.prepare?.(service);
			const items = (await operation.items?.(service)) ?? [{ json: {} }];
			const isStruck = turn % struckEvery === 0;
			if (isStruck) this.injectFault();
			const [result] = await Promise.all([
				this.run(operation, items, turn % 2 === 0 ? 'apiKey' : 'session'),
				beside().then(() => service.expireSessions()),
			]);
			if (!isStruck) this.judge(operation, result);
			this.done += 1;
		}
	}

	private injectFault(): void {
		const fault = faults[this.struck % faults.length];
		if (fault) {
			this.testbed.service.faults.inject({
				...fault,
				when: ({ path }) => !path.includes('PublicKey'),
			});
		}
		this.struck += 1;
	}

	private async run(
		{ identity = 'member', parameters }: OperationCase,
		items: INodeExecutionData[],
		authentication: 'apiKey' | 'session',
	): Promise<RunResult> {
		const credentialStore = this.storeOf(identity);
		// Renewed sessions are noted there, for tests to look at.
		credentialStore.updates.splice(0);
		return await runNode({
			node: 'sheetRecords',
			parameters: { ...parameters, authentication },
			items: items.map((item) => ({ ...item, json: { ...item.json, patience: 1_000 } })),
			credentialStore,
		});
	}

	private storeOf(identity: IdentityName): CredentialStore {
		const known = this.stores.get(identity);
		if (known) return known;
		const store = new CredentialStore();
		const rateLimit = { requestsPerSecond: 1_000 };
		const credentials = {
			...this.testbed.credentials(identity, rateLimit),
			...this.testbed.sessionCredentials(identity, rateLimit),
		};
		for (const [type, data] of Object.entries(credentials)) store.add(type, data);
		this.stores.set(identity, store);
		return store;
	}

	private judge({ operation, variant = '' }: OperationCase, { status, error }: RunResult): void {
		if (status === 'success') return;
		this.tell(`${operation} ${variant} ended with ${status}: ${error?.message ?? 'no error'}`);
	}
}

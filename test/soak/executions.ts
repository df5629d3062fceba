import type { INodeExecutionData } from 'n8n-workflow';
import { readingOperations } from '../engine/faults/readingOperations';
import { changingOperations } from '../engine/faults/changingOperations';
import type { OperationCase } from '../engine/faults/operation';
import { operationsInSteps } from '../engine/faults/operationsInSteps';
import type { RecordTestbed } from '../engine/recordTestbed';
import { CredentialStore, runNode, type RunResult } from '../engine/runner';
import type { Fault, IdentityName } from '../service';

/** All operations of the node, as in the matrix of faults. */
const operations = [...readingOperations, ...changingOperations, ...operationsInSteps];

/** A fault occurs in every fifth execution, in different operations each round. */
const executionsPerFault = 5;
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

/** Runs mixed executions of the node in sequence, with API keys and sessions. */
export class Executions {
	done = 0;
	private injectedFaults = 0;

	private rounds = 0;

	private readonly stores = new Map<IdentityName, CredentialStore>();

	/** @param reportProblem called for each execution that failed without a fault */
	constructor(
		private readonly testbed: RecordTestbed,
		private readonly reportProblem: (problem: string) => void,
	) {}

	/**
	 * Runs each operation once, after `startOver` and in parallel with `meanwhile`. All sessions expire before each operation. If they
	 * expired during it, too, a slow machine might need a second login for one request, which the node does not do.
	 */
	async round(startOver: () => void, meanwhile: () => Promise<void>): Promise<void> {
		const { service } = this.testbed;
		this.rounds += 1;
		for (const [index, operation] of operations.entries()) {
			const turn = this.rounds + index;
			startOver();
			operation.prepare?.(service);
			const items = (await operation.items?.(service)) ?? [{ json: {} }];
			const hasFault = turn % executionsPerFault === 0;
			if (hasFault) this.injectFault();
			service.expireSessions();
			const [result] = await Promise.all([
				this.run(operation, items, turn % 2 === 0 ? 'apiKey' : 'session'),
				meanwhile(),
			]);
			if (!hasFault) this.judge(operation, result);
			this.done += 1;
		}
	}

	private injectFault(): void {
		const fault = faults[this.injectedFaults % faults.length];
		if (fault) {
			this.testbed.service.faults.inject({
				...fault,
				when: ({ path }) => !path.includes('PublicKey'),
			});
		}
		this.injectedFaults += 1;
	}

	private async run(
		{ identity = 'member', parameters }: OperationCase,
		items: INodeExecutionData[],
		authentication: 'apiKey' | 'session',
	): Promise<RunResult> {
		const credentialStore = this.storeOf(identity);
		// The store records renewed sessions for tests. Clear them, so that memory does not grow.
		credentialStore.updates.splice(0);
		return await runNode({
			node: 'sheetRecords',
			parameters: { ...parameters, authentication },
			items: items.map((item) => ({ ...item, json: { ...item.json, patience: 1_000 } })),
			credentialStore,
		});
	}

	private storeOf(identity: IdentityName): CredentialStore {
		const existing = this.stores.get(identity);
		if (existing) return existing;
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
		this.reportProblem(
			`${operation} ${variant} ended with ${status}: ${error?.message ?? 'no error'}`,
		);
	}
}

import { readFileSync } from 'node:fs';
import { startReferenceService, type IdentityName, type ReferenceService } from '../service';
import { secretsFoundIn } from '../engine/secrets';
import type { WorkflowJson } from '../engine/runner/storedWorkflow';
import { start } from './chain';
import { Editor, type Execution, type SavedCredential } from './editor';
import { preparation, preparedN8n } from './preparation';
import type { N8nSettings, RunningN8n } from './runningN8n';

type AnyN8n = Pick<RunningN8n, 'url' | 'printed' | 'start' | 'remove'>;

/** A real n8n with the package, the signed-in owner, and the reference service. */
export class N8nTestbed<N8n extends AnyN8n = AnyN8n> {
	private startedService: ReferenceService | undefined;

	private startedN8n: N8n | undefined;

	private loggedIn: Editor | undefined;

	constructor(private readonly prepare: () => Promise<N8n>) {}

	get service(): ReferenceService {
		return present(this.startedService);
	}

	get n8n(): N8n {
		return present(this.startedN8n);
	}

	get editor(): Editor {
		return present(this.loggedIn);
	}

	async start(): Promise<void> {
		this.startedService = await startReferenceService();
		this.startedN8n = await this.prepare();
		await this.n8n.start();
		this.loggedIn = new Editor(this.n8n.url);
		await this.editor.enter();
	}

	/** Stops n8n and the service. Fails if n8n's log contains a secret. */
	async stop(): Promise<void> {
		await this.startedN8n?.remove();
		await this.startedService?.close();
		if (this.startedN8n) this.expectNoSecrets(this.n8n.printed);
	}

	async apiKey(identity: IdentityName = 'member', overrides = {}): Promise<SavedCredential> {
		const { baseUrl, account, identities } = this.service;
		const { apiKey } = identities[identity];
		return await this.editor.createCredential(
			'sheetRecordsApi',
			{ baseUrl, account, apiKey, requestsPerSecond: 0, ...overrides },
			'Sheet Records API account',
		);
	}

	/** Saves a session credential in n8n without logging in. */
	async session(identity: IdentityName = 'member', overrides = {}): Promise<SavedCredential> {
		const { baseUrl, account, identities } = this.service;
		const { email, password } = identities[identity];
		return await this.editor.createCredential(
			'sheetRecordsSessionApi',
			{ baseUrl, account, email, password, requestsPerSecond: 0, ...overrides },
			'Sheet Records Session API account',
		);
	}

	/** Imports and runs a workflow with the manual trigger. Fails if the stored execution contains a secret. */
	async run(workflow: WorkflowJson, ...credentials: SavedCredential[]): Promise<Execution> {
		return await this.runFrom(start, workflow, ...credentials);
	}

	/** Imports a workflow and runs it from a trigger. Fails if the stored execution contains a secret. */
	async runFrom(
		trigger: string,
		workflow: WorkflowJson,
		...credentials: SavedCredential[]
	): Promise<Execution> {
		const saved = await this.editor.importWorkflow(workflow, credentials);
		const execution = await this.editor.run(saved, trigger);
		this.expectNoSecrets(execution.stored);
		return execution;
	}

	expectNoSecrets(text: string): void {
		expect(secretsFoundIn(text, this.service, '')).toEqual([]);
	}
}

/** Uses the n8n that all test files share, with a service for this test file. */
export function useSharedN8n(): N8nTestbed {
	const testbed = use(new N8nTestbed(async () => new SharedN8nLog()));
	afterAll(async () => await testbed.editor.leave());
	return testbed;
}

/** Starts n8n and a service for this test file or describe block only. */
export function useN8nTestbed(settings: N8nSettings = {}): N8nTestbed<RunningN8n> {
	return use(new N8nTestbed(async () => await preparedN8n(settings)));
}

function use<Testbed extends N8nTestbed>(testbed: Testbed): Testbed {
	beforeAll(async () => await testbed.start());
	afterAll(async () => await testbed.stop(), 240_000);
	return testbed;
}

/** The shared n8n, which keeps running between test files. Its log contains only the output since this test file began. */
class SharedN8nLog implements AnyN8n {
	private readonly shared = present(preparation().shared);

	private readonly before = this.log().length;

	readonly url = this.shared.url;

	get printed(): string {
		return this.log().slice(this.before);
	}

	private log(): string {
		return readFileSync(this.shared.log, 'utf8');
	}

	async start(): Promise<void> {}

	async remove(): Promise<void> {}
}

function present<T>(value: T | undefined): T {
	if (value === undefined) throw new Error('n8n has not been started yet');
	return value;
}

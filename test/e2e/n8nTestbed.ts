import { readFileSync } from 'node:fs';
import { startReferenceService, type IdentityName, type ReferenceService } from '../service';
import { secretsFoundIn } from '../engine/secrets';
import type { WorkflowJson } from '../engine/runner/storedWorkflow';
import { start } from './chain';
import { Editor, type Execution, type SavedCredential } from './editor';
import { preparation, preparedN8n } from './preparation';
import type { N8nSettings, RunningN8n } from './runningN8n';

type AnyN8n = Pick<RunningN8n, 'url' | 'printed' | 'start' | 'remove'>;

/** A real n8n with the package in it, its owner at the editor, and the reference service beside it. */
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

	/** Ends everything, and fails when n8n's log holds a secret. */
	async stop(): Promise<void> {
		await this.startedN8n?.remove();
		await this.startedService?.close();
		if (this.startedN8n) this.expectNoSecrets(this.n8n.printed);
	}

	async apiKey(identity: IdentityName = 'member', more = {}): Promise<SavedCredential> {
		const { baseUrl, account, identities } = this.service;
		const { apiKey } = identities[identity];
		return await this.editor.createCredential(
			'sheetRecordsApi',
			{ baseUrl, account, apiKey, requestsPerSecond: 0, ...more },
			'Sheet Records API account',
		);
	}

	/** A session credential, saved in n8n and not logged in yet. */
	async session(identity: IdentityName = 'member', more = {}): Promise<SavedCredential> {
		const { baseUrl, account, identities } = this.service;
		const { email, password } = identities[identity];
		return await this.editor.createCredential(
			'sheetRecordsSessionApi',
			{ baseUrl, account, email, password, requestsPerSecond: 0, ...more },
			'Sheet Records Session API account',
		);
	}

	/** Imports a workflow, runs it from its button, and looks for secrets in what n8n stored of it. */
	async run(workflow: WorkflowJson, ...credentials: SavedCredential[]): Promise<Execution> {
		return await this.runFrom(start, workflow, ...credentials);
	}

	/** The same from another trigger. */
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

/** The n8n that test files share, one after the other, and a service for this one. */
export function useSharedN8n(): N8nTestbed {
	const testbed = use(new N8nTestbed(async () => new SharedN8nLog()));
	afterAll(async () => await testbed.editor.leave());
	return testbed;
}

/** An n8n and a service for a test file alone, or for one of its parts. */
export function useN8nTestbed(settings: N8nSettings = {}): N8nTestbed<RunningN8n> {
	return use(new N8nTestbed(async () => await preparedN8n(settings)));
}

function use<Testbed extends N8nTestbed>(testbed: Testbed): Testbed {
	beforeAll(async () => await testbed.start(), 240_000);
	afterAll(async () => await testbed.stop(), 240_000);
	return testbed;
}

/** It runs before this test file and after it; of its log, what it prints in between counts. */
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

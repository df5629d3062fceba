import type { ExecutionError, IDataObject, INodeParameters } from 'n8n-workflow';
import { Agent, request } from 'undici';
import { WebhookContext } from '../core';
import type { CredentialStore } from '../credentialStore';
import type { ActiveWorkflow } from './activeWorkflow';
import { RecordedTrigger } from './recordedTrigger';
import { startExecution } from './startExecution';
import { WebhookServer, type WebhookRequest, type WebhookResponse } from './webhookServer';

export interface WebhookAnswer {
	status: number;
	body: string;
}

/** Active workflow and a server for its webhook, as in n8n. */
export class TriggerListener extends RecordedTrigger {
	private readonly running = new Set<Promise<void>>();

	private agent = new Agent();

	private barrier: RequestBarrier | undefined;

	private server: WebhookServer | undefined;

	/**
	 * @param bodyLimit maximum size of a request body in bytes, if n8n is configured with another limit
	 * @param onAddress is called with the webhook address before each activation
	 */
	constructor(
		active: ActiveWorkflow,
		private readonly bodyLimit?: number,
		private readonly onAddress?: (url: string) => void,
	) {
		super(active);
	}

	/** Starts the server, on a free port by default, and activates the workflow. */
	async start(
		port?: number,
		mode: 'activate' | 'init' | 'leadershipChange' = 'activate',
	): Promise<void> {
		this.server = await WebhookServer.start(
			async (incoming, response) => await this.handle(incoming, response),
			{ port, bodyLimit: this.bodyLimit },
		);
		this.active.baseUrl = this.server.baseUrl;
		this.onAddress?.(this.url);
		await this.active.activate(mode);
	}

	/**
	 * Restarts n8n, or lets another instance take over (`leadershipChange`). Data that is not stored is lost, and the webhook is
	 * registered again.
	 */
	async restart(mode: 'init' | 'leadershipChange' = 'init'): Promise<void> {
		await this.agent.close();
		this.agent = new Agent();
		const port = Number(new URL(this.url).port);
		await this.server?.close();
		await this.start(port, mode);
	}

	get url(): string {
		return this.active.url;
	}

	/** Credentials of the workflow. */
	get store(): CredentialStore {
		return this.active.store;
	}

	async items(): Promise<IDataObject[]> {
		await this.settled();
		return this.executions.flatMap(({ items }) => items.map(({ json }) => json));
	}

	/** Resolves when all received requests are handled, and their executions have ended. */
	async settled(): Promise<void> {
		await Promise.all(this.running);
	}

	/** Sends a request to the webhook, and waits for the executions that it starts. */
	async post(
		body: string | Buffer,
		headers: Record<string, string> = { 'content-type': 'application/json' },
		url = this.url,
	): Promise<WebhookAnswer> {
		const answer = await request(url, { method: 'POST', body, headers, dispatcher: this.agent });
		const text = await answer.body.text();
		await this.settled();
		return { status: answer.statusCode, body: text };
	}

	/** Sends a request to the webhook of a test run in the editor. */
	async postTest(body: string): Promise<WebhookAnswer> {
		return await this.post(body, undefined, this.active.testUrl);
	}

	/**
	 * Sends requests that n8n handles concurrently, in this order: all of them load the static data before the node runs for the
	 * first one, and all store it after the node has run for the last one.
	 */
	async postTogether(...bodies: string[]): Promise<WebhookAnswer[]> {
		const barrier = new RequestBarrier(bodies.length);
		this.barrier = barrier;
		const answers: Array<Promise<WebhookAnswer>> = [];
		for (const body of bodies) {
			const arrival = barrier.arrival();
			answers.push(this.post(body));
			await arrival;
		}
		const answered = await Promise.all(answers);
		this.barrier = undefined;
		return answered;
	}

	async activate(): Promise<void> {
		await this.active.activate('activate');
	}

	/** Changes parameters of the active trigger, and publishes the workflow. Like in n8n, an error on deactivation is ignored. */
	async change(parameters: INodeParameters): Promise<void> {
		await this.deactivate().catch(() => undefined);
		this.active.edit(parameters);
		await this.activate();
	}

	/** Adds or replaces parameters of the trigger, without publishing the workflow. */
	edit(parameters: INodeParameters): void {
		this.active.edit(parameters);
	}

	async deactivate(): Promise<void> {
		await this.active.deactivate();
	}

	async close(): Promise<void> {
		this.stopListening();
		await this.agent.close();
		await this.server?.close();
		await this.settled();
	}

	private async handle(incoming: WebhookRequest, response: WebhookResponse): Promise<void> {
		const handling = this.runWebhook(incoming, response);
		this.running.add(handling);
		await handling.finally(() => this.running.delete(handling));
	}

	/** Calls the node, answers the request, stores static data, and starts an execution, like n8n. */
	private async runWebhook(incoming: WebhookRequest, response: WebhookResponse): Promise<void> {
		const { active } = this;
		const isTest = incoming.url?.startsWith('/webhook-test/') ?? false;
		const mode = isTest ? 'manual' : 'webhook';
		const workflow = active.open({ isTest });
		const additionalData = active.additionalData({ httpRequest: incoming, httpResponse: response });
		const context = new WebhookContext(
			workflow,
			active.triggerIn(workflow),
			additionalData,
			mode,
			active.webhookData(additionalData),
			[],
			null,
		);
		await this.barrier?.attend();
		let error: ExecutionError | undefined;
		const result = await active.nodeType.webhook?.call(context).catch((thrown: ExecutionError) => {
			error = thrown;
		});
		await this.barrier?.attend();
		if (!result) {
			const message = 'Workflow Webhook Error: Workflow could not be started!';
			if (!response.headersSent) response.status(500).json({ message });
			if (!isTest) this.failures.push(error);
			else
				this.executions.push(
					await startExecution(active, workflow, [[{ json: {} }]], { mode, error }),
				);
			return;
		}
		const { noWebhookResponse, webhookResponse, workflowData } = result;
		if (!isTest && (noWebhookResponse || !workflowData)) active.saveStaticData(workflow);
		if (!noWebhookResponse) {
			const usual = workflowData ? 'firstEntryJson' : { message: 'Webhook call received' };
			response.status(200).json(webhookResponse ?? usual);
		}
		if (!workflowData) return;
		this.executions.push(await startExecution(active, workflow, workflowData, { mode }));
	}
}

/** Holds requests until the expected number has arrived, then continues them in order. */
class RequestBarrier {
	private waiting: Array<() => void> = [];

	private readonly arrivals: Array<() => void> = [];

	constructor(private readonly size: number) {}

	/** Resolves when all requests have arrived. Can be used several times. */
	async attend(): Promise<void> {
		const released = new Promise<void>((resolve) => this.waiting.push(resolve));
		this.arrivals.shift()?.();
		if (this.waiting.length === this.size) {
			for (const resume of this.waiting.splice(0)) resume();
		}
		await released;
	}

	/** Resolves when the next request has arrived. */
	async arrival(): Promise<void> {
		await new Promise<void>((resolve) => this.arrivals.push(resolve));
	}
}

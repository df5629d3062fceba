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

/** An active workflow and the server that hears its webhook, as in n8n. */
export class TriggerListener extends RecordedTrigger {
	private readonly running = new Set<Promise<void>>();

	private agent = new Agent();

	private meeting: Meeting | undefined;

	private server: WebhookServer | undefined;

	/** @param bodyLimit where n8n's operator lets larger bodies in */
	constructor(
		active: ActiveWorkflow,
		private readonly bodyLimit?: number,
	) {
		super(active);
	}

	/** Starts the server, at a free port unless one is given, and activates the workflow. */
	async start(port?: number, mode: 'activate' | 'init' = 'activate'): Promise<void> {
		this.server = await WebhookServer.start(
			async (incoming, response) => await this.take(incoming, response),
			{ port, bodyLimit: this.bodyLimit },
		);
		this.active.baseUrl = this.server.baseUrl;
		await this.active.activate(mode);
	}

	/** Restarts n8n: data that is not stored is lost, and the webhook is registered again. */
	async restart(): Promise<void> {
		await this.agent.close();
		this.agent = new Agent();
		const port = Number(new URL(this.url).port);
		await this.server?.close();
		await this.start(port, 'init');
	}

	get url(): string {
		return this.active.url;
	}

	/** The credentials that the workflow uses. */
	get store(): CredentialStore {
		return this.active.store;
	}

	async items(): Promise<IDataObject[]> {
		await this.settled();
		return this.executions.flatMap(({ items }) => items.map(({ json }) => json));
	}

	/** Resolves when all requests that have come in are worked off, and their executions have ended. */
	async settled(): Promise<void> {
		await Promise.all(this.running);
	}

	/** Sends a request to the webhook and waits for the executions that it starts. */
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

	/** The same while somebody tests the trigger in the editor. */
	async postTest(body: string): Promise<WebhookAnswer> {
		return await this.post(body, undefined, this.active.testUrl);
	}

	/**
	 * Sends requests, in this order, that n8n works off together: each has loaded the static data before one is
	 * handed to the node, and those of each are stored after all have gone through it.
	 */
	async postTogether(...bodies: string[]): Promise<WebhookAnswer[]> {
		const meeting = new Meeting(bodies.length);
		this.meeting = meeting;
		const answers: Array<Promise<WebhookAnswer>> = [];
		for (const body of bodies) {
			const arrival = meeting.arrival();
			answers.push(this.post(body));
			await arrival;
		}
		const answered = await Promise.all(answers);
		this.meeting = undefined;
		return answered;
	}

	async activate(): Promise<void> {
		await this.active.activate('activate');
	}

	/**
	 * Somebody changes parameters of the trigger while it is active, and publishes: what the trigger throws when
	 * it is to end is only logged by n8n.
	 */
	async change(parameters: INodeParameters): Promise<void> {
		await this.deactivate().catch(() => undefined);
		this.active.edit(parameters);
		await this.activate();
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

	private async take(incoming: WebhookRequest, response: WebhookResponse): Promise<void> {
		const taking = this.runWebhook(incoming, response);
		this.running.add(taking);
		await taking.finally(() => this.running.delete(taking));
	}

	/** Who answers, when static data are stored, and what starts an execution, as n8n does it. */
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
		await this.meeting?.attend();
		let error: ExecutionError | undefined;
		const result = await active.nodeType.webhook?.call(context).catch((thrown: ExecutionError) => {
			error = thrown;
		});
		await this.meeting?.attend();
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

/** Holds requests until this number of them has arrived, then continues them in order. */
class Meeting {
	private waiting: Array<() => void> = [];

	private readonly arrivals: Array<() => void> = [];

	constructor(private readonly size: number) {}

	/** Resolves when all have come. They may meet again after that. */
	async attend(): Promise<void> {
		const called = new Promise<void>((resolve) => this.waiting.push(resolve));
		this.arrivals.shift()?.();
		if (this.waiting.length === this.size) {
			for (const goOn of this.waiting.splice(0)) goOn();
		}
		await called;
	}

	/** Resolves when the next one has come. */
	async arrival(): Promise<void> {
		await new Promise<void>((resolve) => this.arrivals.push(resolve));
	}
}

import {
	deepCopy,
	jsonParse,
	jsonStringify,
	NodeHelpers,
	Workflow,
	type IDataObject,
	type INode,
	type INodeParameters,
	type INodeType,
	type IWebhookData,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { additionalDataFor } from '../additionalData';
import { HookContext } from '../core';
import type { CredentialStore } from '../credentialStore';
import type { TypeLibrary } from '../typeLibrary';

/** Active workflow as stored in n8n's database. */
export class ActiveWorkflow {
	/** JSON text, as in the database: only this data survives a request. */
	private staticDataText = '{}';

	/** Address of n8n. */
	baseUrl = 'http://n8n.invalid/';

	constructor(
		readonly stored: IWorkflowBase,
		readonly trigger: INode,
		readonly types: TypeLibrary,
		readonly store: CredentialStore,
	) {}

	get nodeType(): INodeType {
		return this.types.getByNameAndVersion(this.trigger.type, this.trigger.typeVersion);
	}

	get staticData(): IDataObject {
		const stored = jsonParse<Record<string, IDataObject>>(this.staticDataText);
		return stored[`node:${this.trigger.name}`] ?? {};
	}

	/** Replaces the static data, for example with the data of another version of the node. */
	set staticData(data: IDataObject) {
		this.staticDataText = jsonStringify({ [`node:${this.trigger.name}`]: data });
	}

	get staticDataLength(): number {
		return this.staticDataText.length;
	}

	get url(): string {
		const { path } = this.webhookDescription;
		const base = `${this.baseUrl}webhook`;
		return NodeHelpers.getNodeWebhookUrl(base, this.stored.id, this.trigger, path);
	}

	/** Webhook address during a test of the trigger in the editor. */
	get testUrl(): string {
		return this.url.replace('/webhook/', '/webhook-test/');
	}

	/** Adds or replaces parameters of the trigger. */
	edit(parameters: INodeParameters): void {
		Object.assign(this.trigger.parameters, parameters);
	}

	/** Returns the workflow for a request: loaded from the database; in a test run without static data. */
	open({ isTest = false } = {}): Workflow {
		return new Workflow({
			...deepCopy(this.stored),
			nodeTypes: this.types,
			staticData: isTest ? {} : jsonParse<IDataObject>(this.staticDataText),
		});
	}

	/** Returns the trigger with its defaults. */
	triggerIn(workflow: Workflow): INode {
		return workflow.getNode(this.trigger.name) ?? this.trigger;
	}

	/** Stores the static data if a node has changed it. */
	saveStaticData({ staticData }: Workflow): void {
		if (staticData.__dataChanged !== true) return;
		this.staticDataText = jsonStringify(staticData);
	}

	/** Returns the data that n8n passes to the webhook methods of a node. */
	additionalData(overrides: Partial<IWorkflowExecuteAdditionalData> = {}) {
		const webhookBaseUrl = `${this.baseUrl}webhook`;
		return additionalDataFor(this.types, this.store, {
			webhookBaseUrl,
			workflowId: this.stored.id,
			...overrides,
		});
	}

	webhookData(additionalData: IWorkflowExecuteAdditionalData): IWebhookData {
		return {
			httpMethod: 'POST',
			node: this.trigger.name,
			path: this.webhookDescription.path,
			webhookDescription: this.webhookDescription,
			workflowId: this.stored.id,
			workflowExecuteAdditionalData: additionalData,
			webhookId: this.trigger.webhookId,
		};
	}

	/** Registers the webhook with the service unless it is already registered. */
	async activate(mode: 'activate' | 'init' | 'leadershipChange'): Promise<void> {
		const exists = await this.callHook('checkExists', mode);
		if (!exists) await this.callHook('create', mode);
	}

	async deactivate(): Promise<void> {
		await this.callHook('delete', 'update');
	}

	private get webhookDescription() {
		const [description] = this.nodeType.description.webhooks ?? [];
		if (!description) throw new Error(`${this.trigger.type} has no webhook`);
		return description;
	}

	private async callHook(
		name: 'checkExists' | 'create' | 'delete',
		activation: 'activate' | 'init' | 'leadershipChange' | 'update',
	): Promise<boolean> {
		const workflow = this.open();
		const additionalData = this.additionalData();
		const context = new HookContext(
			workflow,
			this.triggerIn(workflow),
			additionalData,
			'trigger',
			activation,
			this.webhookData(additionalData),
		);
		const hook = this.nodeType.webhookMethods?.default?.[name];
		if (!hook) throw new Error(`${this.trigger.type} has no webhook method ${name}`);
		const done = await hook.call(context);
		this.saveStaticData(workflow);
		return done;
	}
}

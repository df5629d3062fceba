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

/** A workflow that waits for webhooks, as n8n's database holds it. */
export class ActiveWorkflow {
	/** JSON text, as in the database: nothing else of it survives a request. */
	private staticDataText = '{}';

	/** n8n's own address. */
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

	/** Puts others in their place, as another version of the node would have stored them. */
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

	/** Where the trigger listens while somebody tests it. */
	get testUrl(): string {
		return this.url.replace('/webhook/', '/webhook-test/');
	}

	/** Puts other parameters beside, or in place of, the trigger's. */
	edit(parameters: INodeParameters): void {
		Object.assign(this.trigger.parameters, parameters);
	}

	/** The workflow as a request finds it: read from the database anew, in a test run without static data. */
	open({ isTest = false } = {}): Workflow {
		return new Workflow({
			...deepCopy(this.stored),
			nodeTypes: this.types,
			staticData: isTest ? {} : jsonParse<IDataObject>(this.staticDataText),
		});
	}

	/** The trigger with its defaults filled in. */
	triggerIn(workflow: Workflow): INode {
		return workflow.getNode(this.trigger.name) ?? this.trigger;
	}

	/** Stores the static data that a node has changed. */
	saveStaticData({ staticData }: Workflow): void {
		if (staticData.__dataChanged !== true) return;
		this.staticDataText = jsonStringify(staticData);
	}

	/** The context that n8n passes to a node's webhook methods. */
	additionalData(more: Partial<IWorkflowExecuteAdditionalData> = {}) {
		const webhookBaseUrl = `${this.baseUrl}webhook`;
		return additionalDataFor(this.types, this.store, {
			webhookBaseUrl,
			workflowId: this.stored.id,
			...more,
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

	/** Registers the webhook with the service unless it is there already. */
	async activate(mode: 'activate' | 'init'): Promise<void> {
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
		activation: 'activate' | 'init' | 'update',
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

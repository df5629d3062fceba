import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	Workflow,
} from 'n8n-workflow';
import { PollContext } from '../core';
import type { ActiveWorkflow } from './activeWorkflow';
import { RecordedTrigger } from './recordedTrigger';
import { startExecution } from './startExecution';

/** How n8n stores the static data of a polling node. */
export interface PollingHost {
	/**
	 * Whether it is committed with the execution, and where there is none alone. Older n8n writes it before it starts
	 * an execution, and else keeps it in its process.
	 */
	isDurable: boolean;
	/** Maximum duration of a poll. Older versions of n8n do not pass one. */
	budgetMilliseconds?: number;
}

/** An active workflow whose trigger n8n polls, when a test says so. */
export class Poller extends RecordedTrigger {
	/** Static data in the memory of n8n while the workflow is active. */
	private live: Workflow;

	/** Whether the next poll is that of activation. */
	private isActivation = true;

	constructor(
		active: ActiveWorkflow,
		readonly host: PollingHost,
	) {
		super(active);
		this.live = active.open();
	}

	/** Polls, and runs the workflow with the emitted items. */
	async poll(): Promise<IDataObject[]> {
		const workflow = this.host.isDurable ? this.active.open() : this.live;
		const items = await this.polled(workflow, 'trigger');
		// Durable n8n forgets what the poll at activation stored without giving items; older n8n then saves all there is.
		if (items || this.host.isDurable !== this.isActivation) this.active.saveStaticData(workflow);
		this.isActivation = false;
		if (!items) return [];
		this.executions.push(await startExecution(this.active, workflow, items, { mode: 'trigger' }));
		return items.flat().map(({ json }) => json);
	}

	/** Polls, and n8n is killed before it has stored anything or started an execution. */
	async pollAndDie(): Promise<void> {
		await this.polled(this.host.isDurable ? this.active.open() : this.live, 'trigger');
		this.startProcess();
	}

	/** Returns the result of executing the node in the editor. */
	async test(): Promise<IDataObject[]> {
		const items = await this.polled(this.active.open(), 'manual');
		return (items ?? []).flat().map(({ json }) => json);
	}

	/** Restarts n8n: data that is not stored is lost. */
	restart(): void {
		this.live = this.active.open();
	}

	/** The same in a process that has never polled. */
	startProcess(): void {
		this.restart();
		this.forgetProcess();
	}

	/** Puts other parameters beside, or in place of, the trigger's, and activates the workflow anew. */
	edit(parameters: INodeParameters): void {
		this.active.edit(parameters);
		this.restart();
	}

	/** Chooses another credential for the trigger, and activates the workflow anew. */
	chooseCredential(type: string, data: ICredentialDataDecryptedObject): void {
		const { store, trigger } = this.active;
		trigger.credentials = { ...trigger.credentials, [type]: store.add(type, data) };
		this.restart();
	}

	override changeStaticData(data: IDataObject): void {
		super.changeStaticData(data);
		this.restart();
	}

	close(): void {
		this.stopListening();
	}

	private async polled(
		workflow: Workflow,
		mode: 'trigger' | 'manual',
	): Promise<INodeExecutionData[][] | null> {
		const { budgetMilliseconds } = this.host;
		const context = new PollContext(
			workflow,
			this.active.triggerIn(workflow),
			this.active.additionalData(),
			mode,
			'activate',
			undefined,
			undefined,
			this.host.isDurable ? async () => this.active.saveStaticData(workflow) : undefined,
			undefined,
			undefined,
			...(budgetMilliseconds === undefined ? [] : [() => budgetMilliseconds]),
		);
		if (!this.host.isDurable) Reflect.deleteProperty(context, 'getPollBudgetMs');
		const { poll } = this.active.nodeType;
		if (!poll) throw new Error('The node does not poll');
		return await poll.call(context).catch((error: unknown) => {
			this.failures.push(error);
			throw error;
		});
	}
}

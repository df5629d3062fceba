import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	Workflow,
} from 'n8n-workflow';
import { PollContext } from '../core';
import type { ActiveWorkflow } from './activeWorkflow';
import { RecordedTrigger } from './recordedTrigger';
import { startExecution } from './startExecution';

/** Storage of the static data of a polling node in n8n. */
export interface PollingHost {
	/**
	 * Whether n8n stores the static data together with the execution, or on its own if the poll emits nothing. Older versions of
	 * n8n store it before they start an execution, and otherwise keep it in memory.
	 */
	isDurable: boolean;
	/** Maximum duration of a poll. Older versions of n8n do not pass one. */
	budgetMilliseconds?: number;
}

/** Active workflow with a polling trigger. Tests call each poll. */
export class Poller extends RecordedTrigger {
	/** Workflow in the memory of n8n, with its static data, while it is active. */
	private workflowInMemory: Workflow;

	/** Whether the next poll is the first one after activation. */
	private isActivation = true;

	constructor(
		active: ActiveWorkflow,
		readonly host: PollingHost,
	) {
		super(active);
		this.workflowInMemory = active.open();
	}

	/** Polls, and runs the workflow with the emitted items. */
	async poll(): Promise<IDataObject[]> {
		const workflow = this.host.isDurable ? this.active.open() : this.workflowInMemory;
		const items = await this.runPoll(workflow, 'trigger');
		// At activation without items, n8n with durable storage discards the changes; older n8n saves all data.
		if (items || this.host.isDurable !== this.isActivation) this.active.saveStaticData(workflow);
		this.isActivation = false;
		if (!items) return [];
		this.executions.push(await startExecution(this.active, workflow, items, { mode: 'trigger' }));
		return items.flat().map(({ json }) => json);
	}

	/** Polls, but simulates that n8n is killed before it stores data or starts an execution. */
	async pollAndDie(): Promise<void> {
		await this.runPoll(this.host.isDurable ? this.active.open() : this.workflowInMemory, 'trigger');
		this.startProcess();
	}

	/** Returns the result of executing the node in the editor. */
	async test(): Promise<IDataObject[]> {
		const items = await this.runPoll(this.active.open(), 'manual');
		return (items ?? []).flat().map(({ json }) => json);
	}

	/** The trigger with its defaults and the ID of its credential. */
	get node(): INode {
		return this.active.triggerIn(this.workflowInMemory);
	}

	/** Restarts n8n. Data that is not stored is lost. */
	restart(): void {
		this.workflowInMemory = this.active.open();
	}

	/** Restarts n8n in a new process, without the state of the package. */
	startProcess(): void {
		this.restart();
		this.forgetProcess();
	}

	/** Adds or replaces parameters of the trigger, and activates the workflow again. */
	edit(parameters: INodeParameters): void {
		this.active.edit(parameters);
		this.restart();
	}

	/** Selects another credential for the trigger, and activates the workflow again. */
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

	private async runPoll(
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

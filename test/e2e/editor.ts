import { parse } from 'flatted';
import type {
	ExecutionStatus,
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeExecutionData,
	IRunExecutionData,
	ITaskData,
} from 'n8n-workflow';
import type { WorkflowJson } from '../engine/runner/storedWorkflow';
import { OwnersSession } from './ownersSession';
import { until } from './until';

export class Execution {
	constructor(
		readonly status: ExecutionStatus,
		private readonly data: IRunExecutionData,
		readonly stored: string,
	) {}

	get error() {
		return this.data.resultData.error;
	}

	runs(node: string): number {
		return this.data.resultData.runData[node]?.length ?? 0;
	}

	items(node: string, output = 0): INodeExecutionData[] {
		const runs = this.data.resultData.runData[node] ?? [];
		return runs.flatMap((run) => run.data?.main?.[output] ?? []);
	}

	/**
	 * Returns the items of the trigger that started the execution. If n8n was killed during the execution, it stores them only
	 * as the pending input of the trigger.
	 */
	startedWith(trigger: string) {
		const [waiting] = this.data.executionData?.nodeExecutionStack ?? [];
		if (waiting?.node.name !== trigger) return this.json(trigger);
		return (waiting.data.main?.[0] ?? []).map(({ json }) => json);
	}

	json(node: string, output = 0) {
		return this.items(node, output).map(({ json }) => json);
	}
}

export interface SavedCredential {
	id: string;
	name: string;
	type: string;
}

export interface SavedWorkflow extends WorkflowJson {
	id: string;
	active: boolean;
	versionId: string;
}

interface StoredExecution {
	id: string;
	status: ExecutionStatus;
}

const maxRunMilliseconds = 300_000;
const endStates: readonly ExecutionStatus[] = ['success', 'error', 'canceled', 'crashed'];

/** Client for n8n's internal API, with the requests that the editor sends when a user works. */
export class Editor extends OwnersSession {
	private readonly tables: string[] = [];

	private readonly activated: SavedWorkflow[] = [];

	async createCredential(
		type: string,
		data: ICredentialDataDecryptedObject,
		name = type,
	): Promise<SavedCredential> {
		const { id } = await this.call<{ id: string }>('POST', '/credentials', { name, type, data });
		return { id, name, type };
	}

	/** Deactivates its workflows and deletes its tables and all credentials, so that the next test file finds no duplicates. */
	async leave(): Promise<void> {
		for (const workflow of this.activated.splice(0)) await this.deactivate(workflow);
		for (const table of this.tables.splice(0)) await this.call('DELETE', table);
		const credentials = await this.call<SavedCredential[]>('GET', '/credentials');
		for (const { id } of credentials) await this.call('DELETE', `/credentials/${id}`);
	}

	async readCredential({ id }: SavedCredential): Promise<ICredentialDataDecryptedObject> {
		const { data } = await this.call<{ data: ICredentialDataDecryptedObject }>(
			'GET',
			`/credentials/${id}?includeData=true`,
		);
		return data;
	}

	async testCredential(
		credential: SavedCredential,
	): Promise<{ status: 'OK' | 'Error'; message: string }> {
		const { id, name, type } = credential;
		const data = await this.readCredential(credential);
		return await this.call('POST', '/credentials/test', {
			credentials: { id, name, type, data },
		});
	}

	async importWorkflow(
		json: WorkflowJson,
		credentials: readonly SavedCredential[],
	): Promise<SavedWorkflow> {
		const nodes = json.nodes.map((node) => ({
			...node,
			...(node.credentials && {
				credentials: Object.fromEntries(
					Object.keys(node.credentials).flatMap((type) => {
						const credential = credentials.find((candidate) => candidate.type === type);
						return credential ? [[type, { id: credential.id, name: credential.name }]] : [];
					}),
				),
			}),
		}));
		return await this.call<SavedWorkflow>('POST', '/workflows', {
			name: 'Workflow',
			settings: { executionOrder: 'v1' },
			...json,
			nodes,
			// Older versions of n8n require it.
			active: false,
		});
	}

	/** Returns a workflow as n8n has saved it. */
	async savedWorkflow(id: string): Promise<SavedWorkflow> {
		return await this.call('GET', `/workflows/${id}`);
	}

	/** Creates a data table with text columns and rows in the owner's project. Returns its path. */
	async createDataTable(name: string, columns: string[], rows: IDataObject[]): Promise<string> {
		const project = await this.call<{ id: string }>('GET', '/projects/personal');
		const tables = `/projects/${project.id}/data-tables`;
		const { id } = await this.call<{ id: string }>('POST', tables, {
			name,
			columns: columns.map((column) => ({ name: column, type: 'string' })),
		});
		this.tables.push(`${tables}/${id}`);
		await this.call('POST', `${tables}/${id}/insert`, { data: rows });
		return `${tables}/${id}`;
	}

	async dataTableRows(table: string): Promise<IDataObject[]> {
		const { data } = await this.call<{ data: IDataObject[] }>('GET', `${table}/rows?sortBy=id:asc`);
		return data;
	}

	async changeDataTableRow(
		table: string,
		[columnName, value]: [string, string],
		data: IDataObject,
	): Promise<void> {
		const filter = { type: 'and', filters: [{ columnName, condition: 'eq', value }] };
		await this.call('PATCH', `${table}/rows`, { filter, data });
	}

	async run(workflow: SavedWorkflow, trigger: string): Promise<Execution> {
		return await this.runFrom(workflow, { name: trigger });
	}

	/** Sends a message in the editor's chat, and waits for the end of the execution. */
	async chat(workflow: SavedWorkflow, trigger: string, chatInput: string): Promise<Execution> {
		const json = { sessionId: 'end-to-end-tests', action: 'sendMessage', chatInput };
		const data: ITaskData = {
			startTime: Date.now(),
			executionTime: 0,
			executionIndex: 0,
			executionStatus: 'success',
			data: { main: [[{ json }]] },
			source: [null],
		};
		return await this.runFrom(workflow, { name: trigger, data });
	}

	async execution(id: string): Promise<Execution> {
		const end = Date.now() + maxRunMilliseconds;
		for (;;) {
			const stored = await this.call<{ status: ExecutionStatus; data: string }>(
				'GET',
				`/executions/${id}`,
			);
			if (endStates.includes(stored.status)) {
				const data: IRunExecutionData = parse(stored.data);
				return new Execution(stored.status, data, stored.data);
			}
			if (Date.now() > end) throw new Error(`Execution ${id} is still ${stored.status}`);
			await new Promise((resolve) => setTimeout(resolve, 100));
		}
	}

	/** Starts an execution, like the button in the editor. Returns the ID of the execution. */
	async begin(
		workflow: SavedWorkflow,
		triggerToStartFrom: { name: string; data?: ITaskData },
	): Promise<string> {
		const { executionId } = await this.call<{ executionId: string }>(
			'POST',
			`/workflows/${workflow.id}/run`,
			{ workflowData: workflow, triggerToStartFrom },
		);
		return executionId;
	}

	async stop(executionId: string): Promise<void> {
		await this.call('POST', `/executions/${executionId}/stop`, {});
	}

	/** Returns the executions of the workflow, latest first. Removes duplicates: n8n lists a run that is just ending twice. */
	async executions({ id }: SavedWorkflow): Promise<StoredExecution[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId: id }));
		const { results } = await this.call<{ results: StoredExecution[] }>(
			'GET',
			`/executions?filter=${filter}&limit=100`,
		);
		return [...new Map(results.map((execution) => [execution.id, execution])).values()];
	}

	/** Waits for at least `count` executions, and returns all executions of the workflow when they have ended. */
	async endedExecutions(workflow: SavedWorkflow, count: number): Promise<Execution[]> {
		let stored: StoredExecution[] = [];
		await until(async () => {
			stored = await this.executions(workflow);
			return stored.length >= count;
		});
		return await Promise.all(stored.map(async ({ id }) => await this.execution(id)));
	}

	async activate(workflow: SavedWorkflow): Promise<void> {
		this.activated.push(workflow);
		const { id, versionId } = workflow;
		await this.call('POST', `/workflows/${id}/activate`, { versionId });
	}

	async deactivate({ id }: SavedWorkflow): Promise<void> {
		await this.call('POST', `/workflows/${id}/deactivate`, {});
	}

	private async runFrom(
		workflow: SavedWorkflow,
		triggerToStartFrom: { name: string; data?: ITaskData },
	): Promise<Execution> {
		return await this.execution(await this.begin(workflow, triggerToStartFrom));
	}
}

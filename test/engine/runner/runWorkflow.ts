import {
	createRunExecutionData,
	deepCopy,
	Workflow,
	WorkflowOperationError,
	type INode,
	type IRun,
	type ITaskData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { additionalDataFor } from './additionalData';
import { prepareBinaryStore } from './binary';
import { ExecutionLifecycleHooks, WorkflowExecute } from './core';
import { CredentialStore } from './credentialStore';
import { Recorder } from './recorder';
import { RunResult } from './runResult';
import { storedWorkflow, type WorkflowJson } from './storedWorkflow';
import { packageTypes, type TypeLibrary } from './typeLibrary';

export type { WorkflowJson } from './storedWorkflow';

export interface WorkflowOptions {
	startNode?: string;
	/** Name of the node to which `items`, `hints` and other properties of the result belong. Default: the last node that ran. */
	resultNode?: string;
	credentialStore?: CredentialStore;
	/** Default: the built package and the built-in nodes. */
	types?: TypeLibrary;
	timezone?: string;
	/** Default: `manual`, for an execution started in the editor. */
	mode?: WorkflowExecuteMode;
	signal?: AbortSignal;
	onNodeStart?: (nodeName: string) => void;
	onNodeEnd?: (nodeName: string, task: ITaskData) => void;
	/** Receives the lines that nodes send to the browser's console during a run. */
	onMessage?: (type: string, data: unknown) => void;
}

let executions = 0;

export async function runWorkflow(
	json: WorkflowJson,
	options: WorkflowOptions = {},
): Promise<RunResult> {
	const { credentialStore = new CredentialStore(), mode = 'manual', signal } = options;
	const types = options.types ?? (await packageTypes());
	await prepareBinaryStore();

	const stored = storedWorkflow(json, credentialStore, options.timezone);
	const workflow = new Workflow({ ...deepCopy(stored), nodeTypes: types });
	const executionId = String(++executions);
	const recorder = new Recorder(stored);
	const hooks = new ExecutionLifecycleHooks(mode, executionId, stored);
	hooks.addHandler('nodeExecuteBefore', (name) => options.onNodeStart?.(name));
	hooks.addHandler('nodeExecuteAfter', (name, task) => options.onNodeEnd?.(name, task));
	hooks.addHandler('workflowExecuteAfter', (run, staticData) => recorder.store(run, staticData));
	const execution = new WorkflowExecute(
		additionalDataFor(types, credentialStore, {
			executionId,
			workflowId: stored.id,
			hooks,
			workflowSettings: stored.settings,
			sendDataToUI: (type, data) => {
				recorder.showToUser(type, data);
				options.onMessage?.(type, data);
			},
		}),
		mode,
	);

	const startNode = options.startNode ? nodeNamed(options.startNode, workflow) : undefined;
	const start = () => execution.run({ workflow, startNode });
	try {
		const run = await untilEnd(start, signal).catch((error: unknown) => {
			const failed = failedBeforeStart(error, mode);
			recorder.store(failed);
			return failed;
		});
		return new RunResult(run, recorder, options.resultNode);
	} finally {
		recorder.stop();
	}
}

function nodeNamed(name: string, workflow: Workflow): INode {
	const node = workflow.getNode(name);
	if (!node) throw new Error(`The workflow has no node "${name}"`);
	return node;
}

async function untilEnd(
	start: () => ReturnType<WorkflowExecute['run']>,
	signal?: AbortSignal,
): Promise<IRun> {
	const running = start();
	const cancel = () => running.cancel();
	if (signal?.aborted) cancel();
	signal?.addEventListener('abort', cancel);
	return await running.finally(() => signal?.removeEventListener('abort', cancel));
}

/**
 * Returns the execution that n8n stores if it rejects a workflow before its first node, because parameters have issues. Throws
 * all other errors, because they are mistakes in the test.
 */
function failedBeforeStart(error: unknown, mode: WorkflowExecuteMode): IRun {
	if (!(error instanceof WorkflowOperationError)) throw error;
	return {
		data: createRunExecutionData({ resultData: { error } }),
		mode,
		startedAt: new Date(),
		stoppedAt: new Date(),
		storedAt: 'db',
		status: 'error',
	};
}

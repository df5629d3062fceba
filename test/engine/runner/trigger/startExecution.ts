import {
	createRunExecutionData,
	type ExecutionError,
	type INodeExecutionData,
	type Workflow,
} from 'n8n-workflow';
import { ExecutionLifecycleHooks, WorkflowExecute } from '../core';
import { Recorder } from '../recorder';
import { RunResult } from '../runResult';
import type { ActiveWorkflow } from './activeWorkflow';

let executions = 0;

/**
 * Runs a workflow from its trigger on, with the items of the trigger for a request.
 *
 * @param error error of the trigger, if it failed
 */
export async function startExecution(
	active: ActiveWorkflow,
	workflow: Workflow,
	items: INodeExecutionData[][],
	{
		mode = 'webhook',
		error,
	}: { mode?: 'webhook' | 'trigger' | 'manual'; error?: ExecutionError } = {},
): Promise<RunResult> {
	const { stored } = active;
	const trigger = active.triggerIn(workflow);
	const executionId = `webhook-${++executions}`;
	const recorder = new Recorder(stored);
	const hooks = new ExecutionLifecycleHooks(mode, executionId, stored);
	hooks.addHandler('workflowExecuteAfter', (run, staticData) => recorder.store(run, staticData));
	const additionalData = active.additionalData({
		executionId,
		hooks,
		workflowSettings: stored.settings,
	});
	const runData = createRunExecutionData({
		executionData: { nodeExecutionStack: [{ node: trigger, data: { main: items }, source: null }] },
		...(error && { resultData: { runData: {}, lastNodeExecuted: trigger.name, error } }),
	});
	try {
		const execution = new WorkflowExecute(additionalData, mode, runData);
		return new RunResult(await execution.processRunExecutionData(workflow), recorder, trigger.name);
	} finally {
		recorder.stop();
	}
}

import { createRunExecutionData, type INodeExecutionData, type Workflow } from 'n8n-workflow';

import { ExecutionLifecycleHooks, WorkflowExecute } from '../core';
import { Recorder } from '../recorder';
import { RunResult } from '../runResult';
import type { ActiveWorkflow } from './activeWorkflow';

let executions = 0;

/** Runs a workflow from its trigger on, with the items that the trigger has made of a request. */
export async function startExecution(
	active: ActiveWorkflow,
	workflow: Workflow,
	items: INodeExecutionData[][],
): Promise<RunResult> {
	const { stored } = active;
	const trigger = active.triggerIn(workflow);
	const executionId = `webhook-${++executions}`;
	const recorder = new Recorder(stored);
	const hooks = new ExecutionLifecycleHooks('webhook', executionId, stored);
	hooks.addHandler('workflowExecuteAfter', (run, staticData) => recorder.store(run, staticData));
	const additionalData = active.additionalData({
		executionId,
		hooks,
		workflowSettings: stored.settings,
	});
	const runData = createRunExecutionData({
		executionData: {
			nodeExecutionStack: [{ node: trigger, data: { main: items }, source: null }],
		},
	});
	try {
		const execution = new WorkflowExecute(additionalData, 'webhook', runData);
		return new RunResult(await execution.processRunExecutionData(workflow), recorder, trigger.name);
	} finally {
		recorder.stop();
	}
}

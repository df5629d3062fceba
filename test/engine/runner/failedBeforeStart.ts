import {
	createRunExecutionData,
	WorkflowOperationError,
	type IRun,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

/**
 * The execution that n8n stores when it refuses a workflow before its first node, because parameters
 * have issues. Anything else that stops a run from starting is a mistake of the test: thrown on.
 */
export function failedBeforeStart(error: unknown, mode: WorkflowExecuteMode): IRun {
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

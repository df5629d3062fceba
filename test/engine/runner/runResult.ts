import type {
	ExecutionError,
	ExecutionStatus,
	INodeExecutionData,
	IRun,
	IRunData,
	ITaskData,
	NodeExecutionHint,
} from 'n8n-workflow';

import type { Recorder } from './recorder';

/** What came of an execution. Where a node ran more than once, its last run counts. */
export class RunResult {
	constructor(
		private readonly run: IRun,
		private readonly recorder: Recorder,
		private readonly resultNode = run.data.resultData.lastNodeExecuted ?? '',
	) {}

	/** `success`, `error` or `canceled`, as n8n's list of executions shows it. */
	get status(): ExecutionStatus {
		return this.recorder.status ?? this.run.status;
	}

	get items(): INodeExecutionData[] {
		return this.outputs(this.resultNode);
	}

	get errorItems(): INodeExecutionData[] {
		return this.outputs(this.resultNode, 1);
	}

	/** The error that stopped the execution, as n8n stores it. */
	get error(): ExecutionError | undefined {
		return this.run.data.resultData.error;
	}

	/** What the node told the user beside its items. */
	get hints(): NodeExecutionHint[] {
		return this.task?.hints ?? [];
	}

	get task(): ITaskData | undefined {
		return this.runData[this.resultNode]?.at(-1);
	}

	/** The runs of all nodes, as n8n stores them. */
	get runData(): IRunData {
		return this.run.data.resultData.runData;
	}

	/** Every line that the engine logged or anyone printed while the execution ran. */
	get printed(): string[] {
		return this.recorder.printed;
	}

	/** Everything that n8n would store, show or log of this execution, as text: for finding secrets. */
	get recorded(): string {
		return this.recorder.text(this.run);
	}

	/** What a node of the workflow put out. */
	outputs(nodeName: string, outputIndex = 0): INodeExecutionData[] {
		return this.runData[nodeName]?.at(-1)?.data?.main?.[outputIndex] ?? [];
	}
}

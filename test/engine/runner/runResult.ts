import type {
	ExecutionError,
	ExecutionStatus,
	IDataObject,
	INodeExecutionData,
	IRun,
	IRunData,
	ITaskData,
	NodeExecutionHint,
} from 'n8n-workflow';
import type { Recorder } from './recorder';

/** Result of an execution. If a node ran more than once, its last run counts. */
export class RunResult {
	constructor(
		private readonly run: IRun,
		private readonly recorder: Recorder,
		private readonly resultNode = run.data.resultData.lastNodeExecuted ?? '',
	) {}

	/** `success`, `error` or `canceled`, as in n8n's list of executions. */
	get status(): ExecutionStatus {
		return this.recorder.status ?? this.run.status;
	}

	get items(): INodeExecutionData[] {
		return this.outputs(this.resultNode);
	}

	get errorItems(): INodeExecutionData[] {
		return this.outputs(this.resultNode, 1);
	}

	get json(): IDataObject[] {
		return this.items.map(({ json }) => json);
	}

	get ids(): unknown[] {
		return this.json.map(({ _recordId }) => _recordId);
	}

	get actions(): unknown[] {
		return this.json.map(({ _action }) => _action);
	}

	get warnings(): unknown[] {
		return this.json.map(({ _warning }) => _warning);
	}

	get hintTexts(): string[] {
		return this.hints.map(({ message }) => message);
	}

	/** References to the input items that the items are linked to. */
	get links(): Array<INodeExecutionData['pairedItem']> {
		return this.items.map(({ pairedItem }) => pairedItem);
	}

	/** Record ID and linked input item of each item, such as `12 #0`. */
	get records(): string[] {
		return this.items.map(({ json, pairedItem }) => inShort(pairedItem, json._recordId));
	}

	/** Record ID, action and linked input item of each item, such as `12 updated #0`. */
	get outcomes(): string[] {
		return this.items.map(({ json, pairedItem }) =>
			inShort(pairedItem, json._recordId, String(json._action)),
		);
	}

	/** Error that ended the execution, as stored by n8n. */
	get error(): ExecutionError | undefined {
		return this.run.data.resultData.error;
	}

	/** Hints that the node showed to the user. */
	get hints(): NodeExecutionHint[] {
		return this.task?.hints ?? [];
	}

	get task(): ITaskData | undefined {
		return this.runData[this.resultNode]?.at(-1);
	}

	/** Runs of all nodes, as stored by n8n. */
	get runData(): IRunData {
		return this.run.data.resultData.runData;
	}

	/** Lines that were logged or printed during the execution. */
	get printed(): string[] {
		return this.recorder.printed;
	}

	/** Everything of this execution that n8n would store, show or log, as text, to search it for secrets. */
	get recorded(): string {
		return this.recorder.text(this.run);
	}

	/** Returns the output of a node of the workflow. */
	outputs(nodeName: string, outputIndex = 0): INodeExecutionData[] {
		return this.runData[nodeName]?.at(-1)?.data?.main?.[outputIndex] ?? [];
	}
}

function inShort(link: INodeExecutionData['pairedItem'], id: unknown, ...words: string[]): string {
	const { item, ...rest } = Object(link);
	const isOne = typeof item === 'number' && Object.keys(rest).length === 0;
	return [JSON.stringify(id), ...words, isOne ? `#${item}` : JSON.stringify(link)].join(' ');
}

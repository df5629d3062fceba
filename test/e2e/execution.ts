import type { ExecutionStatus, INodeExecutionData, IRunExecutionData } from 'n8n-workflow';

/** An execution as n8n stored it. */
export class Execution {
	constructor(
		readonly status: ExecutionStatus,
		private readonly data: IRunExecutionData,
		/** All that was stored, as one text. */
		readonly stored: string,
	) {}

	/** Why it failed. */
	get error() {
		return this.data.resultData.error;
	}

	/** How often a node ran. */
	runs(node: string): number {
		return this.data.resultData.runData[node]?.length ?? 0;
	}

	/** The items that left a node, of all its runs. */
	items(node: string, output = 0): INodeExecutionData[] {
		const runs = this.data.resultData.runData[node] ?? [];
		return runs.flatMap((run) => run.data?.main?.[output] ?? []);
	}

	/**
	 * The fields of the items that started it. Of one that was killed n8n keeps what waited for its trigger, and makes
	 * up what its nodes gave.
	 */
	startedWith(trigger: string) {
		const [waiting] = this.data.executionData?.nodeExecutionStack ?? [];
		if (waiting?.node.name !== trigger) return this.json(trigger);
		return (waiting.data.main?.[0] ?? []).map(({ json }) => json);
	}

	/** The items' fields. */
	json(node: string, output = 0) {
		return this.items(node, output).map(({ json }) => json);
	}
}

import type { ExecutionStatus, INodeExecutionData, IRunExecutionData } from 'n8n-workflow';

export class Execution {
	constructor(
		readonly status: ExecutionStatus,
		private readonly data: IRunExecutionData,
		/** All that was stored, as one text. */
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
	 * The fields of the items that started it. Of one that was killed n8n keeps what waited for its trigger, and makes
	 * up what its nodes gave.
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

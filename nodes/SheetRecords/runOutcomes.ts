import type { IExecuteFunctions } from 'n8n-workflow';
import { ConfirmedWrites } from '../api/http/confirmedWrites';
import { processWeakMap } from '../api/http/processState';
import { ServiceError } from '../api/http/serviceError';
import { RunHints } from './itemContext';
import { ItemResults, type OperationResult } from './operationResult';
import { getOrInsert } from '../api/json/objects';

/**
 * What has become of the items of one run of the node. n8n's Retry On Fail runs the node again for all
 * items when one fails: those that were written keep their results, and those of which nobody knows
 * whether they were written keep their errors.
 */
export class RunOutcomes {
	readonly hints = new RunHints();
	private readonly results = new Map<number, OperationResult>();
	private readonly doubts = new Map<number, ServiceError>();
	private readonly writes = new Map<number, ConfirmedWrites>();

	/** Whether the item's result or error stands, so that nothing is to be done for it any more. */
	isSettled(index: number): boolean {
		return this.results.has(index) || this.doubts.has(index);
	}

	/**
	 * The result of an item: the one that stands, or that of `run`. Throws the item's error that stands, or what
	 * `run` throws.
	 */
	async of(
		index: number,
		run: () => Promise<OperationResult | ItemResults>,
	): Promise<OperationResult> {
		const doubt = this.doubts.get(index);
		if (doubt) throw doubt;
		const result = this.results.get(index);
		if (result) return result;
		const writes = this.writesOf(index);
		writes.startOver();
		const outcome = await run().catch((error: unknown) => {
			if (error instanceof ServiceError && error.details.isDoubtful) this.doubts.set(index, error);
			throw error;
		});
		return this.settled(index, outcome, writes.any);
	}

	/** The writes of an item that the service confirmed. */
	writesOf(index: number): ConfirmedWrites {
		return getOrInsert(this.writes, index, () => new ConfirmedWrites());
	}

	/** What was only read is read again in the next try, and what failed is tried again. */
	private settled(
		index: number,
		outcome: OperationResult | ItemResults,
		wasWritten: boolean,
	): OperationResult {
		if (!(outcome instanceof ItemResults)) {
			if (wasWritten) this.settle(index, outcome);
			return outcome;
		}
		for (const [other, result] of outcome.results) {
			if (!(result instanceof Error)) this.settle(other, result);
		}
		const own = outcome.results.get(index) ?? [];
		if (own instanceof Error) throw own;
		return own;
	}

	private settle(index: number, result: OperationResult): void {
		this.results.set(index, result);
		this.writes.delete(index);
	}
}

const outcomesOfRuns = processWeakMap<object, RunOutcomes>();

/**
 * What has become of the items in earlier tries of the same run. n8n hands the same data of the run to each
 * of its tries, and to no other run: where those are gone, nothing is kept.
 */
export function runOutcomes(context: IExecuteFunctions): RunOutcomes {
	// A tool of an agent sees the data of the agent's run, however often it is called.
	if (!context.getNode().retryOnFail || 'getNextRunIndex' in context) return new RunOutcomes();
	const run = context.getExecuteData();
	return getOrInsert(outcomesOfRuns, run, () => new RunOutcomes());
}

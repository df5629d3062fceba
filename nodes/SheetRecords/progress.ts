import { NodeOperationError } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

const second = 1000;

/** Which items are done ahead of their turn, since they were worked on together with others. */
interface SettledItems {
	isSettled(index: number): boolean;
}

/**
 * How far one try of a run is. Long work tells it in the editor, at most once a second and not in its first;
 * a cancelled one tells what was done.
 */
export class Progress {
	private readonly beganCancelled: boolean;
	/** Milliseconds of a clock that is never set. */
	private toldAt = performance.now();
	private itemsPassed = 0;
	private records = 0;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly settled: SettledItems,
	) {
		this.beganCancelled = isCancelled(context);
	}

	/** One more item is done, well or badly. */
	passItem(): void {
		this.itemsPassed++;
		this.tell();
	}

	/** So many more records of a list are read. */
	readRecords(count: number): void {
		this.records += count;
		this.tell();
	}

	/**
	 * Tells what was done before the run was cancelled.
	 *
	 * @returns the error that says so, too; undefined for a single item of which nothing can be told
	 */
	tellCancelled(itemIndex: number): NodeOperationError | undefined {
		const done = this.done();
		if (done === '') return undefined;
		const message = `Cancelled after ${done}`;
		// A retry of a cancelled run does nothing: the try before it has told.
		if (!this.beganCancelled) showInEditor(this.context, message);
		return new NodeOperationError(this.context.getNode(), message, {
			itemIndex,
			description: 'What was done stays. What was under way may be carried out all the same.',
		});
	}

	private tell(): void {
		const now = performance.now();
		if (now - this.toldAt < second) return;
		this.toldAt = now;
		if (this.itemsDone() === this.itemCount()) return;
		showInEditor(this.context, this.records > 0 ? `${this.done()} so far` : this.done());
	}

	private done(): string {
		const count = this.itemCount();
		return [
			count > 1 ? `${this.itemsDone()} of ${count} items` : '',
			this.records > 0 ? `${this.records} records` : '',
		]
			.filter(Boolean)
			.join(', ');
	}

	private itemCount(): number {
		return this.context.getInputData().length;
	}

	private itemsDone(): number {
		let count = this.itemsPassed;
		for (let index = this.itemsPassed; index < this.itemCount(); index++) {
			if (this.settled.isSettled(index)) count++;
		}
		return count;
	}
}

/** Whether the execution was cancelled. */
export function isCancelled(context: IExecuteFunctions): boolean {
	return context.getExecutionCancelSignal?.()?.aborted === true;
}

/** Shows a line in the browser's console while the workflow runs in the editor; where that fails, the run goes on. */
export function showInEditor(context: IExecuteFunctions, message: string): void {
	try {
		context.sendMessageToUI?.(message);
	} catch {
		// Nobody is there to be told.
	}
}

import type { IExecuteFunctions } from 'n8n-workflow';

const second = 1000;

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

	/** @param isSettled whether an item is done ahead of its turn, since it was worked on together with others */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly isSettled: (index: number) => boolean,
	) {
		this.beganCancelled = isCancelled(context);
	}

	passItem(): void {
		this.itemsPassed++;
		this.tell();
	}

	readRecords(count: number): void {
		this.records += count;
		this.tell();
	}

	/** Tells what was done before the run was cancelled: n8n stores neither items nor error of a cancelled node. */
	tellCancelled(): void {
		// n8n tries again what was cancelled: the try before has told.
		if (this.beganCancelled) return;
		const done = this.done();
		if (done !== '') showInEditor(this.context, `Cancelled after ${done}`);
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
			this.records > 0 ? `${this.records} record${this.records === 1 ? '' : 's'}` : '',
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
			if (this.isSettled(index)) count++;
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

import { jsonStringify, type IDataObject } from 'n8n-workflow';
import { listenToPrinting } from '../recorder';
import type { RunResult } from '../runResult';
import { clearProcessState } from '../typeLibrary';
import type { ActiveWorkflow } from './activeWorkflow';

/** Active workflow, and everything that n8n stores or logs of it. */
export abstract class RecordedTrigger {
	readonly executions: RunResult[] = [];

	/** Errors of the trigger. n8n stores a failed execution for each error. */
	readonly failures: unknown[] = [];

	/** Lines that were logged or printed. */
	readonly printed: string[] = [];

	protected readonly stopListening = listenToPrinting((line) => this.printed.push(line));

	constructor(protected readonly active: ActiveWorkflow) {}

	get staticData(): IDataObject {
		return this.active.staticData;
	}

	/** Replaces the stored static data of the node. */
	changeStaticData(data: IDataObject): void {
		this.active.staticData = data;
	}

	/** Clears the state of the package in the memory of n8n. */
	forgetProcess(): void {
		clearProcessState();
	}

	get staticDataLength(): number {
		return this.active.staticDataLength;
	}

	/** Everything that n8n would store, show or log, as text, to search it for secrets. */
	get recorded(): string {
		return [
			...this.executions.map(({ recorded }) => recorded),
			...this.failures.map((failure) => jsonStringify(failure, { replaceCircularRefs: true })),
			...this.failures.map(String),
			jsonStringify(this.staticData),
			...this.printed,
		].join('\n');
	}
}

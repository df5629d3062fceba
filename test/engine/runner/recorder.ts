import {
	jsonStringify,
	type ExecutionStatus,
	type IDataObject,
	type IRun,
	type IWorkflowBase,
} from 'n8n-workflow';

import { listenToPrinting } from './printed';

/** Keeps everything of one execution that n8n would store, show or log. */
export class Recorder {
	/** Every line that the engine logged or anyone printed while the execution ran. */
	readonly printed: string[] = [];

	/** Stops listening to what is printed. */
	readonly stop = listenToPrinting((line) => this.printed.push(line));

	private readonly shown: string[] = [];

	private storedStatus: ExecutionStatus | undefined;

	private storedText: () => string = () => '';

	constructor(private readonly workflow: IWorkflowBase) {}

	/** The status in n8n's list of executions; a run cancelled late ends otherwise in memory. */
	get status(): ExecutionStatus | undefined {
		return this.storedStatus;
	}

	/** Takes what the engine hands over to be stored at the end of an execution. */
	store(run: IRun, staticData?: IDataObject): void {
		this.storedStatus = run.status;
		const write = () => jsonStringify({ run, staticData }, { replaceCircularRefs: true });
		if (run.status === 'canceled') {
			// n8n stores this now, while the cancelled node still goes on and changes the run.
			const text = write();
			this.storedText = () => text;
		} else {
			this.storedText = write;
		}
	}

	/** Takes what a node sends to the browser. */
	showToUser(type: string, data: IDataObject | IDataObject[]): void {
		this.shown.push(jsonStringify({ type, data }, { replaceCircularRefs: true }));
	}

	/** All of it as one text, to search for what must not be in it. */
	text(finalRun: IRun): string {
		return [
			jsonStringify(this.workflow),
			this.storedText(),
			jsonStringify(finalRun, { replaceCircularRefs: true }),
			...this.shown,
			...this.printed,
		].join('\n');
	}
}

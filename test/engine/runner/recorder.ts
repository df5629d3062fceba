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

	private stored: { run: IRun; staticData?: IDataObject } | undefined;

	private cancelled = '';

	constructor(private readonly workflow: IWorkflowBase) {}

	/** The status in n8n's list of executions; a run cancelled late ends otherwise in memory. */
	get status(): ExecutionStatus | undefined {
		return this.cancelled === '' ? this.stored?.run.status : 'canceled';
	}

	/** Takes what the engine hands over to be stored at the end of an execution. */
	store(run: IRun, staticData?: IDataObject): void {
		this.stored = { run, staticData };
		// n8n stores this now, while the cancelled node still goes on and changes the run.
		if (run.status === 'canceled') this.cancelled = written(run);
	}

	/** Takes what a node sends to the browser. */
	showToUser(type: string, data: IDataObject | IDataObject[]): void {
		this.shown.push(written({ type, data }));
	}

	/** All of it as one text, to search for what must not be in it. */
	text(finalRun: IRun): string {
		const { run = finalRun, staticData } = this.stored ?? {};
		// Mostly it is the same that was stored.
		const runs = [...new Set([run, finalRun])];
		const kept = [this.workflow, staticData, ...runs].map(written);
		return [...kept, this.cancelled, ...this.shown, ...this.printed].join('\n');
	}
}

function written(value: unknown): string {
	return jsonStringify(value, { replaceCircularRefs: true });
}

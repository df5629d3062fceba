import {
	jsonStringify,
	LoggerProxy,
	type ExecutionStatus,
	type IDataObject,
	type IRun,
	type IWorkflowBase,
} from 'n8n-workflow';
import { Container, Logger } from './core';

type Listener = (line: string) => void;

const listeners = new Set<Listener>();

const watchedConsoles = new WeakSet<Console>();

/** Passes on every line that the engine logs, or anyone prints, until the returned function is called. */
export function listenToPrinting(listener: Listener): () => void {
	// Jest gives each test file a console of its own.
	watch(globalThis.console);
	listeners.add(listener);
	return () => listeners.delete(listener);
}

// All loggers of n8n write by this method, which would first look for who called it.
Reflect.set(Logger.prototype, 'log', (level: string, message: string, more: object) => {
	const texts = Object.entries(more).map(([name, value]) => [
		name,
		value instanceof Error ? asText(value) : value,
	]);
	tell({ level, message, ...Object.fromEntries(texts) });
});
// n8n-core brings several copies of n8n-workflow; its logger signs on with another than ours.
LoggerProxy.init(Container.get(Logger));

function watch(console: Console) {
	if (watchedConsoles.has(console)) return;
	watchedConsoles.add(console);
	for (const method of ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const) {
		const print = console[method].bind(console);
		console[method] = (...values: unknown[]) => {
			tell(...values);
			print(...values);
		};
	}
}

function tell(...values: unknown[]) {
	if (listeners.size === 0) return;
	const line = values.map(asText).join(' ');
	for (const listener of listeners) listener(line);
}

function asText(value: unknown): string {
	if (typeof value === 'string') return value;
	if (value instanceof Error) {
		return [value.stack ?? value.message, ...(value.cause ? [asText(value.cause)] : [])].join(' ');
	}
	return jsonStringify(value, { replaceCircularRefs: true }) ?? String(value);
}

/** Keeps everything of one execution that n8n would store, show or log. */
export class Recorder {
	/** Every line that the engine logged or anyone printed while the execution ran. */
	readonly printed: string[] = [];

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

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

/** Passes each line that is logged or printed to the listener. Returns a function that stops this. */
export function listenToPrinting(listener: Listener): () => void {
	// Jest creates a console for each test file.
	watch(globalThis.console);
	listeners.add(listener);
	return () => listeners.delete(listener);
}

// All loggers of n8n call this method. Replacing it also skips a slow search for the caller.
Reflect.set(Logger.prototype, 'log', (level: string, message: string, details: object) => {
	const texts = Object.entries(details).map(([name, value]) => [
		name,
		value instanceof Error ? asText(value) : value,
	]);
	emitLine({ level, message, ...Object.fromEntries(texts) });
});
// n8n-core loads several copies of n8n-workflow. Its logger is registered in another copy.
LoggerProxy.init(Container.get(Logger));

function watch(console: Console) {
	if (watchedConsoles.has(console)) return;
	watchedConsoles.add(console);
	for (const method of ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const) {
		const print = console[method].bind(console);
		console[method] = (...values: unknown[]) => {
			emitLine(...values);
			print(...values);
		};
	}
}

function emitLine(...values: unknown[]) {
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

/** Records everything of an execution that n8n would store, show or log. */
export class Recorder {
	/** Lines that were logged or printed during the execution. */
	readonly printed: string[] = [];

	readonly stop = listenToPrinting((line) => this.printed.push(line));

	private readonly visible: string[] = [];

	private stored: { run: IRun; staticData?: IDataObject } | undefined;

	private cancelled = '';

	constructor(private readonly workflow: IWorkflowBase) {}

	/** Status in n8n's list of executions. In memory, an execution that is canceled late ends with another status. */
	get status(): ExecutionStatus | undefined {
		return this.cancelled === '' ? this.stored?.run.status : 'canceled';
	}

	/** Records the run and the static data that the engine passes to be stored at the end of an execution. */
	store(run: IRun, staticData?: IDataObject): void {
		this.stored = { run, staticData };
		// n8n stores the run now, while the canceled node continues and changes the run.
		if (run.status === 'canceled') this.cancelled = toJson(run);
	}

	/** Records a message that a node sends to the browser. */
	showToUser(type: string, data: IDataObject | IDataObject[]): void {
		this.visible.push(toJson({ type, data }));
	}

	/** Returns everything as one text, to search it for secrets. */
	text(finalRun: IRun): string {
		const { run = finalRun, staticData } = this.stored ?? {};
		// The final run is usually the stored run.
		const runs = [...new Set([run, finalRun])];
		const kept = [this.workflow, staticData, ...runs].map(toJson);
		return [...kept, this.cancelled, ...this.visible, ...this.printed].join('\n');
	}
}

function toJson(value: unknown): string {
	return jsonStringify(value, { replaceCircularRefs: true });
}

import { jsonStringify, LoggerProxy } from 'n8n-workflow';

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
	const told = Object.entries(more).map(([name, value]) => [
		name,
		value instanceof Error ? asText(value) : value,
	]);
	tell({ level, message, ...Object.fromEntries(told) });
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

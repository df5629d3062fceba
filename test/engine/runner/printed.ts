import { Writable } from 'node:stream';
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

// Set up at once: the engine's logger complains on the console as long as nobody reads it.
const logger = Container.get(Logger);
// n8n-core brings several copies of n8n-workflow; its logger signs on with another than ours.
LoggerProxy.init(logger);
logger.getInternalLogger().pipe(
	new Writable({
		objectMode: true,
		write(entry: unknown, _encoding, done) {
			tell(asText(entry));
			done();
		},
	}),
);

function watch(console: Console) {
	if (watchedConsoles.has(console)) return;
	watchedConsoles.add(console);
	for (const method of ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const) {
		const print = console[method].bind(console);
		console[method] = (...values: unknown[]) => {
			tell(values.map(asText).join(' '));
			print(...values);
		};
	}
}

function tell(line: string) {
	for (const listener of listeners) listener(line);
}

function asText(value: unknown): string {
	if (typeof value === 'string') return value;
	if (value instanceof Error) return value.stack ?? value.message;
	return jsonStringify(value, { replaceCircularRefs: true }) ?? String(value);
}

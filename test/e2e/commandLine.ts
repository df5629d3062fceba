import { spawnSync, type SpawnSyncOptions } from 'node:child_process';
import { createServer } from 'node:net';

/** Runs npm and returns its standard output. Errors are logged even if the tests run under `npm --silent`. */
export function npm(words: string[], options: SpawnSyncOptions = {}): string {
	const env = { ...(options.env ?? process.env), npm_config_loglevel: 'error' };
	return command('npm', words, { ...options, env });
}

export function command(name: string, words: string[], options: SpawnSyncOptions = {}): string {
	const { status, error, stdout, stderr } = spawnSync(name, words, {
		...options,
		encoding: 'utf8',
		maxBuffer: 64 * 1024 * 1024,
	});
	if (status === 0) return String(stdout);
	throw new Error(
		[`"${name} ${words.join(' ')}" failed`, error?.message, stdout, stderr]
			.filter((part) => part)
			.join('\n'),
	);
}

/** Returns a free local port: the given port if possible. */
export async function freePort(firstPort = portBelowOutgoing()): Promise<number> {
	return await new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(freePort()));
		server.listen(firstPort, '127.0.0.1', () => server.close(() => resolve(firstPort)));
	});
}

/** Returns a port below 32768. Systems use higher ports for outgoing connections, which could take the port during a restart. */
const portBelowOutgoing = () => 10_000 + Math.floor(Math.random() * 22_000);

import { spawnSync, type SpawnSyncOptions } from 'node:child_process';
import { createServer } from 'node:net';

/** Runs npm, which tells its errors even when it was itself run silently. Gives its standard output. */
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

/** A port of this machine that nobody listens at: the wanted one, if it is free. */
export async function freePort(firstPort = portBelowOutgoing()): Promise<number> {
	return await new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(freePort()));
		server.listen(firstPort, '127.0.0.1', () => server.close(() => resolve(firstPort)));
	});
}

/** No outgoing connection takes it while its program is down: systems give those from 32768 on. */
const portBelowOutgoing = () => 10_000 + Math.floor(Math.random() * 22_000);

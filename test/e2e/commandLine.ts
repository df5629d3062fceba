import { spawnSync, type SpawnSyncOptions } from 'node:child_process';

/**
 * Runs npm, which tells its errors even when it was itself run silently, and gives what it printed on its standard output.
 *
 * @throws Error with everything it printed when it fails
 */
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

import { spawnSync, type SpawnSyncOptions } from 'node:child_process';

/**
 * Runs npm and gives what it printed on its standard output.
 *
 * @throws Error with everything it printed when it fails
 */
export function npm(words: string[], options: SpawnSyncOptions = {}): string {
	return command('npm', words, options);
}

/** Runs a program and gives what it printed on its standard output. */
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

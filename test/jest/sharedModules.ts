import { sep, resolve } from 'node:path';
import { devDependencies } from '../../package.json';

const tests = resolve(__dirname, '..') + sep;

declare global {
	var sharedModules: ReadonlyMap<string, unknown> | undefined;
}

/** All test files of this worker share what has been loaded by now, in place of a copy for each. */
export function shareLoadedModules(): void {
	const packages = Object.keys(devDependencies).flatMap((name) => entryOf(name));
	const loadedModules = Object.keys(require.cache).filter(
		(path) => path.startsWith(tests) && !path.startsWith(__dirname),
	);
	const shared = [...loadedModules, ...packages].flatMap((path): Array<[string, unknown]> => {
		const loaded = require.cache[path];
		return loaded ? [[path, loaded.exports]] : [];
	});
	globalThis.sharedModules = new Map(shared);
}

/** The file that a package's name stands for; packages of programs have none. */
function entryOf(name: string): string[] {
	try {
		return [require.resolve(name)];
	} catch {
		return [];
	}
}

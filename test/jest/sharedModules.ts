import { sep, resolve } from 'node:path';
import { devDependencies } from '../../package.json';

const tests = resolve(__dirname, '..') + sep;

declare global {
	var sharedModules: ReadonlyMap<string, unknown> | undefined;
}

/** Shares the modules loaded so far among all test files of this worker, instead of loading a copy for each file. */
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

/** Returns the entry file of a package. Packages that contain only programs have no entry file. */
function entryOf(name: string): string[] {
	try {
		return [require.resolve(name)];
	} catch {
		return [];
	}
}

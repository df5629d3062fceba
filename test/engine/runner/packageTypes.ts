import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { builtInNodes } from './builtIn';
import { PackageDirectoryLoader } from './core';
import './printed'; // before the loader logs
import { TypeLibrary } from './typeLibrary';

const root = resolve(__dirname, '../../..');

export const packageName = 'n8n-nodes-sheet-records';

const libraries = new Map<string, Promise<TypeLibrary>>();

/** The types of a built package, as n8n-core loads them, and the built-in nodes. Loaded once. */
export function packageTypes(directory = root): Promise<TypeLibrary> {
	const known = libraries.get(directory);
	if (known) return known;
	const library = loadPackage(directory);
	libraries.set(directory, library);
	return library;
}

async function loadPackage(directory: string): Promise<TypeLibrary> {
	const loader = new PackageDirectoryLoader(directory);
	const { nodes = [], credentials = [] } = loader.packageJson.n8n ?? {};
	const missing = [...nodes, ...credentials].filter((file) => !existsSync(join(directory, file)));
	if (missing.length > 0) {
		throw new Error(`Run "npm run build" first: ${missing.join(', ')} not found in ${directory}`);
	}
	await loader.loadAll();
	const full = (name: string) => `${loader.packageName}.${name}`;
	return new TypeLibrary(
		{
			...builtInNodes,
			...Object.fromEntries(
				Object.entries(loader.nodeTypes).map(([name, { type }]) => [full(name), type]),
			),
		},
		Object.fromEntries(
			Object.entries(loader.credentialTypes).map(([name, { type }]) => [name, type]),
		),
	);
}

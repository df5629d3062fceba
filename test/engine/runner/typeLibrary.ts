import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import {
	NodeHelpers,
	type ICredentialType,
	type IDataObject,
	type INodeType,
	type INodeTypes,
	type IVersionedNodeType,
} from 'n8n-workflow';
import { builtInNodes } from './builtIn';
import { PackageDirectoryLoader } from './core';

type NodeTypesByName = Record<string, INodeType | IVersionedNodeType>;
type CredentialTypesByName = Record<string, ICredentialType>;

/** Node types (by full name, `package.node`) and credential types that a run can use. */
export class TypeLibrary implements INodeTypes {
	constructor(
		private readonly nodes: NodeTypesByName,
		private readonly credentials: CredentialTypesByName = {},
	) {}

	/** Returns a library with additional types. */
	with(more: { nodes?: NodeTypesByName; credentials?: CredentialTypesByName }): TypeLibrary {
		return new TypeLibrary(
			{ ...this.nodes, ...more.nodes },
			{ ...this.credentials, ...more.credentials },
		);
	}

	getByName(name: string): INodeType | IVersionedNodeType {
		const type = this.nodes[name];
		if (!type)
			throw new Error(`No node type "${name}". Known: ${Object.keys(this.nodes).join(', ')}`);
		return type;
	}

	getByNameAndVersion(name: string, version?: number): INodeType {
		return NodeHelpers.getVersionedNodeType(this.getByName(name), version);
	}

	getKnownTypes(): IDataObject {
		return Object.fromEntries(Object.keys(this.nodes).map((name) => [name, {}]));
	}

	credential(name: string): ICredentialType {
		const type = this.credentials[name];
		if (!type) throw new Error(`No credential type "${name}"`);
		return type;
	}
}

/** Directory of the tested package: the checkout, or the instrumented package (`test/jest/countingPackage.ts`). */
const root = process.env.SHEET_RECORDS_PACKAGE ?? resolve(__dirname, '../../..');
const load = createRequire(__filename);

export const packageName = 'n8n-nodes-sheet-records';

const libraries = new Map<string, Promise<TypeLibrary>>();

/** Returns the types of a built package, loaded by n8n-core, and the built-in nodes. Each directory is loaded once. */
export function packageTypes(directory = root): Promise<TypeLibrary> {
	const loaded = libraries.get(directory);
	if (loaded) return loaded;
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

/**
 * Clears the state of the nodes that would affect the next test: rejected logins, inferred kinds of fields, detected
 * dialects, and creations with an unknown outcome.
 */
export function forgetPreviousTest(): void {
	clearProcessState('refusedLogins', 'ragicAccounts', 'uncertainCreations');
	callExport('nodes/api/sheet/sources/sheetMemory.js', 'forgetInferredFields');
}

/** Clears the given parts of the package's state in the memory of n8n, or all of it. */
export function clearProcessState(...parts: string[]): void {
	callExport('nodes/api/http/processState.js', 'clearProcessState', ...parts);
}

/** Calls a function of a built module, if the package has it. */
function callExport(module: string, name: string, ...parameters: string[]): void {
	const path = join(root, 'dist', module);
	const exported: unknown = existsSync(path) ? Object(load(path))[name] : undefined;
	if (typeof exported === 'function') exported(...parameters);
}

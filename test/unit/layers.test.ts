import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { preProcessFile } from 'typescript';

const root = resolve(__dirname, '../..');

/** A source file of the package: its path from the root, and its imports. */
interface Source {
	path: string;
	modules: string[];
}

function sourcesBelow(folder: string): Source[] {
	return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => join(folder, name).split(sep).join('/'))
		.map((path) => ({
			path,
			modules: preProcessFile(readFileSync(join(root, path), 'utf8')).importedFiles.map(
				({ fileName }) => fileName,
			),
		}));
}

/** Returns the path of a relative import from the root. */
function targetOf(path: string, module: string): string {
	return relative(root, resolve(root, dirname(path), module))
		.split(sep)
		.join('/');
}

const sources = [...sourcesBelow('nodes'), ...sourcesBelow('credentials')];
const imports = sources.flatMap(({ path, modules }) =>
	modules.map((module) => ({
		path,
		module,
		target: module.startsWith('.') ? targetOf(path, module) : module,
	})),
);

/** Returns whether a source file is the given file, or in the given folder. */
function isOf(place: string, path: string): boolean {
	return path === `${place}.ts` || path.startsWith(`${place}/`);
}

/** Returns the imports of a layer from places that are not allowed. */
function forbiddenImports(layer: string, allowed: readonly string[]): string[] {
	return imports
		.filter(({ path }) => isOf(layer, path))
		.filter(
			({ target }) => !allowed.some((place) => target === place || target.startsWith(`${place}/`)),
		)
		.map(({ path, target }) => `${path} → ${target}`);
}

/** Imported source files by source file. */
const imported = new Map<string, string[]>();
for (const { path, target } of imports) {
	const found = sources.find((source) =>
		[`${target}.ts`, `${target}/index.ts`].includes(source.path),
	);
	if (found) imported.set(path, [...(imported.get(path) ?? []), found.path]);
}

/** Returns a circular chain of imports from a source file back to itself, or undefined. */
function circularImport(
	start: string,
	way: string[] = [start],
	seen = new Set<string>(),
): string | undefined {
	for (const next of imported.get(way.at(-1) ?? start) ?? []) {
		if (next === start) return [...way, start].join(' → ');
		if (seen.has(next)) continue;
		seen.add(next);
		const found = circularImport(start, [...way, next], seen);
		if (found !== undefined) return found;
	}
	return undefined;
}

const inApi = (...names: string[]): string[] => names.map((name) => `nodes/api/${name}`);
const core = inApi('json', 'values', 'http', 'read', 'sheet', 'write');
const subjects = inApi('account', 'actions', 'comments', 'rows', 'tasks', 'users', 'webhooks');
const platform = ['n8n-workflow', 'node:crypto'];
/** Types of n8n that `nodes/api` may import. Types only, because `nodes/api` runs in plain Node.js. */
const typesOfN8n = [
	'BinaryHelperFunctions',
	'ICredentialDataDecryptedObject',
	'IHttpRequestOptions',
];
const nodeFolders = ['SheetRecords', 'SheetRecordsTrigger', 'SheetRecordsPollingTrigger'];

/** Allowed imports of each folder or file of the package. */
const layers: ReadonlyArray<{ folder: string; imports: readonly string[] }> = [
	...core.map((folder, index) => ({ folder, imports: [...core.slice(0, index), ...platform] })),
	...subjects.map((folder) => ({ folder, imports: [...core, ...platform] })),
	{ folder: 'nodes/api/files', imports: [...core, ...inApi('account'), ...platform] },
	{ folder: 'nodes/api/documents', imports: [...core, ...inApi('files'), ...platform] },
	{ folder: 'nodes/shared', imports: ['nodes/api', ...platform] },
	...nodeFolders.map((name) => ({
		folder: `nodes/${name}`,
		imports: ['nodes/api', 'nodes/shared', ...platform],
	})),
	{ folder: 'credentials', imports: ['nodes/api', 'nodes/shared', 'n8n-workflow'] },
];

describe('the layers', () => {
	it.each(layers)('$folder imports only from lower layers', ({ folder, imports: allowed }) => {
		expect(imports.some(({ path }) => isOf(folder, path))).toBe(true);
		expect(forbiddenImports(folder, [folder, ...allowed])).toEqual([]);
	});

	it('the API imports nothing from n8n but a few types', () => {
		const statement = /^import ([^;]*?) from 'n8n-workflow';/gm;
		const importLists = sourcesBelow('nodes/api').flatMap(({ path }) =>
			[...readFileSync(join(root, path), 'utf8').matchAll(statement)].map(([, names]) => names),
		);
		const names = importLists.flatMap((text = '') =>
			text.replace(/^type \{(.*)\}$/s, '$1').split(','),
		);
		expect([...new Set(names.map((name) => name.trim()))].sort()).toEqual(typesOfN8n);
	});

	it('there are no circular imports, not even of types', () => {
		expect(sources.map(({ path }) => circularImport(path)).filter(Boolean)).toEqual([]);
	});

	it('every source is in a layer', () => {
		const strayFiles = sources.filter(
			({ path }) => !layers.some(({ folder }) => isOf(folder, path)),
		);
		expect(strayFiles.map(({ path }) => path)).toEqual([]);
	});
});

describe('the package', () => {
	const packageJson: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

	it('the package needs nothing at run time but n8n', () => {
		expect(packageJson).not.toHaveProperty('dependencies');
		expect(packageJson).not.toHaveProperty('optionalDependencies');
		expect(packageJson).not.toHaveProperty('bundledDependencies');
		expect(packageJson).not.toHaveProperty('bundleDependencies');
		expect(packageJson).toHaveProperty('peerDependencies', { 'n8n-workflow': '*' });
	});
});

it('names of value kinds are compared only where kinds are defined or inferred', () => {
	const owners = ['nodes/api/sheet/kinds/valueKinds.ts', 'nodes/api/sheet/sources/inference.ts'];
	const comparing = sources
		.filter(({ path }) => !owners.includes(path))
		.filter(({ path }) => /kind\w*(?:\([^)]*\))?\.name\b/i.test(textOf(path)))
		.map(({ path }) => path);
	expect(comparing).toEqual([]);
});

it('state that outlives an execution is declared in processState.ts only', () => {
	const mutable =
		/^(?:export )?(?:let |const \w+(?:: (?!Readonly)[^=\n]+)? = new (?:Weak)?(?:Map|Set)\b)/m;
	const stateful = sources.filter(({ path }) => mutable.test(textOf(path)));
	expect(stateful.map(({ path }) => path)).toEqual(['nodes/api/http/processState.ts']);
});

function textOf(path: string): string {
	return readFileSync(join(root, path), 'utf8');
}

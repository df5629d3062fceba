import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { operationsToDo } from '../engine/operations';
import { packageName, packageTypes, type TypeLibrary } from '../engine/runner';
import { declares, usedBy } from './sourceGraph';

const root = resolve(__dirname, '../..');
const folder = join(root, 'test/api');
const page = readFileSync(join(folder, 'specification.md'), 'utf8');

/** The rows of all tables: a part of the specification, its place in the package, and its tests. */
const rows = page
	.split('\n')
	.filter((line) => /^\| (?!API |---)/.test(line))
	.map((line) => line.split(/(?<!\\)\|/).slice(1, -1))
	.map((cells) => cells.map((cell) => cell.replaceAll('\\|', '|').trim()));

function codeSpans(cell: string): string[] {
	return [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
}

/** Returns the operations of a place, as `resource.operation`. */
function operationsIn(span: string): string[] {
	const [, resource, operations = ''] = /^(\w+)\.([\w,]+)/.exec(span) ?? [];
	return operations.split(',').map((operation) => `${resource}.${operation}`);
}

/** Returns the file and the symbol of a place in the sources, such as `nodes/api/comments.ts: addComment`. */
function sourceIn(place: string): { file: string; symbol: string } | undefined {
	if (!/^(nodes|credentials)\//.test(place)) return undefined;
	const [file = '', symbol = ''] = place.split(': ');
	return { file, symbol };
}

/**
 * Returns whether a source file declares its symbol, or whether n8n has a property such as `record.getAll: filters.conditions.operator=eq`
 * or `sheetRecordsApi: apiKeyIn=query`.
 */
function isThere(place: string, types: TypeLibrary): boolean {
	const source = sourceIn(place);
	if (source) return declares(source.file, source.symbol);
	const [, owner = '', path, value] = /^([\w.,]+)(?:: ([\w.]+)(?:=(\S+))?)?$/.exec(place) ?? [];
	return sourcesOf(owner, types).every((properties) => {
		const text = JSON.stringify(properties);
		const names = path?.split('.') ?? [];
		return (
			properties.length > 0 &&
			names.every((name) => text.includes(`"name":"${name}"`)) &&
			(value === undefined || new RegExp(`"(value|name)":"?${value}\\b`).test(text))
		);
	});
}

/** Returns the properties of a node, of a credential, or of each operation of the owner. */
function sourcesOf(owner: string, types: TypeLibrary): INodeProperties[][] {
	const [resource = '', operations] = owner.split('.');
	if (/^sheetRecords.*Api$/.test(owner)) return [types.credential(owner).properties];
	const node = operations === undefined ? owner : 'sheetRecords';
	const { properties } = types.getByNameAndVersion(`${packageName}.${node}`).description;
	if (operations === undefined) return [properties];
	const shownFor = (operation: string) =>
		properties.filter(({ displayOptions: { show } = {} }) => {
			const isFor = (name: string, value: string) => show?.[name]?.includes(value) ?? false;
			return isFor('resource', resource) && isFor('operation', operation);
		});
	return operations.split(',').map(shownFor);
}

/** Placeholders of jest in the titles of `each`. */
const placeholder = /%[sdifjopc#]|\$[\w.]+/;

/**
 * Returns whether a file has a test or a group with this title. The text may contain values instead of the placeholders of
 * `each`, if the file contains these values.
 */
function hasTitle(file: string, text: string): boolean {
	const source = readFileSync(file, 'utf8');
	const literals = [...source.matchAll(/(['"`])((?:(?!\1)[^\\\n]|\\.)+)\1,\s*(?:async )?\(/g)];
	return literals.some(([, , literal = '']) => {
		const title = literal.replace(/\\(.)/g, '$1');
		const words = title.split(placeholder);
		if (title === text) return true;
		if (words.length === 1 || words.join('').trim() === '') return false;
		const values = new RegExp(`^${words.map(escaped).join('(.+)')}$`).exec(text)?.slice(1);
		return values?.every((value) => source.includes(value)) ?? false;
	});
}

function escaped(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

const resources = 'nodes/SheetRecords/resources';
const filesIn = (below: string) =>
	readdirSync(join(root, below), { encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => `${below}/${name}`);

/** Files of the nodes and credentials that n8n loads. */
const { n8n }: { n8n: { nodes: string[]; credentials: string[] } } = JSON.parse(
	readFileSync(join(root, 'package.json'), 'utf8'),
);
const loadedFiles = [...n8n.nodes, ...n8n.credentials].map((path) =>
	path.replace(/^dist\/(.+)\.js$/, '$1.ts'),
);

/**
 * Returns the files in which the code that a test runs begins. A unit test begins with its imports. An engine test runs a node:
 * its folder tells the resource or the trigger, and in `record` the first word of its name tells the operation.
 */
function entriesOf(test: string): string[] {
	const [, folder = '', name = ''] = /^test\/engine\/(\w+)\/(\w+)/.exec(test) ?? [];
	if (!test.startsWith('test/engine/')) return [test];
	if (folder === 'trigger') return loadedFiles.filter((file) => /RecordsTrigger\//.test(file));
	if (folder === 'polling') return loadedFiles.filter((file) => /PollingTrigger\//.test(file));
	const operation = `${resources}/${folder}/${name}.ts`;
	if (existsSync(join(root, operation))) return [operation];
	if (existsSync(join(root, `${resources}/${folder}.ts`))) return [`${resources}/${folder}.ts`];
	if (existsSync(join(root, resources, folder)) && folder !== '') {
		return filesIn(`${resources}/${folder}`);
	}
	return loadedFiles;
}

/** Paths of files → the declarations that they use. Many tests begin with the same files. */
const usedByFiles = new Map<string, Set<string>>();

/** Returns whether a test can run a symbol: it is used, directly or not, by the code that the test begins with. */
function reaches(test: string, place: string): boolean {
	const entries = entriesOf(test);
	const key = entries.join();
	const used = usedByFiles.get(key) ?? usedBy(entries);
	usedByFiles.set(key, used);
	return used.has(place);
}

/** Returns whether a test is about a resource: by its folder, or because it names the resource. */
function isAbout(test: string, resource: string): boolean {
	if (!test.startsWith('test/engine/')) return true;
	if (test.startsWith(`test/engine/${resource}/`)) return true;
	return new RegExp(`\\b${resource}\\b`).test(readFileSync(join(root, test), 'utf8'));
}

/** Returns the errors of a row. A part of the API that is not offered has a reason and needs no test. */
function problemsOf([subject = '', place = '', proof = '']: string[], types: TypeLibrary) {
	const isLeftOut = /^not offered: \S.{9}/.test(place);
	const places = codeSpans(place);
	const links = [...proof.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)];
	const lostTests = links.filter(([, title = '', file = '']) => {
		const path = join(folder, file);
		// Tests of the reference service prove nothing about the node.
		const isOfNode = /^test\/(engine|unit\/(?!referenceService\/))/.test(relative(root, path));
		return !isOfNode || !existsSync(path) || !hasTitle(path, title);
	});
	const tests = links.map(([, , file = '']) => relative(root, join(folder, file)));
	const unreached = places.filter(
		(span) =>
			sourceIn(span) && !tests.some((test) => existsSync(join(root, test)) && reaches(test, span)),
	);
	const untested = places
		.flatMap((span) => /^(\w+)\.\w/.exec(span)?.[1] ?? [])
		.filter((resource) => !isLeftOut && !tests.some((test) => isAbout(test, resource)));
	return [
		...unreached.map((span) => `no test of the row runs ${span}`),
		...untested.map((resource) => `${subject}: no test of the row is about ${resource}`),
		...(codeSpans(subject).length > 0 ? [] : [`${subject}: nothing in backticks`]),
		...(isLeftOut || places.length > 0 ? [] : [`${subject}: no place and no reason`]),
		...(links.length > 0 || (isLeftOut && proof === '–') ? [] : [`${subject}: no test`]),
		...places.filter((span) => !isThere(span, types)).map((span) => `there is no ${span}`),
		...lostTests.map(([link]) => `there is no ${link}`),
	];
}

describe('the coverage of the API', () => {
	it('the coverage page has a row with each operation of the node', async () => {
		const named = new Set(rows.flatMap(([, place = '']) => codeSpans(place).flatMap(operationsIn)));
		const todo = 'name it in test/api/specification.md (HOW_TO, step 8)';
		expect(await operationsToDo((operation) => named.has(operation), todo)).toEqual([]);
	});

	it('each row of the coverage page names a place in the node and a test that runs it', async () => {
		const types = await packageTypes();
		expect(rows.length).toBeGreaterThan(250);
		expect(rows.filter(({ length }) => length !== 3)).toEqual([]);
		expect(rows.flatMap((row) => problemsOf(row, types))).toEqual([]);
	});

	it('a symbol in another file, or that a test does not run, is noticed', () => {
		expect(declares('nodes/api/write/records.ts', 'createRecord')).toBe(true);
		expect(declares('nodes/api/read/records.ts', 'createRecord')).toBe(false);
		const runs = (symbol: string) => (test: string) => reaches(`test/${test}.test.ts`, symbol);
		const addsComment = runs('nodes/api/comments.ts: addComment');
		expect(addsComment('engine/comment/add')).toBe(true);
		// This test reads comments only.
		expect(addsComment('unit/api/comments')).toBe(false);
		expect(runs('nodes/api/comments.ts: commentOf')('unit/api/comments')).toBe(true);
		expect(addsComment('engine/lock/lock')).toBe(false);
		const deletesRecord = runs('nodes/api/write/records.ts: deleteRecord');
		expect(deletesRecord('engine/record/delete')).toBe(true);
		expect(deletesRecord('engine/record/count')).toBe(false);
	});
});

import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { packageName, type TypeLibrary } from '../engine/runner';

/** A row of the coverage table: what the specification has, where it is in the package, what shows it. */
export interface Row {
	section: string;
	line: number;
	/** What the first cell names in backticks. */
	keys: string[];
	subject: string;
	place: string;
	proof: string;
	/** Cells beyond these, or too few of them, make no row. */
	isWhole: boolean;
}

/** The rows of all tables of a page, without their heads. */
export function rowsOf(markdown: string): Row[] {
	const rows: Row[] = [];
	let section = '';
	let isBody = false;
	for (const [index, text] of markdown.split('\n').entries()) {
		section = /^## (.+)$/.exec(text)?.[1] ?? section;
		if (/^\|( *-+ *\|)+$/.test(text)) isBody = true;
		else if (!text.startsWith('|')) isBody = false;
		else if (isBody) rows.push(rowOf(section, index + 1, text));
	}
	return rows;
}

export function codeSpans(cell: string): string[] {
	return [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
}

/** The titles of tests and their files, by the path from the folder of the table. */
function testLinks(cell: string): Array<{ title: string; file: string }> {
	return [...cell.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, title = '', file = '']) => ({
		title,
		file,
	}));
}

function rowOf(section: string, line: number, text: string): Row {
	const cells = text
		.split(/(?<!\\)\|/)
		.slice(1, -1)
		.map((cell) => cell.replace(/\\\|/g, '|').trim());
	const [subject = '', place = '', proof = ''] = cells;
	return {
		section,
		line,
		keys: codeSpans(subject),
		subject,
		place,
		proof,
		isWhole: cells.length === 3,
	};
}

/** What the package offers, such as `record.getAll: filters.conditions.operator=eq` or `sheetRecordsApi: apiKeyIn=query`. */
const form = /^([\w.,]+)(?:: ([\w.]+)(?:=(\S+))?)?$/;

/** Whether the built package has all that the reference names. */
function isOffered(reference: string, types: TypeLibrary): boolean {
	const [, owner, path, value] = form.exec(reference) ?? [];
	if (owner === undefined) return false;
	return sourcesOf(owner, types).every(
		(properties) =>
			properties !== undefined &&
			(path === undefined || hasProperty(properties, path.split('.'), value)),
	);
}

/** The properties of a node or a credential, or of each of the operations that the owner names. */
function sourcesOf(owner: string, types: TypeLibrary): Array<INodeProperties[] | undefined> {
	const [name = '', operations] = owner.split('.');
	if (operations === undefined) return [propertiesOf(name, types)];
	const properties = propertiesOf('sheetRecords', types) ?? [];
	return operations.split(',').map((operation) => {
		const isOperation = properties
			.filter((property) => property.name === 'operation' && isShown(property, { resource: name }))
			.some((property) => hasValue(property, operation));
		if (!isOperation) return undefined;
		return properties.filter((property) => isShown(property, { resource: name, operation }));
	});
}

function propertiesOf(name: string, types: TypeLibrary): INodeProperties[] | undefined {
	if (['sheetRecordsApi', 'sheetRecordsSessionApi'].includes(name)) {
		return types.credential(name).properties;
	}
	if (!['sheetRecords', 'sheetRecordsTrigger', 'sheetRecordsPollingTrigger'].includes(name))
		return undefined;
	return types.getByNameAndVersion(`${packageName}.${name}`).description.properties;
}

function isShown({ displayOptions }: INodeProperties, chosen: Record<string, string>): boolean {
	return Object.entries(chosen).every(
		([parameter, value]) => displayOptions?.show?.[parameter]?.includes(value) ?? true,
	);
}

function hasProperty(
	properties: ReadonlyArray<INodeProperties | INodePropertyCollection>,
	[name, ...below]: string[],
	value: string | undefined,
): boolean {
	return properties
		.filter((property) => property.name === name)
		.some((property) => {
			if (below.length > 0) return hasProperty(childrenOf(property), below, value);
			return value === undefined || ('type' in property && hasValue(property, value));
		});
}

function childrenOf(
	parent: INodeProperties | INodePropertyCollection,
): Array<INodeProperties | INodePropertyCollection> {
	if ('values' in parent) return parent.values;
	return (parent.options ?? []).flatMap((option) => (isChoice(option) ? [] : [option]));
}

function isChoice(
	option: INodePropertyOptions | INodeProperties | INodePropertyCollection,
): option is INodePropertyOptions {
	return 'value' in option;
}

/** Whether a choice has the value, or a resource locator the mode. */
function hasValue({ options = [], modes = [] }: INodeProperties, value: string): boolean {
	return (
		options.filter(isChoice).some((option) => String(option.value) === value) ||
		modes.some((mode) => mode.name === value)
	);
}

const root = resolve(__dirname, '../..');

/** What is wrong with a row; nothing when all that it says is true. */
export function problemsOf(row: Row, types: TypeLibrary): string[] {
	const problems = row.isWhole
		? [...gaps(row), ...falsePlaces(row, types), ...falseProofs(row)]
		: ['does not have three cells'];
	return problems.map((problem) => `line ${row.line}, ${row.subject}: ${problem}`);
}

/** Every cell says something; what is not offered says why, and needs no test. */
function gaps({ keys, place, proof }: Row): string[] {
	const problems: string[] = [];
	if (keys.length === 0) problems.push('the first cell names nothing in backticks');
	const isLeftOut = /^not offered: \S.{9}/.test(place);
	if (!isLeftOut && codeSpans(place).length === 0) {
		problems.push('no place in the node, and no reason why there is none');
	}
	const isUnproved = testLinks(proof).length === 0;
	if (isUnproved && !(isLeftOut && proof === '–')) problems.push('no test');
	return problems;
}

function falsePlaces({ place }: Row, types: TypeLibrary): string[] {
	return codeSpans(place)
		.filter((span) => !(isSource(span) ? existsSync(join(root, span)) : isOffered(span, types)))
		.map((span) => `there is no ${isSource(span) ? 'file' : 'parameter'} ${span}`);
}

function falseProofs({ proof }: Row): string[] {
	return testLinks(proof).flatMap(({ title, file }) => {
		const path = join(__dirname, file);
		if (!isTestOfTheNode(path)) return [`${file} is no file of the node's tests`];
		if (!existsSync(path)) return [`there is no file ${file}`];
		return hasTitle(path, title) ? [] : [`there is no test '${title}' in ${file}`];
	});
}

function isSource(span: string): boolean {
	return /^(nodes|credentials)\//.test(span);
}

/** Tests of the reference service show nothing of the node. */
function isTestOfTheNode(path: string): boolean {
	return /^test\/(engine|unit\/(?!referenceService\/)).*\.test\.ts$/.test(relative(root, path));
}

/** What jest replaces in the titles of `each`. */
const placeholder = /%[sdifjopc#]|\$[\w.]+/;

/**
 * Whether a file has a test or a group of this title. Where the title of an `each` has placeholders, the text may have
 * values in their places; these stand in its cases.
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

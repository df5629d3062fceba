import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

import type { TypeLibrary } from '../engine/runner';
import { isOffered } from './references';
import { codeSpans, testLinks, type Row } from './table';
import { hasTitle } from './titles';

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

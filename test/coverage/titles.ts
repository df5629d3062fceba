import { readFileSync } from 'node:fs';
import {
	createSourceFile,
	forEachChild,
	isCallExpression,
	isIdentifier,
	isPropertyAccessExpression,
	isStringLiteralLike,
	isVariableDeclaration,
	ScriptTarget,
	type CallExpression,
	type Expression,
	type Node,
} from 'typescript';

interface Title {
	text: string;
	/** The source of the cases, for the title of an `each`. */
	cases: string;
}

/** What jest replaces in the titles of `each`. */
const placeholder = /(%[sdifjopc#]|\$[\w.]+)/;

/**
 * Whether a file has a test or a group of this title that runs. Where the title of an `each` has placeholders, the
 * text may have values in their places; these stand in its cases.
 */
export function hasTitle(file: string, text: string): boolean {
	return titlesIn(file).some(
		(title) =>
			title.text === text ||
			valuesIn(text, title.text)?.every((value) => standsIn(title.cases, value)),
	);
}

/** A page names most files again and again. */
const knownTitles = new Map<string, Title[]>();

function titlesIn(file: string): Title[] {
	const titles = knownTitles.get(file) ?? readTitles(file);
	knownTitles.set(file, titles);
	return titles;
}

function readTitles(file: string): Title[] {
	const titles: Title[] = [];
	const variables = new Map<string, string>();
	const source = createSourceFile(file, readFileSync(file, 'utf8'), ScriptTarget.Latest);
	const visit = (node: Node): void => {
		if (isCallExpression(node) && isLeftOut(node.expression)) return;
		if (isVariableDeclaration(node)) {
			variables.set(node.name.getText(source), node.getText(source));
		}
		const [title] = isCallExpression(node) && isTest(node.expression) ? node.arguments : [];
		if (title && isStringLiteralLike(title) && isCallExpression(node)) {
			const cases = casesOf(node).map((each) => each.getText(source));
			titles.push({ text: title.text, cases: withVariables(cases.join(), variables) });
		}
		forEachChild(node, visit);
	};
	visit(source);
	return titles;
}

/** `it`, `it.each(…)`, `describe.each(…)` and the like. */
function isTest(expression: Expression): boolean {
	if (isIdentifier(expression)) return ['describe', 'it', 'test'].includes(expression.text);
	if (!isPropertyAccessExpression(expression) && !isCallExpression(expression)) return false;
	return isTest(expression.expression);
}

/** `it.skip`, `it.todo`, `describe.skip.each(…)` and the like: what does not run shows nothing. */
function isLeftOut(expression: Expression): boolean {
	if (isIdentifier(expression)) return ['xit', 'xtest', 'xdescribe'].includes(expression.text);
	if (isCallExpression(expression)) return isLeftOut(expression.expression);
	if (!isPropertyAccessExpression(expression) || !isTest(expression.expression)) return false;
	return (
		['skip', 'todo', 'failing'].includes(expression.name.text) || isLeftOut(expression.expression)
	);
}

function casesOf({ expression }: CallExpression): readonly Expression[] {
	return isCallExpression(expression) ? expression.arguments : [];
}

/** Cases are often kept in a variable above the tests. */
function withVariables(cases: string, variables: ReadonlyMap<string, string>): string {
	const [first = ''] = /^\w+/.exec(cases) ?? [];
	return `${cases}\n${variables.get(first) ?? ''}`;
}

/** What stands in the places of the title's placeholders; undefined when the text is of another title. */
function valuesIn(text: string, title: string): string[] | undefined {
	// The words between placeholders have even places.
	const parts = title.split(placeholder);
	const words = parts.filter((_, index) => index % 2 === 0);
	if (words.join('').trim() === '') return undefined;
	const pattern = parts.map((part, index) => (index % 2 === 0 ? escaped(part) : '(.+)'));
	return new RegExp(`^${pattern.join('')}$`).exec(text)?.slice(1);
}

function standsIn(cases: string, value: string): boolean {
	return new RegExp(`(?<!\\w)${escaped(value)}(?!\\w)`).test(cases);
}

function escaped(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

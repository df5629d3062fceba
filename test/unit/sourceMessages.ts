import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	createSourceFile,
	forEachChild,
	isConditionalExpression,
	isIdentifier,
	isNewExpression,
	isObjectLiteralExpression,
	isPropertyAssignment,
	isShorthandPropertyAssignment,
	isStringLiteralLike,
	isTemplateExpression,
	isVariableDeclaration,
	ScriptTarget,
	type Expression,
	type NewExpression,
	type Node,
	type ObjectLiteralElementLike,
	type SourceFile,
} from 'typescript';

/** A message of an InputError, an EntryError without its entry, or a ServiceError, with `…` for each inserted value. */
export interface SourceMessage {
	text: string;
	/** Whether the error also says what to do, in its description or as a remedy. */
	hasAdvice: boolean;
}

const nodesFolder = join(__dirname, '../../nodes');

const sources: SourceFile[] = readdirSync(nodesFolder, { recursive: true, encoding: 'utf8' })
	.filter((name) => name.endsWith('.ts'))
	.map((name) => {
		const text = readFileSync(join(nodesFolder, name), 'utf8');
		return createSourceFile(name, text, ScriptTarget.Latest, true);
	});

/** Returns all texts in the source files of the nodes, with `…` for each inserted value. */
export function sourceTexts(): string[] {
	return sources.flatMap((source) => nodesIn(source).flatMap((node) => literalText(node) ?? []));
}

/** Returns the literal messages of all errors in the source files of the nodes. */
export function errorMessages(): SourceMessage[] {
	return sources.flatMap((source) =>
		nodesIn(source)
			.filter(isNewExpression)
			.flatMap((created) => messagesOf(source, created)),
	);
}

function nodesIn(node: Node): Node[] {
	const nodes: Node[] = [node];
	forEachChild(node, (child) => void nodes.push(...nodesIn(child)));
	return nodes;
}

function literalText(node: Node): string | undefined {
	if (isStringLiteralLike(node)) return node.text;
	if (!isTemplateExpression(node)) return undefined;
	return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…');
}

function messagesOf(source: SourceFile, { expression, arguments: list }: NewExpression) {
	const name = expression.getText();
	// The first word of an EntryError is the entry.
	const words = [...(list ?? [])].slice(name === 'EntryError' ? 1 : 0);
	const [first] = words;
	if (first === undefined || !['InputError', 'EntryError', 'ServiceError'].includes(name))
		return [];
	const isOfService = name === 'ServiceError';
	const hasAdvice = isOfService ? isAdvised(first) : words.length > 1;
	const message = isOfService ? messageIn(first) : first;
	return textsOf(source, message).map((text): SourceMessage => ({ text, hasAdvice }));
}

function isAdvised(details: Expression): boolean {
	return ['description', 'remedy'].some((name) => memberOf(details, name) !== undefined);
}

/** Returns the message in the details of a ServiceError. */
function messageIn(details: Expression): Node | undefined {
	const member = memberOf(details, 'message');
	if (member && isPropertyAssignment(member)) return member.initializer;
	return member && isShorthandPropertyAssignment(member) ? member.name : undefined;
}

function memberOf(details: Expression, name: string): ObjectLiteralElementLike | undefined {
	const members = isObjectLiteralExpression(details) ? [...details.properties] : [];
	return members.find((member) => member.name?.getText() === name);
}

/**
 * Returns the literal texts that an expression may stand for. For a variable, uses its last declaration before the
 * expression.
 */
function textsOf(source: SourceFile, node: Node | undefined): string[] {
	if (!node) return [];
	if (isConditionalExpression(node)) {
		return [...textsOf(source, node.whenTrue), ...textsOf(source, node.whenFalse)];
	}
	if (!isIdentifier(node)) return [literalText(node) ?? []].flat();
	const declared = nodesIn(source)
		.filter(isVariableDeclaration)
		.filter(({ name, pos }) => name.getText() === node.text && pos < node.pos)
		.at(-1);
	return textsOf(source, declared?.initializer);
}

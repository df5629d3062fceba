import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import ts from 'typescript';

const folder = join(__dirname, '../nodes');

/** A part of a source file, with the path of the file below `nodes/`. */
export interface SourcePart<Node extends ts.Node = ts.Node> {
	path: string;
	node: Node;
}

/** Returns all parts of the sources of the nodes that `isMeant` selects, in the order of their files. */
export function partsOfNodes<Node extends ts.Node>(
	isMeant: (node: ts.Node) => node is Node,
): Array<SourcePart<Node>> {
	const parts: Array<SourcePart<Node>> = [];
	for (const file of filesOfNodes()) {
		const visit = (node: ts.Node): void => {
			if (isMeant(node)) parts.push({ path: file.fileName, node });
			ts.forEachChild(node, visit);
		};
		visit(file);
	}
	return parts;
}

/** Returns the name of the variable or property with this initial value; undefined for any other expression. */
export function ownerOf({ parent }: ts.Node): string | undefined {
	const isOwner = ts.isVariableDeclaration(parent) || ts.isPropertyDeclaration(parent);
	return isOwner ? parent.name.getText() : undefined;
}

/**
 * Returns the number of a constant at the top level of a file below `nodes/`, exported or not. `members` leads to a number inside
 * an object. Throws if the file has no such constant, or if it is not a number or a product of numbers and constants.
 */
export function numberInNodes(path: string, name: string, ...members: string[]): number {
	const file = sourceFile(path);
	const declaration = file.statements
		.filter(ts.isVariableStatement)
		.flatMap(({ declarationList }) => [...declarationList.declarations])
		.find((candidate) => candidate.name.getText() === name);
	let value: ts.Expression | undefined = declaration?.initializer;
	for (const member of members) value = value && memberOf(value, member);
	if (!value) throw new Error(`There is no ${[name, ...members].join('.')} in nodes/${path}`);
	return numberOf(value, path);
}

function memberOf(value: ts.Expression, name: string): ts.Expression | undefined {
	const object = withoutType(value);
	if (!ts.isObjectLiteralExpression(object)) return undefined;
	return object.properties
		.filter(ts.isPropertyAssignment)
		.find((property) => property.name.getText() === name)?.initializer;
}

function withoutType(value: ts.Expression): ts.Expression {
	const isTyped = ts.isAsExpression(value) || ts.isSatisfiesExpression(value);
	return isTyped || ts.isParenthesizedExpression(value) ? withoutType(value.expression) : value;
}

function numberOf(value: ts.Expression, path: string): number {
	if (ts.isNumericLiteral(value)) return Number(value.text);
	if (ts.isIdentifier(value)) return numberInNodes(path, value.text);
	const isProduct =
		ts.isBinaryExpression(value) && value.operatorToken.kind === ts.SyntaxKind.AsteriskToken;
	if (isProduct) return numberOf(value.left, path) * numberOf(value.right, path);
	throw new Error(`${value.getText()} in nodes/${path} is not a number`);
}

function filesOfNodes(): ts.SourceFile[] {
	return readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.sort()
		.map((name) => sourceFile(name.split(sep).join('/')));
}

function sourceFile(path: string): ts.SourceFile {
	const text = readFileSync(join(folder, path), 'utf8');
	return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

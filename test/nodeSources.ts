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

function filesOfNodes(): ts.SourceFile[] {
	return readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.sort()
		.map((name) => {
			const text = readFileSync(join(folder, name), 'utf8');
			const path = name.split(sep).join('/');
			return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
		});
}

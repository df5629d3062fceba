import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '../..');

/** A top-level declaration: `<file>: <name>`. The body of a file that is no declaration has the name `*`. */
type Declaration = string;

/** Name that stands for all declarations of a file. */
const everything = '**';

/** The declarations of a source file, and the names in each of them. */
interface SourceFile {
	/** Imported name → declaration. */
	imports: Map<string, Declaration>;
	/** Files that are imported, from the sources only. */
	imported: string[];
	/** Name of a declaration → identifiers in it. */
	declared: Map<string, Set<string>>;
}

const sources = new Map<string, SourceFile>();

/** Returns the parsed source of a file, by its path from the root. */
function sourceOf(file: string): SourceFile {
	const known = sources.get(file);
	if (known) return known;
	const text = readFileSync(join(root, file), 'utf8');
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	const parsed: SourceFile = { imports: new Map(), imported: [], declared: new Map() };
	sources.set(file, parsed);
	for (const statement of source.statements) addStatement(parsed, file, statement);
	return parsed;
}

function addStatement(parsed: SourceFile, file: string, statement: ts.Statement): void {
	const isLink = ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement);
	if (isLink && statement.moduleSpecifier && ts.isStringLiteral(statement.moduleSpecifier)) {
		addImports(parsed, file, statement, statement.moduleSpecifier.text);
		return;
	}
	addLateImports(parsed, file, statement);
	for (const name of namesOf(statement)) {
		const identifiers = parsed.declared.get(name) ?? new Set();
		addIdentifiers(statement, identifiers);
		parsed.declared.set(name, identifiers);
	}
}

function addImports(
	parsed: SourceFile,
	file: string,
	statement: ts.ImportDeclaration | ts.ExportDeclaration,
	specifier: string,
): void {
	const target = resolved(file, specifier);
	if (target === undefined) return;
	parsed.imported.push(target);
	const bindings = ts.isImportDeclaration(statement) && statement.importClause?.namedBindings;
	if (bindings && ts.isNamespaceImport(bindings)) {
		parsed.imports.set(bindings.name.text, `${target}: ${everything}`);
	}
	const clause = ts.isImportDeclaration(statement)
		? statement.importClause?.namedBindings
		: statement.exportClause;
	if (!clause || !(ts.isNamedImports(clause) || ts.isNamedExports(clause))) return;
	for (const { name, propertyName } of clause.elements) {
		parsed.imports.set(name.text, `${target}: ${(propertyName ?? name).text}`);
	}
}

/** Adds the imports in functions: `const { poll } = await import('./poll')`. */
function addLateImports(parsed: SourceFile, file: string, node: ts.Node): void {
	ts.forEachChild(node, (child) => addLateImports(parsed, file, child));
	if (!ts.isVariableDeclaration(node) || !ts.isObjectBindingPattern(node.name)) return;
	const call =
		node.initializer && ts.isAwaitExpression(node.initializer) && node.initializer.expression;
	if (!call || !ts.isCallExpression(call)) return;
	const [specifier] = call.arguments;
	const isImport = call.expression.kind === ts.SyntaxKind.ImportKeyword;
	if (!isImport || !specifier || !ts.isStringLiteral(specifier)) return;
	const target = resolved(file, specifier.text);
	if (target === undefined) return;
	parsed.imported.push(target);
	for (const name of namesIn(node.name)) parsed.imports.set(name, `${target}: ${name}`);
}

function resolved(file: string, specifier: string): string | undefined {
	if (!specifier.startsWith('.')) return undefined;
	const path = join(root, dirname(file), specifier);
	const found = [`${path}.ts`, join(path, 'index.ts')].find((candidate) => existsSync(candidate));
	return found === undefined ? undefined : relative(root, found);
}

function namesOf(statement: ts.Statement): string[] {
	if (ts.isVariableStatement(statement)) {
		return statement.declarationList.declarations.flatMap(({ name }) => namesIn(name));
	}
	const isNamed =
		ts.isFunctionDeclaration(statement) ||
		ts.isClassDeclaration(statement) ||
		ts.isInterfaceDeclaration(statement) ||
		ts.isTypeAliasDeclaration(statement);
	return [isNamed && statement.name ? statement.name.text : '*'];
}

function namesIn(name: ts.BindingName): string[] {
	if (ts.isIdentifier(name)) return [name.text];
	return name.elements.flatMap((element) =>
		ts.isBindingElement(element) ? namesIn(element.name) : [],
	);
}

function addIdentifiers(node: ts.Node, identifiers: Set<string>): void {
	if (ts.isIdentifier(node)) identifiers.add(node.text);
	ts.forEachChild(node, (child) => addIdentifiers(child, identifiers));
}

/** Returns whether the file has a top-level declaration with this name. */
export function declares(file: string, name: string): boolean {
	return existsSync(join(root, file)) && sourceOf(file).declared.has(name);
}

/**
 * Returns all declarations that the declarations of some files use, directly or not. Names are compared, not scopes, so a few
 * declarations too many may be in it.
 */
export function usedBy(files: readonly string[]): Set<Declaration> {
	const used = new Set<Declaration>();
	const waiting = files.flatMap((file) => {
		const { declared, imported } = sourceOf(file);
		// Statements of imported files are executed, too, even if nothing of them is used by name.
		return [...declared.keys()].map((name) => `${file}: ${name}`).concat(imported.map(bodyOf));
	});
	for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
		if (used.has(next)) continue;
		used.add(next);
		waiting.push(...usesOf(next));
	}
	return used;
}

const bodyOf = (file: string) => `${file}: *`;

const uses = new Map<Declaration, Declaration[]>();

/** Returns the declarations that a declaration uses or exports again. */
function usesOf(declaration: Declaration): Declaration[] {
	const known = uses.get(declaration) ?? findUses(declaration);
	uses.set(declaration, known);
	return known;
}

function findUses(declaration: Declaration): Declaration[] {
	const [file = '', name = ''] = declaration.split(': ');
	const { imports, declared } = sourceOf(file);
	if (name === everything) return [...declared.keys()].map((each) => `${file}: ${each}`);
	const identifiers = declared.get(name);
	const exported = imports.get(name);
	if (!identifiers) return exported === undefined ? [] : [exported];
	return [...identifiers].flatMap((identifier) => {
		const imported = imports.get(identifier);
		if (imported !== undefined) return [imported];
		return declared.has(identifier) && identifier !== name ? [`${file}: ${identifier}`] : [];
	});
}

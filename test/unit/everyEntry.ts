import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '../..');

/** A part of a source file that can be left out: an entry of a list, or an alternative of a regular expression. */
interface Entry {
	text: string;
	start: number;
	end: number;
}

interface Options {
	/** Selects constants by name; without it, all lists of the module are tested. */
	isMeant?(name: string): boolean;
	/** Imported module, as the source names it → its exports during the test. */
	replacedModules?: Readonly<Record<string, object>>;
}

/**
 * Adds a test that takes each entry out of the lists of a module, one at a time, and expects other outcomes. So each word, media
 * type, extension, key and alternative is the reason for at least one outcome. Lists are constants at the top level (arrays, and
 * texts that a function splits into words) and regular expressions.
 *
 * @param path the path of the module in the checkout
 * @param outcomesOf returns the outcomes of samples. The samples themselves are tested elsewhere.
 */
export function everyEntryMatters<Module>(
	path: string,
	outcomesOf: (tested: Module) => unknown,
	{ isMeant = () => true, replacedModules = {} }: Options = {},
): void {
	it(`each entry of the lists in ${path} is the reason for an outcome`, async () => {
		const code = compiled(path);
		const outcomes = async (changed: string) =>
			JSON.stringify(await outcomesOf(moduleOf(path, changed, replacedModules)));
		const complete = await outcomes(code);
		const idle: string[] = [];
		for (const { text, start, end } of entriesIn(code, isMeant)) {
			const reduced = code.slice(0, start) + code.slice(end);
			if ((await outcomes(reduced)) === complete) idle.push(text);
		}
		expect(idle).toEqual([]);
	});
}

function compiled(path: string): string {
	const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
	return ts.transpileModule(readFileSync(join(root, path), 'utf8'), { compilerOptions }).outputText;
}

/** Evaluates changed code. The modules that it imports are the usual ones. */
function moduleOf<Module>(
	path: string,
	code: string,
	replaced: Readonly<Record<string, object>>,
): Module {
	const folder = dirname(join(root, path));
	const load = (id: string): unknown =>
		replaced[id] ?? require(id.startsWith('.') ? join(folder, id) : id);
	return new Function('exports', 'require', `${code}\nreturn exports;`)({}, load);
}

function entriesIn(code: string, isMeant: (name: string) => boolean): Entry[] {
	const file = ts.createSourceFile('module.js', code, ts.ScriptTarget.Latest, true);
	const entries: Entry[] = [];
	const visit = (node: ts.Node): void => {
		if (node.parent === file) {
			const name = constantName(node);
			if (name !== undefined && !isMeant(name)) return;
			if (name !== undefined) entries.push(...elementsIn(node));
		}
		if (ts.isRegularExpressionLiteral(node)) entries.push(...alternativesOf(node));
		ts.forEachChild(node, visit);
	};
	visit(file);
	return entries;
}

/** Returns the name of a constant that a statement declares or exports; undefined for any other statement. */
function constantName(statement: ts.Node): string | undefined {
	if (ts.isVariableStatement(statement)) {
		return statement.declarationList.declarations[0]?.name.getText();
	}
	const expression = ts.isExpressionStatement(statement) ? statement.expression : undefined;
	if (!expression || !ts.isBinaryExpression(expression)) return undefined;
	return expression.left.getText().replace(/^exports\./, '');
}

/** Returns the elements of all arrays in a constant, and the words of texts that are arguments. Functions have none. */
function elementsIn(node: ts.Node): Entry[] {
	if (ts.isFunctionLike(node)) return [];
	const inner: Entry[] = [];
	ts.forEachChild(node, (child) => {
		inner.push(...elementsIn(child));
	});
	const isWords = ts.isStringLiteralLike(node) && ts.isCallExpression(node.parent);
	if (isWords) return wordsOf(node);
	return ts.isArrayLiteralExpression(node) && !isPair(node)
		? [...elementsOf(node), ...inner]
		: inner;
}

/** Returns whether an array is an entry itself: a pair in a list of pairs. */
function isPair({ parent, elements }: ts.ArrayLiteralExpression): boolean {
	return ts.isArrayLiteralExpression(parent) && elements.length === 2;
}

function elementsOf({ elements }: ts.ArrayLiteralExpression): Entry[] {
	const isGroup = (element: ts.Expression) =>
		ts.isSpreadElement(element) && ts.isArrayLiteralExpression(element.expression);
	return elements.flatMap((element, index) => {
		const end = elements[index + 1]?.getFullStart() ?? elements.end;
		return isGroup(element)
			? []
			: [{ text: element.getText(), start: element.getFullStart(), end }];
	});
}

function wordsOf(node: ts.StringLiteralLike): Entry[] {
	const words = [...node.getText().slice(1, -1).matchAll(/\S+/g)];
	const begin = node.getStart() + 1;
	return words.length < 3
		? []
		: words.map(({ 0: text, index }) => ({
				text,
				start: begin + index,
				end: begin + index + text.length,
			}));
}

/** Returns the alternatives of all groups of a regular expression, each with the bar that belongs to it. */
function alternativesOf(node: ts.RegularExpressionLiteral): Entry[] {
	const pattern = node.text;
	const groups: Array<{ from: number; bars: number[] }> = [{ from: 1, bars: [] }];
	const entries: Entry[] = [];
	const close = (to: number) => {
		const { from, bars } = groups.pop() ?? { from: 0, bars: [] };
		if (bars.length === 0) return;
		for (const [index, end] of [...bars, to].entries()) {
			const start = bars[index - 1] ?? from;
			// The first alternative takes the bar after it along, each other one the bar before it.
			entries.push({ text: pattern.slice(start, end), start, end: index === 0 ? end + 1 : end });
		}
	};
	for (const { 0: part, index } of pattern.matchAll(
		/\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<?[=!]|<\w+>|:))?|[|)]/gs,
	)) {
		if (part.startsWith('(')) groups.push({ from: index + part.length, bars: [] });
		if (part === '|') groups.at(-1)?.bars.push(index);
		if (part === ')') close(index);
	}
	close(pattern.lastIndexOf('/'));
	const begin = node.getStart();
	return entries
		.filter(({ text }) => text !== '' && text !== '|')
		.map(({ text, start, end }) => ({ text, start: begin + start, end: begin + end }));
}

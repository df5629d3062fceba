import { existsSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { partsOfNodes } from '../../nodeSources';
import { limits } from './table';

const checkout = join(__dirname, '../../..');

/** The constants `max…` at the top level of the nodes' files, exported or not. */
const declarations = partsOfNodes(ts.isVariableStatement)
	.filter(({ node }) => ts.isSourceFile(node.parent))
	.flatMap(({ path, node }) =>
		node.declarationList.declarations.map(({ name, initializer }) => ({
			path,
			name: name.getText(),
			value: initializer?.getText() ?? '',
		})),
	)
	.filter(({ name }) => /^max[A-Z]/.test(name));

const constants = declarations.map(({ path, name }) => `${path} ${name}`);

it('each limit of the nodes has a test just beyond it, or a reason why it bounds no work', () => {
	expect(constants.filter((name) => !(name in limits))).toEqual([]);
});

it('each limit in the table exists', () => {
	expect(Object.keys(limits).filter((name) => !constants.includes(name))).toEqual([]);
});

it('each test in the table exists', () => {
	const tests = Object.values(limits).filter((entry) => !entry.startsWith('no work: '));
	expect(tests.filter((path) => !existsSync(join(checkout, path)))).toEqual([]);
	expect(tests.length).toBeGreaterThan(40);
});

it('limits with the same name have the same value', () => {
	const values = new Map<string, string>();
	const others = declarations.filter(({ name, value }) => {
		const known = values.get(name) ?? value;
		values.set(name, known);
		return known !== value;
	});
	expect(others).toEqual([]);
});

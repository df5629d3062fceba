import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { n8n as builtNodes } from '../../package.json';
import { installedN8n } from '../e2e/installN8n';
import { median } from './summary';

/** How long `require` takes for the files of nodes, in a fresh process that has loaded n8n-workflow. */
export interface LoadingResult {
	title: string;
	milliseconds: number;
}

const rounds = 15;
const root = join(__dirname, '../..');

/** Prints the milliseconds of loading the files, of which the first is n8n-workflow and not counted. */
const script = `
	const [workflow, ...files] = process.argv.slice(1);
	require(workflow);
	const begun = performance.now();
	for (const file of files) require(file);
	console.log(performance.now() - begun);
	process.exit(0);
`;

/** Measures our three nodes beside n8n's Airtable node, in turns; the latter needs an installed n8n. */
export function measureLoading(): LoadingResult[] {
	const subjects = [
		{ title: 'the three nodes', files: filesOf(root, builtNodes.nodes) },
		...airtable(),
	];
	const taken = subjects.map((): number[] => []);
	for (let round = 0; round < rounds; round++) {
		for (const [index, { files }] of subjects.entries()) taken[index]?.push(milliseconds(files));
	}
	return subjects.map(({ title }, index) => ({ title, milliseconds: median(taken[index] ?? []) }));
}

function airtable(): Array<{ title: string; files: string[] }> {
	const installed = installedN8n();
	if (!installed) return [];
	const modules = join(dirname(installed.script), '../..');
	const nodes = join(modules, 'n8n-nodes-base');
	if (!existsSync(nodes)) return [];
	const names = ['Airtable', 'AirtableTrigger'];
	return [
		{
			title: "n8n's Airtable node and trigger",
			files: filesOf(
				nodes,
				names.map((name) => `dist/nodes/Airtable/${name}.node.js`),
			),
		},
	];
}

/** The files of a package, with the n8n-workflow that it resolves in front. */
function filesOf(folder: string, files: readonly string[]): string[] {
	const workflow = require.resolve('n8n-workflow', { paths: [folder] });
	return [workflow, ...files.map((file) => join(folder, file))];
}

function milliseconds(files: readonly string[]): number {
	return Number(execFileSync(process.execPath, ['-e', script, ...files], { encoding: 'utf8' }));
}

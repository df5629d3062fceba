import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { emphasised, print, printTable } from '../demo/display';
import type { ParsingResult } from './parsing';
import type { Result } from './summary';

const names = { node: 'the node', helper: "n8n's helper", client: 'undici' };

export interface Results {
	machine: string;
	comparisons: Result[];
	parsing: ParsingResult[];
}

/** Describes the machine without data that identifies its owner. */
export function machine(): string {
	const gigabytes = Math.round(totalmem() / 1024 ** 3);
	return `${cpus().length} cores, ${gigabytes} GB, Node ${process.versions.node}`;
}

export function printResults({ machine: name, comparisons, parsing }: Results): void {
	print(emphasised(`Measured on ${name}; medians`));
	print();
	printTable(
		['Work', 'Who', 'Requests', 'Time', '÷ helper', '÷ undici', 'MB', 'Memory', 'Longest block'],
		comparisons.map((result) => [
			result.title,
			names[result.measuredClient],
			String(result.requests),
			`${result.seconds.toFixed(2)} s`,
			result.ratioToHelper?.toFixed(2) ?? '',
			result.ratioToClient.toFixed(2),
			result.megabytes.toFixed(1),
			`+${Math.round(result.growthMegabytes)} MB`,
			`${Math.round(result.blockMilliseconds)} ms`,
		]),
	);
	print();
	printTable(
		['Beside JSON.parse', 'MB', 'Time', 'Ratio', 'Aim'],
		parsing.map(({ title, megabytes, milliseconds, ratio, aim }) => [
			title,
			megabytes.toFixed(1),
			`${milliseconds.toFixed(1)} ms`,
			ratio.toFixed(2),
			String(aim),
		]),
	);
	print();
}

export function writeResults(folder: string, results: Results): void {
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'results.json'), `${JSON.stringify(results, undefined, '\t')}\n`);
}

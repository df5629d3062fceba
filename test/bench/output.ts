import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

import { emphasised, print, printTable } from '../demo/display';
import type { Apart } from './apart';
import type { Result } from './summary';

const names = { node: 'the node', helper: "n8n's helper", client: 'undici' };

export interface Results extends Apart {
	machine: string;
	comparisons: Result[];
}

/** The machine, in words that do not tell whose it is. */
export function machine(): string {
	const gigabytes = Math.round(totalmem() / 1024 ** 3);
	return `${cpus().length} cores, ${gigabytes} GB, Node ${process.versions.node}`;
}

/** Prints all tables of the measurement. */
export function printResults({
	machine: name,
	comparisons,
	parsing,
	growth,
	rateLimit,
	loading,
}: Results): void {
	print(emphasised(`Measured on ${name}; medians`));
	print();
	printTable(
		['Work', 'Who', 'Requests', 'Time', '÷ helper', '÷ undici', 'MB', 'Memory'],
		comparisons.map((result) => [
			result.title,
			names[result.measuredClient],
			String(result.requests),
			`${result.seconds.toFixed(2)} s`,
			result.ratioToHelper?.toFixed(2) ?? '',
			result.ratioToClient.toFixed(2),
			result.megabytes.toFixed(1),
			`+${Math.round(result.growthMegabytes)} MB`,
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
	const counts = growth[0]?.microseconds.map(({ items }) => items.toLocaleString('en-US')) ?? [];
	printTable(
		['µs an item, of the node alone', ...counts, 'Growth'],
		growth.map(({ operation, microseconds, growth: factor }) => [
			operation,
			...microseconds.map(({ each }) => each.toFixed(1)),
			factor.toFixed(2),
		]),
	);
	print();
	printTable(
		['Requests per Second', 'Reached', 'Most in one second', 'Most at once'],
		rateLimit.map(({ requestsPerSecond, reached, mostInOneSecond, mostAtOnce }) => [
			requestsPerSecond === 0 ? 'no limit' : String(requestsPerSecond),
			reached.toFixed(2),
			String(mostInOneSecond),
			String(mostAtOnce),
		]),
	);
	print();
	printTable(
		['require of', 'Time'],
		loading.map(({ title, milliseconds }) => [title, `${milliseconds.toFixed(1)} ms`]),
	);
	print();
}

/** Writes `results.json`. */
export function writeResults(folder: string, results: Results): void {
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'results.json'), `${JSON.stringify(results, undefined, '\t')}\n`);
}

import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { emphasised, print, printTable } from '../demo/display';
import type { GrowthResult } from './growth';
import type { LatencyResult } from './latency';
import type { ParsingResult } from './parsing';
import type { Result } from './summary';

const names = { node: 'the node', helper: "n8n's helper", client: 'undici' };

export interface Results {
	machine: string;
	comparisons: Result[];
	parsing: ParsingResult[];
	latencies: LatencyResult[];
	growth: GrowthResult[];
}

/** Describes the machine without data that identifies its owner. */
export function machine(): string {
	const gigabytes = Math.round(totalmem() / 1024 ** 3);
	return `${cpus().length} cores, ${gigabytes} GB, Node ${process.versions.node}`;
}

export function printResults({ machine: name, ...results }: Results): void {
	print(emphasised(`Measured on ${name}; medians`));
	printComparisons(results.comparisons);
	printParsing(results.parsing);
	printLatencies(results.latencies);
	printGrowth(results.growth);
}

function printComparisons(comparisons: readonly Result[]): void {
	printRows(
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
}

function printParsing(parsing: readonly ParsingResult[]): void {
	printRows(
		['Beside JSON.parse', 'MB', 'Time', 'Ratio', 'Aim'],
		parsing.map(({ title, megabytes, milliseconds, ratio, aim }) => [
			title,
			megabytes.toFixed(1),
			`${milliseconds.toFixed(1)} ms`,
			ratio.toFixed(2),
			String(aim),
		]),
	);
}

function printLatencies(latencies: readonly LatencyResult[]): void {
	printRows(
		['5 requests per second', 'Answers after', 'Requests', 'Time', 'Floor', 'Ratio'],
		latencies.map(({ title, latencyMilliseconds, requests, seconds, floorSeconds, ratio }) => [
			title,
			`${latencyMilliseconds} ms`,
			String(requests),
			`${seconds.toFixed(1)} s`,
			`${floorSeconds.toFixed(1)} s`,
			ratio.toFixed(2),
		]),
	);
}

function printGrowth(growth: readonly GrowthResult[]): void {
	printRows(
		[
			'With many items',
			'Requests',
			'Per item',
			'÷ that of 5,000',
			'Memory per item',
			'Longest block',
		],
		growth.map((result) => [
			result.title,
			String(result.requests),
			`${result.millisecondsPerItem.toFixed(2)} ms`,
			result.ratio?.toFixed(2) ?? '',
			`${result.kilobytesPerItem.toFixed(1)} kB`,
			`${Math.round(result.blockMilliseconds)} ms`,
		]),
	);
}

/** Prints a table, unless it is empty. */
function printRows(head: string[], rows: string[][]): void {
	if (rows.length === 0) return;
	print();
	printTable(head, rows);
	print();
}

export function writeResults(folder: string, results: Results): void {
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'results.json'), `${JSON.stringify(results, undefined, '\t')}\n`);
}

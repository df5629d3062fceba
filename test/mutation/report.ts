import { readFileSync } from 'node:fs';
import { equivalents } from './equivalent';
import { print, printTable } from '../demo/display';

/** A report of Stryker, in the common schema of mutation testing tools. */
interface Report {
	files: Record<string, { source: string; mutants: Mutant[] }>;
}

interface Mutant {
	mutatorName: string;
	replacement: string;
	location: { start: Position; end: Position };
	status: string;
}

interface Position {
	line: number;
	column: number;
}

/** Number of noticed changes of a file, and descriptions of the unnoticed changes. */
export interface FileResult {
	file: string;
	noticed: number;
	unnoticed: string[];
}

const noticed = ['Killed', 'Timeout'];
const unnoticed = ['Survived', 'NoCoverage'];

/** Returns the results of a run for the given files, without equivalent changes. */
export function resultsIn(path: string, files: readonly string[]): FileResult[] {
	const report: Report = JSON.parse(readFileSync(path, 'utf8'));
	return Object.entries(report.files)
		.filter(([file]) => files.includes(file))
		.map(([file, { source, mutants }]) => {
			const lines = source.split('\n');
			return {
				file,
				noticed: mutants.filter(({ status }) => noticed.includes(status)).length,
				unnoticed: mutants
					.filter(({ status }) => unnoticed.includes(status))
					.filter((mutant) => !isEquivalent(file, lines, mutant))
					.map((mutant) => described(file, lines, mutant)),
			};
		});
}

/** Returns the percentage of changes that were noticed. */
export function scoreOf(results: readonly FileResult[]): number {
	const caught = results.reduce((sum, result) => sum + result.noticed, 0);
	const missed = results.reduce((sum, result) => sum + result.unnoticed.length, 0);
	return (100 * caught) / Math.max(1, caught + missed);
}

export function printResults(results: readonly FileResult[]): void {
	for (const change of results.flatMap((result) => result.unnoticed)) print(`  ${change}`);
	printTable(
		['Score', 'Noticed', 'Not noticed', 'File'],
		results.map((result) => [
			scoreOf([result]).toFixed(1),
			String(result.noticed),
			String(result.unnoticed.length),
			result.file,
		]),
	);
}

function isEquivalent(file: string, lines: string[], mutant: Mutant): boolean {
	const line = lines[mutant.location.start.line - 1]?.trim() ?? '';
	return equivalents.some(
		(known) =>
			(known.file ?? file) === file &&
			(typeof known.line === 'string' ? known.line === line : known.line.test(line)) &&
			(known.original?.test(original(lines, mutant)) ?? true) &&
			known.replacements.includes(mutant.replacement.replace(/\s+/g, ' ')),
	);
}

/** Describes a change in one line: position, original code and replacement. */
function described(file: string, lines: string[], mutant: Mutant): string {
	const { start } = mutant.location;
	const isNotRun = mutant.status === 'NoCoverage' ? ' (no test gets there)' : '';
	const change = `${original(lines, mutant)} → ${inOneLine(mutant.replacement)}`;
	return `${file}:${start.line}:${start.column}${isNotRun} ${change}`;
}

function original(lines: string[], { location: { start, end } }: Mutant): string {
	const concerned = lines.slice(start.line - 1, end.line);
	const last = concerned.length - 1;
	return inOneLine(
		concerned
			.map((line, index) =>
				line.slice(
					index === 0 ? start.column - 1 : 0,
					index === last ? end.column - 1 : line.length,
				),
			)
			.join(' '),
	);
}

function inOneLine(text: string): string {
	const line = text.replace(/\s+/g, ' ').trim();
	return line.length > 100 ? `${line.slice(0, 97)}...` : line;
}

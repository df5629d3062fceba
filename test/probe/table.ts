import type { ProbeResult, Row } from './probe';

interface Heading {
	version: string;
	date: string;
	mayWrite: boolean;
	requests: number;
	slowestMilliseconds: number;
}

/** The report in Markdown: what was asked, a row for each open point, and what is left to do by hand. */
export function report({ rows, leftBehind }: ProbeResult, heading: Heading): string {
	const { version, date, mayWrite, requests, slowestMilliseconds } = heading;
	const mode = mayWrite ? 'with `--write`' : 'read-only';
	const slowest = (slowestMilliseconds / 1000).toFixed(1);
	return [
		`Sheet Records ${version}, probe of ${date}, ${mode}: ${requests} requests, the slowest took ${slowest} s.`,
		'',
		line(['Open point', 'Switch', 'Seen', 'Stands for']),
		'| --- | --- | --- | --- |',
		...rows.map(lineOf),
		...(leftBehind.length === 0
			? []
			: [
					'',
					`**May still be on the sheet, to be deleted by hand:** records ${leftBehind.join(', ')}.`,
				]),
		'',
	].join('\n');
}

function lineOf(row: Row): string {
	const about = row.about === undefined ? '–' : `\`${row.about}\``;
	if ('notAsked' in row) return line([row.point, about, `not asked: ${row.notAsked}`, '']);
	return line([row.point, about, row.seen, 'standsFor' in row ? written(row.standsFor) : '']);
}

function written(position: unknown): string {
	return `\`${position === undefined ? 'undefined' : JSON.stringify(position).replaceAll('`', '‵')}\``;
}

/** A row of the table: what would end a cell or the row, or be taken for markup, is made harmless. */
function line(cells: readonly string[]): string {
	const safe = cells.map((cell) =>
		cell.replace(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;'),
	);
	return `| ${safe.join(' | ')} |`;
}

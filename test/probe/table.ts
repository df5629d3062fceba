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

/** What stands where a secret was. */
export const hidden = '‹hidden›';

/**
 * The text without any of the secrets, in whatever spelling they came back: as they are, percent-encoded, in base64, as
 * JSON or a page for people writes them.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
	const spellings = secrets.filter((secret) => secret !== '').flatMap(spellingsOf);
	const longestFirst = [...new Set(spellings)].sort((left, right) => right.length - left.length);
	return longestFirst.reduce((rest, spelling) => rest.replaceAll(spelling, hidden), text);
}

function spellingsOf(secret: string): string[] {
	const encoded = encodeURIComponent(secret);
	const inJson = JSON.stringify(secret).slice(1, -1);
	return [
		secret,
		encoded,
		encoded.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase()),
		encoded.replaceAll('%20', '+'),
		encodeURI(secret),
		Buffer.from(secret).toString('base64'),
		Buffer.from(`${secret}:`).toString('base64'),
		inJson,
		inJson.replaceAll('/', '\\/'),
		// What is left of a key in base64 when somebody has decoded it.
		...decodedBase64(secret),
		secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
	];
}

function decodedBase64(secret: string): string[] {
	if (!/^[\w+/-]{16,}={0,2}$/.test(secret)) return [];
	return [Buffer.from(secret, 'base64').toString('utf8')];
}

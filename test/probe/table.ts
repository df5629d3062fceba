import { positions } from '../service/switches';
import type { ProbeResult, Row } from './probe';

export interface Heading {
	version: string;
	date: string;
	mayWrite: boolean;
	requests: number;
	overloads: number;
	passingRefusals: number;
	slowest: number;
}

/** Formats the report in Markdown: a table of all open points, remaining manual steps, settings, and a text for an issue. */
export function report({ rows, left }: ProbeResult, heading: Heading): string {
	const { addresses, unknown } = left;
	return [
		headline(heading),
		'',
		line(['Open point', 'Switch', 'Seen', 'Stands for']),
		'| --- | --- | --- | --- |',
		...rows.map(lineOf),
		'',
		...addresses.map((address) => `**Still on the sheet, or perhaps:** ${address}`),
		...unknown.map((what) => `**Not known:** ${what}`),
		...(addresses.length + unknown.length > 0 ? [''] : []),
		'Settings of the credential for this service:',
		...Object.entries(settingsFor(rows, heading.overloads)).map(
			([name, value]) => `- ${name}: ${value}`,
		),
		'',
		'To paste into an issue:',
		'```text',
		headline(heading),
		...rows.flatMap(surprise),
		`left: ${addresses.length} records; not known: ${unknown.length}`,
		'```',
		'',
	].join('\n');
}

/** Formats the report as JSON. */
export function reportAsJson({ rows, left }: ProbeResult, heading: Heading): string {
	return `${JSON.stringify({ ...heading, rows, left, settings: settingsFor(rows, heading.overloads) }, undefined, '\t')}\n`;
}

function headline({ version, date, mayWrite, ...effort }: Heading): string {
	const mode = mayWrite ? 'with `--write`' : 'read-only';
	const slowest = (effort.slowest / 1000).toFixed(1);
	const refused = `${effort.overloads} too many, ${effort.passingRefusals} refused in passing`;
	return `Sheet Records ${version}, probe of ${date}, ${mode}: ${effort.requests} requests (${refused}), the slowest took ${slowest} s.`;
}

/** Returns the recommended settings of the credential, based on the findings. */
function settingsFor(rows: readonly Row[], overloads: number): Record<string, string> {
	const found = (name: Row['about']) => {
		const row = rows.find(({ about }) => about === name);
		return row && 'standsFor' in row ? row.standsFor : undefined;
	};
	const dialect = found('dialect');
	const spelling = dialect === 'standard' ? 'Standard' : 'Ragic';
	const naming =
		found('defaultNaming') === undefined ? 'not known' : String(found('defaultNaming'));
	return {
		'Service Dialect': `Automatic (${dialect === undefined ? 'no spelling was seen' : spelling})`,
		'Requests per Second': overloads === 0 ? '5' : '2',
		'Field naming (always sent)': `the service's own is ${naming}`,
	};
}

/** Compares a finding with the expected position. For task words, compares only the words that were seen. */
function isExpected(found: unknown, expected: unknown): boolean {
	if (typeof found !== 'object' || found === null) return found === expected;
	return Object.entries(found).every(([name, word]) => Object(expected)[name] === word);
}

/** Returns a line if the finding differs from the first position of the switch, which the nodes expect. */
function surprise(row: Row): string[] {
	if ('notAsked' in row || !row.about || !('standsFor' in row)) return [];
	const [expected] = positions[row.about];
	return isExpected(row.standsFor, expected)
		? []
		: [`${row.about}: ${written(row.standsFor)} ${row.seen}`];
}

function lineOf(row: Row): string {
	const about = row.about === undefined ? '–' : `\`${row.about}\``;
	if ('notAsked' in row) return line([row.point, about, `not asked: ${row.notAsked}`, '']);
	return line([
		row.point,
		about,
		row.seen,
		'standsFor' in row ? `\`${written(row.standsFor)}\`` : '',
	]);
}

function written(position: unknown): string {
	return position === undefined ? 'undefined' : JSON.stringify(position).replaceAll('`', '‵');
}

/** Formats a table row. Escapes characters that would end a cell or be interpreted as markup. */
function line(cells: readonly string[]): string {
	const safe = cells.map((cell) =>
		cell.replace(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;'),
	);
	return `| ${safe.join(' | ')} |`;
}

/** Text that replaces a secret. */
export const hidden = '‹hidden›';

/** Replaces all secrets in the text, in any encoding. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
	const spellings = secrets.filter((secret) => secret !== '').flatMap(spellingsOf);
	const byLength = [...new Set(spellings)].sort((left, right) => right.length - left.length);
	return byLength.reduce((rest, spelling) => rest.replaceAll(spelling, hidden), text);
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
		// The service may return the decoded form of a key in base64.
		...decodedBase64(secret),
		secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
	];
}

function decodedBase64(secret: string): string[] {
	if (!/^[\w+/-]{16,}={0,2}$/.test(secret)) return [];
	return [Buffer.from(secret, 'base64').toString('utf8')];
}

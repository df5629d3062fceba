import { sheetEquivalents } from './sheetEquivalents';

/** Changes that no test can notice, since what the code does stays the same. They do not count. */
export interface Equivalent {
	/** Omitted if the reason holds in all files. */
	file?: string;
	/** The line in which the change begins, without its indentation. */
	line: string | RegExp;
	/** The changed part in one line, if it is not any part of the line. */
	original?: RegExp;
	/** Texts that replace the part. */
	replacements: string[];
	reason: string;
}

const noGroups = ['["Stryker was here"]'];
const otherText = ['"Stryker was here!"'];
const values = 'nodes/api/values';

export const equivalents: readonly Equivalent[] = [
	{
		line: /^const \[, .* \?\? \[\];$/,
		original: /^\[\]$/,
		replacements: noGroups,
		reason: 'The first element is not used, and all groups stay undefined.',
	},
	{
		line: /\} catch \{$/,
		original: /^\{ return undefined; \}$/,
		replacements: ['{}'],
		reason: 'A function that ends without a return yields undefined, too.',
	},
	{
		file: `${values}/dates.ts`,
		line: 'if (day === undefined) return undefined;',
		replacements: ['false'],
		reason: 'Without a day, the text that is parsed is not a date either. This only takes longer.',
	},
	{
		file: `${values}/dates.ts`,
		line: /\{ offsetHours: 0 \}/,
		original: /^\{ offsetHours: 0 \}$/,
		replacements: ['{}'],
		reason: 'A clock without an offset and without a zone is that of UTC.',
	},
	{
		file: `${values}/normalForm.ts`,
		line: /\{ offsetHours: 0 \}/,
		original: /^\{ offsetHours: 0 \}$/,
		replacements: ['{}'],
		reason: 'A clock without an offset and without a zone is that of UTC.',
	},
	{
		file: `${values}/dates.ts`,
		line: "const inferredForm = reading.hasTime && !midnightMeansDate ? 'dateTime' : 'date';",
		original: /^'date'$/,
		replacements: ['""'],
		reason: 'It is only compared with dateTime.',
	},
	{
		file: `${values}/dates.ts`,
		line: 'if (date === undefined || time === undefined) return undefined;',
		replacements: ['false', 'date === undefined && time === undefined'],
		original:
			/^(?:date === undefined|time === undefined|date === undefined \|\| time === undefined)$/,
		reason: 'The compiler asks for it: both groups of the pattern are there, or none.',
	},
	{
		file: `${values}/dates.ts`,
		line: "const reading = readIsoText(iso ?? '');",
		replacements: otherText,
		reason: 'Neither text is a date.',
	},
	{
		file: `${values}/dates.ts`,
		line: /^const \[, day, time, second = ':00', utc/,
		original: /^':00'$/,
		replacements: ['""'],
		reason: 'A date in ISO 8601 may lack its seconds.',
	},
	{
		file: `${values}/dates.ts`,
		line: "if (!Number.isFinite(date.getTime())) return '';",
		original: /^''$/,
		replacements: otherText,
		reason: 'Neither text is a date.',
	},
	{
		file: `${values}/fileNames.ts`,
		line: 'if (header === undefined) return undefined;',
		replacements: ['false'],
		reason: 'No pattern matches undefined.',
	},
	{
		file: `${values}/fileNames.ts`,
		line: 'return (/%[0-9a-f]{2}/i.test(text) && percentDecoded(text)) || text;',
		replacements: ['/%[0-9a-f]/i'],
		reason: 'A text with another percent sign cannot be decoded, and stays as it is.',
	},
	{
		file: `${values}/fileNames.ts`,
		line: /\.exec\(\w+\)\?\.\[1\]\?\./,
		original: /\?\.\[1\]\?\.\w+$/,
		replacements: [
			'/;\\s*filename\\s*=\\s*([^;"]+)/i.exec(header)?.[1].trim',
			'/\\.([a-z0-9]{1,10})$/i.exec(name)?.[1].toLowerCase',
		],
		reason: 'The compiler asks for it: a pattern that matches has the group.',
	},
	{
		file: `${values}/fileNames.ts`,
		line: "const [first = '', ...rest] = name.split(/[\\s,;]+/);",
		replacements: [...otherText, '/[\\s,;]/'],
		reason: 'A split text has a first part, which ends at the first of the characters.',
	},
	{
		file: `${values}/formBody.ts`,
		line: "if (typeof value !== 'string') value.close?.();",
		replacements: ['true', '""'],
		reason: 'A text has no such method.',
	},
	{
		file: `${values}/formBody.ts`,
		line: "if (typeof value !== 'string') return value;",
		replacements: ['false'],
		reason: 'A file counts as the text [object Object], which has no line break.',
	},
	{
		file: `${values}/htmlEntities.ts`,
		line: /^\.\.\.Array\.from\(asciiNames/,
		original: /^''$/,
		replacements: otherText,
		reason: 'The compiler asks for it: a pattern that matches has the groups.',
	},
	{
		file: `${values}/query.ts`,
		line: 'batches.at(-1)?.push(value);',
		replacements: ['batches.at(-1).push'],
		reason: 'The compiler asks for it: there is a batch by now.',
	},
	{
		file: `${values}/serviceAddress.ts`,
		line: "if (isOne && originOf(url ?? uri ?? '') === serviceOrigin(credentialUrl)) return;",
		original: /^''$/,
		replacements: otherText,
		reason: 'Neither text is an address.',
	},
	{
		file: `${values}/sheetAddress.ts`,
		line: "const index = folders.pop() ?? '';",
		replacements: otherText,
		reason: 'Neither text is a number.',
	},
	{
		file: `${values}/sheetAddress.ts`,
		line: "const [, origin = '', host = '', path = ''] = match ?? [];",
		replacements: otherText,
		reason: 'A pattern that matches has the groups, and otherwise an error is thrown.',
	},
	{
		file: `${values}/sheetAddress.ts`,
		line: "const last = segments.at(-1) ?? '';",
		replacements: otherText,
		reason: 'Neither text is a number.',
	},
	{
		file: `${values}/sheetAddress.ts`,
		line: "return address.replace(/[?#].*$/s, '');",
		replacements: ['/[?#].*/s'],
		reason: 'A dot that stands for all characters goes to the end.',
	},
	{
		file: `${values}/sheetAddress.ts`,
		line: "const [account = '', ...segments] = splitPath(path);",
		replacements: otherText,
		reason: 'A path without an account has no sheet, either, and is refused.',
	},
	{
		file: `${values}/sheetAddress.ts`,
		line: "if (trimmed === '') return [];",
		replacements: noGroups,
		reason: 'A path of one folder is refused with the same words.',
	},
	{
		file: `${values}/text.ts`,
		line: "return !/[\\ufffd\\p{Cc}]/u.test(text.replace(/\\s/g, ' '));",
		original: /^' '$/,
		replacements: ['""'],
		reason: 'Neither is a control character.',
	},
	{
		file: `${values}/text.ts`,
		line: "return typeof value === 'string' && tagOrEntity.test(value) && !markupEnd.test(value);",
		original: /^typeof value === 'string'$/,
		replacements: ['true'],
		reason: 'Objects, numbers and booleans as texts have no tag and no entity.',
	},
	{
		file: 'nodes/api/read/query.ts',
		line: "const [, fieldId = '', operator = '', value = ''] = parts;",
		replacements: otherText,
		reason: 'The compiler asks for it: a pattern that matches has the groups.',
	},
	{
		file: 'nodes/api/read/query.ts',
		line: /^const parts = .*\.exec\(line\);$/,
		replacements: ['/^([^,]+),([^,]*),([^]*)/'],
		reason: 'The last group goes to the end.',
	},
	{
		file: 'nodes/SheetRecordsPollingTrigger/cursor.ts',
		line: /^latestTime === '' \? ''/,
		original: /^(?:latestTime === ''|'')$/,
		replacements: ['false', ...otherText],
		reason: 'A minute after no time is no time.',
	},
	...sheetEquivalents,
];

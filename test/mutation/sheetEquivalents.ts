import type { Equivalent } from './equivalent';

const noGroups = ['["Stryker was here"]'];
const otherText = ['"Stryker was here!"'];
const sheet = 'nodes/api/sheet';

/** Changes of the sheet area that no test can notice. */
export const sheetEquivalents: readonly Equivalent[] = [
	{
		file: `${sheet}/sources/loadFields.ts`,
		line: 'return { index: new FieldIndex({}), isProvisional };',
		replacements: ['{ index: new FieldIndex({}) }'],
		reason: 'Without a list, the run alone keeps the result, whether it is provisional or not.',
	},
	{
		file: `${sheet}/sources/loadFields.ts`,
		line: "if (refusal.get()) return 'refused';",
		original: /^'refused'$/,
		replacements: ['""'],
		reason: 'The callers only ask whether it is a list and whether the source is in trouble.',
	},
	{
		file: `${sheet}/fieldIndex.ts`,
		line: '(field) => field.fieldId === id || [field.name, keyWithId(field, [])].includes(key),',
		original: /^\[\]$/,
		replacements: noGroups,
		reason: 'A text in place of a field has no name that could be the key.',
	},
	{
		file: `${sheet}/nearNames.ts`,
		line: /^const letters = /,
		original: /^text\.trim\(\)\.toLowerCase\(\)$/,
		replacements: ['text.trim().toUpperCase()'],
		reason: 'Both texts have the same letter case.',
	},
	{
		file: `${sheet}/sources/fieldLists.ts`,
		line: "fieldId: memberText(field, 'fieldId', 'id') ?? '',",
		original: /^''$/,
		replacements: otherText,
		reason: 'Neither text is an ID.',
	},
	{
		file: `${sheet}/sources/fieldLists.ts`,
		line: /^yield .* values: new Map\(\) \};$/,
		original: /^`.*`$/,
		replacements: ['``'],
		reason: 'A part without values has no fields to pair.',
	},
	{
		file: `${sheet}/sources/fieldLists.ts`,
		line: /^digest\(new Map/,
		original: /^(?:'values'|content\?\.get)$/,
		replacements: ['""', 'content.get'],
		reason: 'Both digests have the same key, and a missing record has no keys.',
	},
	{
		file: `${sheet}/fieldNames.ts`,
		line: /^export function withReadNames\(/,
		original: /^\[\]$/,
		replacements: noGroups,
		reason: 'A text is not a field with an ID.',
	},
	{
		file: `${sheet}/kinds/typedValues.ts`,
		line: /return left === right;$/,
		original: /^left === right$/,
		replacements: ['false'],
		reason: 'An unknown kind and an ambiguous kind are both stored as undefined.',
	},
];

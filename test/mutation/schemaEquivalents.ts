import type { Equivalent } from './equivalent';

const noGroups = ['["Stryker was here"]'];
const otherText = ['"Stryker was here!"'];
const schema = 'nodes/api/schema';

/** Changes of the schema room that no test can notice. */
export const schemaEquivalents: readonly Equivalent[] = [
	{
		file: `${schema}/loadFields.ts`,
		line: 'const { fields = [] } = (await loadNamedList(client, sheet)) ?? {};',
		original: /^\[\]$/,
		replacements: noGroups,
		reason: 'A text in place of a field has neither an ID nor a name, so it adds no known name.',
	},
	{
		file: `${schema}/loadFields.ts`,
		line: 'return { isProvisional };',
		replacements: ['{}'],
		reason: 'Without a list, the run alone keeps the result, whether it is provisional or not.',
	},
	{
		file: `${schema}/loadFields.ts`,
		line: "if (refusedSources.get(refusalKey(key, source))) return 'refused';",
		original: /^'refused'$/,
		replacements: ['""'],
		reason: 'The callers only ask whether it is a list and whether the source is in trouble.',
	},
	{
		file: `${schema}/loadFields.ts`,
		line: 'const listed = (await loadFieldList(client, sheet))?.fields ?? [];',
		original: /^\[\]$/,
		replacements: noGroups,
		reason: 'A text in place of a field has no ID, so no record has a value of it.',
	},
	{
		file: `${schema}/schema.ts`,
		line: '(field) => field.fieldId === id || [field.name, keyWithId(field, [])].includes(key),',
		original: /^\[\]$/,
		replacements: noGroups,
		reason: 'A text in place of a field has no name that could be the key.',
	},
	{
		file: `${schema}/schema.ts`,
		line: 'const isSplit = isSingle && !entries.some((key) => isName(key) || isName(key.trim()));',
		replacements: ['entries.every(key => isName(key) || isName(key.trim()))'],
		reason: 'There is a single entry.',
	},
	{
		file: `${schema}/schema.ts`,
		line: 'const fields = await this.namedFields().catch(() => []);',
		original: /^\[\]$/,
		replacements: noGroups,
		reason: 'A text in place of a field has no ID that could be the key.',
	},
	{
		file: `${schema}/fields.ts`,
		line: /^const isNamed = /,
		original: /^nameOf\(field\) === key$/,
		replacements: ['false'],
		reason:
			'A name that differs from the key in reads ends with the ID, which finds the field, too.',
	},
	{
		file: `${schema}/fields.ts`,
		line: /^const letters = /,
		original: /^text\.trim\(\)\.toLowerCase\(\)$/,
		replacements: ['text.trim().toUpperCase()'],
		reason: 'Both texts have the same letter case.',
	},
	{
		file: `${schema}/fieldLists.ts`,
		line: "fieldId: memberText(field, 'fieldId', 'id') ?? '',",
		original: /^''$/,
		replacements: otherText,
		reason: 'Neither text is an ID.',
	},
	{
		file: `${schema}/fieldLists.ts`,
		line: /^yield .* values: new Map\(\) \};$/,
		original: /^`.*`$/,
		replacements: ['``'],
		reason: 'A part without values has no fields to pair.',
	},
	{
		file: `${schema}/fieldLists.ts`,
		line: /^digest\(new Map/,
		original: /^(?:'values'|content\?\.get)$/,
		replacements: ['""', 'content.get'],
		reason: 'Both digests have the same key, and a missing record has no keys.',
	},
	{
		file: `${schema}/fieldNames.ts`,
		line: /^const fields = \(await listFields\(\)/,
		original: /^\[\]$/,
		replacements: noGroups,
		reason: 'A text is not a field with a name.',
	},
	{
		file: `${schema}/fieldNames.ts`,
		line: /^export function withReadNames\(/,
		original: /^\[\]$/,
		replacements: noGroups,
		reason: 'A text is not a field with an ID.',
	},
	{
		file: `${schema}/typedValues.ts`,
		line: /return left === right;$/,
		original: /^left === right$/,
		replacements: ['false'],
		reason: 'An unknown kind and an ambiguous kind are both stored as undefined.',
	},
];

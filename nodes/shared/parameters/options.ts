import type { INodeProperties } from 'n8n-workflow';
import type { ReadOptions } from '../../api/read/readOptions';
import { fieldKey } from '../../api/schema/fields';
import { apiVersion, type QueryParameter } from '../../api/values/query';
import { textOf, verbatimText } from '../../api/values/text';
import {
	choiceOption,
	entriesParameter,
	flagOptions,
	mapped,
	numberParameter,
	optional,
	parameter,
	textParameter,
} from './parameter';

/** Option for the keys of output fields, parsed as the parameter `naming` of the service (specification, endpoint 1). */
export const namingOption = mapped(
	choiceOption({
		displayName: 'Field Keys',
		name: 'fieldKeys',
		choices: {
			id: ['Field IDs', 'They stay when a field is renamed'],
			name: ['Field Names', 'Of fields with the same name, further ones get numbers'],
		},
		default: 'name',
		description:
			'What the fields of the output are called. With names, expressions find no value after a field is renamed.',
	}),
	(keys): ReadOptions['naming'] => (keys === 'id' ? 'EID' : 'FNAME'),
);

/** Maximum offset of a time zone from UTC, in hours. */
const maxOffsetHours = 14;

function timeZoneOption(description: string) {
	const timeZone = numberParameter(
		{
			displayName: 'Time Zone',
			name: 'timeZone',
			typeOptions: { minValue: -maxOffsetHours, maxValue: maxOffsetHours, numberPrecision: 2 },
			description,
		},
		(hours) => Math.abs(hours) <= maxOffsetHours,
		`a number of hours from -${maxOffsetHours} to ${maxOffsetHours}`,
	);
	return optional(timeZone);
}

export const writtenTimeZone = timeZoneOption(
	"Hours from UTC in which dates with a time, such as those of expressions, are written, e.g. 8. It must be the offset of the account's time zone. Without it, they are written in the workflow's time zone.",
);

/** The version of the API (specification, "Versioning"). */
export const versionOption = optional(
	textParameter({
		displayName: 'API Version',
		name: 'version',
		placeholder: 'e.g. 2025-01-01',
		default: apiVersion,
		description: 'The version of the API to use, as a date',
	}),
);

/** Returns the field names and IDs in an array or in the lines of a text. Comma-separated names are split later, by `Schema.fieldKeys`. */
export function fieldNamesOf(value: unknown): string[] {
	const names: unknown[] = Array.isArray(value) ? value : verbatimText(value).split(/\r?\n/);
	return names.map(fieldKey).filter((name) => name !== '');
}

/** An option for field names and IDs. */
export function fieldNamesOption(property: Omit<INodeProperties, 'type' | 'default'>) {
	return optional(parameter({ ...property, type: 'string', default: '' }, fieldNamesOf));
}

/** Options for the types of values, for all operations that read records. */
export const typingOptions = {
	...flagOptions({
		typedValues: [
			'Typed Values',
			"Whether to return numbers, true and false, and lists by the types of the sheet's fields, which the service tells to administrators only. What would lose a digit stays a text.",
		],
	}),
	numberFields: fieldNamesOption({
		displayName: 'Number Fields',
		name: 'numberFields',
		placeholder: 'e.g. Total, 1000009',
		description:
			"Names or IDs of fields that hold numbers, one a line or with commas between, where the service does not tell the types. Turns on 'Typed Values'.",
	}),
	listFields: fieldNamesOption({
		displayName: 'List Fields',
		name: 'listFields',
		placeholder: 'e.g. Tags, 1000008',
		description:
			"Names or IDs of multiple selections, one a line or with commas between, where the service does not tell the types. Turns on 'Typed Values'.",
	}),
};

/** Options for the returned fields and their keys. */
export const fieldOptions = {
	onlyFields: fieldNamesOption({
		displayName: 'Only Fields',
		name: 'onlyFields',
		placeholder: 'e.g. Customer, 1000004, _subtable_2000001',
		description:
			'Names or IDs of the fields to return, one a line or with commas between. Empty for all.',
	}),
	naming: namingOption,
	/** File fields whose files are downloaded. */
	downloadFiles: fieldNamesOption({
		displayName: 'Download Files',
		name: 'downloadFiles',
		placeholder: 'e.g. Contract, 1000013',
		description:
			'Names or IDs of file fields of the output, of rows too, with commas between. Their files come as Contract_1, Contract_2 and so on, at the cost of a request each.',
	}),
};

/** Names of the reading options that most users need. The editor offers them first. */
export const firstReadingOptions = ['sort', 'onlyFields', 'typedValues', 'downloadFiles'];

/** Options for the format of records. */
export const formOptions = {
	...flagOptions({
		subtables: [
			'Subtables',
			'Whether to return subtable rows, as the service does by default',
			false,
		],
		isoDates: [
			'ISO Dates',
			"Whether to turn dates into ISO 8601. Set 'Time Zone', too, to have the offset behind the time.",
		],
	}),
	...typingOptions,
	timeZone: timeZoneOption(
		'Hours from UTC in which dates are returned, e.g. 8. Filters do not depend on it.',
	),
};

/** Options that are flags of the API (specification, endpoints 1 and 2), by the names of these flags. */
export const flags = flagOptions({
	info: [
		'Include Record Information',
		'Whether to add when and by whom the record was created and updated',
	],
	comment: ['Include Comments', 'Whether to add the comments, as the subtable 61'],
	history: ['Include Edit History', 'Whether to add who changed what and when'],
	approval: ['Include Approval', 'Whether to add approval information'],
	conversation: ['Include Conversation', 'Whether to add the related e-mail conversation'],
	bbcode: ['Raw Markup', 'Whether to return rich text as its markup instead of HTML'],
	ignoreMask: [
		'Show Masked Values',
		'Whether to show masked text, for users in a group that may see it',
	],
});

/** Options that are flags of the API, for lists only. */
export const listFlags = flagOptions({
	ignoreFixedFilter: [
		'Ignore Fixed Filter',
		"Whether to ignore the sheet's fixed filter. Only for the API key of a user with SYSAdmin privilege.",
	],
	listing: ['Listing Fields Only', 'Whether to return only the fields of the listing page'],
});

/** Options of all operations that read records. */
export const recordOptions = {
	...fieldOptions,
	...formOptions,
	...flags,
	version: versionOption,
	additionalParameters: mapped(
		optional(
			entriesParameter({
				displayName: 'Additional Parameters',
				name: 'additionalParameters',
				typeOptions: { multipleValues: true },
				placeholder: 'Add Parameter',
				description: 'Query parameters that this node has no option for',
				entry: {
					displayName: 'Parameter',
					name: 'parameter',
					values: [
						{ displayName: 'Name', name: 'name', type: 'string', default: '' },
						{ displayName: 'Value', name: 'value', type: 'string', default: '' },
					],
				},
			}),
		),
		(entries = []) => entries.flatMap(queryOf),
	),
};

type Listed = typeof recordOptions & typeof listFlags;

/** Values of the options above. An operation only has the options that it lists. */
export type OutputOptions = { readonly [Name in keyof Listed]?: ReturnType<Listed[Name]['parse']> };

/** Returns the read options for these options. */
export function readOptionsOf(options: OutputOptions): ReadOptions {
	const { naming = 'FNAME', version, subtables, timeZone, additionalParameters = [] } = options;
	const more: QueryParameter[] = Object.entries(options)
		.filter(([name, value]) => (name in flags || name in listFlags) && value === true)
		.map(([name]) => [name, true]);
	if (subtables !== undefined) more.push(['subtables', subtables ? 1 : 0]);
	if (timeZone !== undefined) more.push(['tz', timeZone]);
	return { naming, version: version || apiVersion, more: [...more, ...additionalParameters] };
}

function queryOf({ name, value }: Record<'name' | 'value', unknown>): QueryParameter[] {
	const text = textOf(name);
	if (text === '') return [];
	return value === '' || value === undefined ? [[text]] : [[text, verbatimText(value)]];
}

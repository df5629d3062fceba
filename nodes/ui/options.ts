import type { INodeProperties } from 'n8n-workflow';
import { isObject } from '../api/json/objects';
import type { ReadOptions } from '../api/read/readOptions';
import { fieldKey } from '../api/schema/fields';
import { InputError } from '../api/values/inputError';
import { apiVersion, type QueryParameter } from '../api/values/query';
import { textOf } from '../api/values/text';
import {
	choiceOption,
	flagOption,
	option,
	type ChoiceProperty,
	type Parameter,
	type ParameterSource,
} from './parameter';

export const fieldKeysProperty: ChoiceProperty<'id' | 'name'> = {
	displayName: 'Field Keys',
	name: 'fieldKeys',
	type: 'options',
	options: [
		{ name: 'Field IDs', value: 'id', description: 'They stay when a field is renamed' },
		{
			name: 'Field Names',
			value: 'name',
			description: 'Of fields with the same name, further ones get numbers',
		},
	],
	default: 'name',
	description:
		'What the fields of the output are called. With names, expressions find no value after a field is renamed.',
};

/** How the service is to call the fields of the output, in the words of its parameter `naming` (specification, endpoint 1). */
export const namingOption = namingBy(fieldKeysProperty);

/** The same for records that were written: the service returns those by ids. */
export const savedNamingOption = namingBy({
	...fieldKeysProperty,
	description:
		'What the fields of the output are called. With names, expressions find no value after a field is renamed, and the names are asked for at most once a minute.',
});

function namingBy(
	property: typeof fieldKeysProperty,
): Parameter<ReadOptions['naming'], ParameterSource> {
	const { properties, parse } = choiceOption(property);
	return { properties, parse: (item) => (parse(item) === 'id' ? 'EID' : 'FNAME') };
}

/** From UTC, anywhere on earth. */
const mostHours = 14;

/** The offset, in hours from UTC, in which dates are returned or written. */
function timeZoneOption(description: string): Parameter<number | undefined, ParameterSource> {
	return option(
		{
			displayName: 'Time Zone',
			name: 'timeZone',
			type: 'number',
			typeOptions: { minValue: -14, maxValue: 14, numberPrecision: 2 },
			default: 0,
			description,
		},
		hoursOf,
	);
}

export const writtenTimeZone = timeZoneOption(
	"Hours from UTC in which dates with a time, such as those of expressions, are written, e.g. 8. It must be the offset of the account's time zone. Without it, they are written in the workflow's time zone.",
);

function hoursOf(value: unknown): number {
	const text = textOf(value);
	const hours = Number(text);
	if (text !== '' && Math.abs(hours) <= mostHours) return hours;
	throw new InputError(
		`'Time Zone' must be a number of hours from -${mostHours} to ${mostHours}`,
		'Change the number, or check its expression.',
	);
}

/** The version of the API (specification, "Versioning"). */
export const versionOption = option(
	{
		displayName: 'API Version',
		name: 'version',
		type: 'string',
		placeholder: 'e.g. 2025-01-01',
		default: apiVersion,
		description: 'The version of the API to use, as a date',
	},
	textOf,
);

/**
 * Returns names or ids of fields as a user gave them: of an array, or of a text with one a line. A single one may hold
 * several, which `Schema.fieldKeys` tells.
 */
export function fieldNamesOf(value: unknown): string[] {
	const names: unknown[] = Array.isArray(value)
		? value
		: (typeof value === 'string' ? value : textOf(value)).split(/\r?\n/);
	return names.map(fieldKey).filter((name) => name !== '');
}

/** An option that takes names or ids of fields. */
export function fieldNamesOption(property: Omit<INodeProperties, 'type' | 'default'>) {
	return option({ ...property, type: 'string', default: '' }, fieldNamesOf);
}

/** Options about the types of values, for whatever reads records. */
export const typingOptions = {
	typedValues: flagOption({
		displayName: 'Typed Values',
		name: 'typedValues',
		description:
			"Whether to return numbers, true and false, and lists by the types of the sheet's fields, which the service tells to administrators only. What would lose a digit stays a text.",
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

/** Options about which fields come, and what they are called. */
export const fieldOptions = {
	onlyFields: fieldNamesOption({
		displayName: 'Only Fields',
		name: 'onlyFields',
		placeholder: 'e.g. Customer, 1000004, _subtable_2000001',
		description:
			'Names or IDs of the fields to return, one a line or with commas between. Empty for all.',
	}),
	naming: namingOption,
};

/** The file fields whose files come along, for whatever returns records. */
export const downloadFilesOption = fieldNamesOption({
	displayName: 'Download Files',
	name: 'downloadFiles',
	placeholder: 'e.g. Contract, 1000013',
	description:
		'Names or IDs of file fields of the output, of rows too, with commas between. Their files come as Contract_1, Contract_2 and so on, at the cost of a request each.',
});

/** Options about the form in which records come. */
export const formOptions = {
	subtables: flagOption({
		displayName: 'Subtables',
		name: 'subtables',
		default: false,
		description: 'Whether to return subtable rows, as the service does by default',
	}),
	...typingOptions,
	isoDates: flagOption({
		displayName: 'ISO Dates',
		name: 'isoDates',
		description:
			"Whether to turn dates into ISO 8601. Set 'Time Zone', too, to have the offset behind the time.",
	}),
	timeZone: timeZoneOption(
		'Hours from UTC in which dates are returned, e.g. 8. Filters do not depend on it.',
	),
};

/** Options that are flags of the API (specification, endpoints 1 and 2), with the words for them. */
export const flags = {
	info: flagOption({
		displayName: 'Include Record Information',
		name: 'info',
		description: 'Whether to add when and by whom the record was created and updated',
	}),
	comment: flagOption({
		displayName: 'Include Comments',
		name: 'comment',
		description: 'Whether to add the comments, as the subtable 61',
	}),
	history: flagOption({
		displayName: 'Include Edit History',
		name: 'history',
		description: 'Whether to add who changed what and when',
	}),
	approval: flagOption({
		displayName: 'Include Approval',
		name: 'approval',
		description: 'Whether to add approval information',
	}),
	conversation: flagOption({
		displayName: 'Include Conversation',
		name: 'conversation',
		description: 'Whether to add the related e-mail conversation',
	}),
	bbcode: flagOption({
		displayName: 'Raw Markup',
		name: 'bbcode',
		description: 'Whether to return rich text as its markup instead of HTML',
	}),
	ignoreMask: flagOption({
		displayName: 'Show Masked Values',
		name: 'ignoreMask',
		description: 'Whether to show masked text, for users in a group that may see it',
	}),
};

/** The same for lists. */
export const listFlags = {
	ignoreFixedFilter: flagOption({
		displayName: 'Ignore Fixed Filter',
		name: 'ignoreFixedFilter',
		description:
			"Whether to ignore the sheet's fixed filter. Only for the API key of a user with SYSAdmin privilege.",
	}),
	listing: flagOption({
		displayName: 'Listing Fields Only',
		name: 'listing',
		description: 'Whether to return only the fields of the listing page',
	}),
};

/** Options about the request itself, which hardly anybody needs. */
export const requestOptions = {
	version: versionOption,
	additionalParameters: option(
		{
			displayName: 'Additional Parameters',
			name: 'additionalParameters',
			type: 'fixedCollection',
			typeOptions: { multipleValues: true },
			placeholder: 'Add Parameter',
			default: {},
			description: 'Query parameters that this node has no option for',
			options: [
				{
					displayName: 'Parameter',
					name: 'parameter',
					values: [
						{ displayName: 'Name', name: 'name', type: 'string', default: '' },
						{ displayName: 'Value', name: 'value', type: 'string', default: '' },
					],
				},
			],
		},
		queryOf,
	),
};

type OutputOptionParameters = typeof fieldOptions &
	typeof formOptions &
	typeof flags &
	typeof listFlags &
	typeof requestOptions & { downloadFiles: typeof downloadFilesOption };

/** What a user set of the options above: an operation has those that it lists. */
export type OutputOptions = {
	readonly [Name in keyof OutputOptionParameters]?: ReturnType<
		OutputOptionParameters[Name]['parse']
	>;
};

/** Returns in what form records are to be read. */
export function readOptionsOf(options: OutputOptions): ReadOptions {
	const { naming = 'FNAME', version, subtables, timeZone, additionalParameters = [] } = options;
	const more: QueryParameter[] = Object.entries(options)
		.filter(([name, value]) => (name in flags || name in listFlags) && value === true)
		.map(([name]) => [name, true]);
	if (subtables !== undefined) more.push(['subtables', subtables ? 1 : 0]);
	if (timeZone !== undefined) more.push(['tz', timeZone]);
	return { naming, version: version || apiVersion, more: [...more, ...additionalParameters] };
}

function queryOf(collection: unknown): QueryParameter[] {
	const entries = isObject(collection) ? collection.parameter : undefined;
	if (!Array.isArray(entries)) return [];
	return entries.filter(isObject).flatMap(({ name, value }): QueryParameter[] => {
		const text = textOf(name);
		if (text === '') return [];
		if (value === '' || value === undefined) return [[text]];
		return [[text, typeof value === 'string' ? value : textOf(value)]];
	});
}

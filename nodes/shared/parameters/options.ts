import type { INodeProperties } from 'n8n-workflow';
import type { ReadOptions } from '../../api/read/readOptions';
import { fieldKey } from '../../api/sheet/fields';
import { apiVersion, type QueryParameter } from '../../api/values/query';
import { InputError } from '../../api/values/inputError';
import { requireTextual } from '../../api/values/singleValue';
import { textOf, verbatimText } from '../../api/values/text';
import {
	choiceOption,
	entriesOf,
	entriesParameter,
	flagOptions,
	mapped,
	numberParameter,
	optional,
	parameter,
	textParameter,
} from './parameter';

/**
 * Option for the keys of output fields, parsed as the parameter `naming` of the service (specification, endpoint 1). `FNAME` if
 * it is not added.
 */
export const namingOption = mapped(
	choiceOption({
		displayName: 'Output Field Names By',
		name: 'fieldKeys',
		choices: {
			id: ['Field IDs', 'IDs stay the same when a field is renamed'],
			name: ['Field Names', 'Several fields with the same name are numbered'],
		},
		default: 'name',
		description:
			'How fields are identified in the output. IDs stay the same when a field is renamed, so expressions keep working.',
	}),
	(keys): ReadOptions['naming'] => (keys === 'id' ? 'EID' : 'FNAME'),
);

/** Maximum offset of a time zone from UTC, in hours. */
const maxOffsetHours = 14;

function timeZoneOption(description: string) {
	const offsetHours = numberParameter(
		{
			displayName: 'UTC Offset',
			name: 'timeZone',
			typeOptions: { minValue: -maxOffsetHours, maxValue: maxOffsetHours, numberPrecision: 2 },
			description,
		},
		(hours) => Math.abs(hours) <= maxOffsetHours,
		`a number of hours from -${maxOffsetHours} to ${maxOffsetHours}`,
	);
	return optional(offsetHours);
}

export const writtenTimeZone = timeZoneOption(
	"Offset of the account's time zone in hours, e.g. 8, in which dates with a time are sent. Defaults to the workflow's time zone.",
);

/** The version of the API (specification, "Versioning"). An empty text stands for the default version. */
export const versionOption = optional(
	mapped(
		textParameter({
			displayName: 'API Version',
			name: 'version',
			placeholder: 'e.g. 2025-01-01',
			default: apiVersion,
			description: 'Version of the API to use, as a date',
		}),
		requireVersion,
	),
);

function requireVersion(version: string): string {
	if (version === '' || /^\d{4}-\d\d-\d\d$/.test(version)) return version;
	throw new InputError(
		`'API Version' is not a date such as ${apiVersion}`,
		`Remove the option to use the version ${apiVersion}.`,
	);
}

/**
 * Returns the field names and IDs in an array or in the lines of a text. Comma-separated names are split later, by
 * `SheetFields.fieldKeys`. Throws InputError for a name that is a list or an object: without it, the list would mean something else.
 */
export function fieldNamesOf(value: unknown, displayName: string): string[] {
	const entries = entriesOf(value);
	for (const name of entries ?? [value]) requireTextual(name, displayName);
	const names: unknown[] = entries ?? verbatimText(value).split(/\r?\n/);
	return names.map(fieldKey).filter((name) => name !== '');
}

/** An option for field names and IDs, one per line, or comma-separated. */
export function fieldNamesOption(property: Omit<INodeProperties, 'type' | 'default'>) {
	const typeOptions = { rows: 2 };
	const text = { ...property, type: 'string', typeOptions, default: '' } as const;
	return optional(parameter(text, fieldNamesOf));
}

/** Options for the types of values, for all operations that read records. */
export const typingOptions = {
	...flagOptions({
		typedValues: {
			label: 'Typed Values',
			description:
				"Whether to return numbers, booleans and lists instead of strings. Requires an administrator's credential, or 'Number Fields' and 'List Fields'. Values that a number cannot hold exactly stay strings.",
		},
	}),
	numberFields: fieldNamesOption({
		displayName: 'Number Fields',
		name: 'numberFields',
		placeholder: 'e.g. Total, 1000009',
		description:
			"Names or IDs of number fields, one per line, or comma-separated, if the credential's user is not an administrator. Turns on 'Typed Values' if that option is not set.",
	}),
	listFields: fieldNamesOption({
		displayName: 'List Fields',
		name: 'listFields',
		placeholder: 'e.g. Tags, 1000008',
		description:
			"Names or IDs of multiple selections, one per line, or comma-separated, if the credential's user is not an administrator. Turns on 'Typed Values' if that option is not set.",
	}),
};

/** Options for the returned fields and their keys. */
export const fieldOptions = {
	onlyFields: fieldNamesOption({
		displayName: 'Only Fields',
		name: 'onlyFields',
		placeholder: 'e.g. Customer, 1000004, _subtable_2000001',
		description:
			'Names or IDs of the fields to return, one per line, or comma-separated. Leave empty to return all fields.',
	}),
	naming: namingOption,
	/** File fields whose files are downloaded. */
	downloadFiles: fieldNamesOption({
		displayName: 'Download Files',
		name: 'downloadFiles',
		placeholder: 'e.g. Contract, 1000013',
		description:
			'Names or IDs of file fields, also of subtable rows, one per line, or comma-separated. Their files are added to the item as Contract_1, Contract_2 and so on. Each file takes one request.',
	}),
};

/** Names of the reading options that most users need. The editor offers them first. */
export const firstReadingOptions = ['sort', 'onlyFields', 'typedValues', 'downloadFiles'];

/** Options for the format of records. */
export const formOptions = {
	...flagOptions({
		subtables: {
			label: 'Subtables',
			description: 'Whether to return the rows of subtables, as the service does by default',
			isOn: false,
		},
		isoDates: {
			label: 'ISO Dates',
			description:
				"Whether to return dates in ISO 8601 format, also in a text field. Set 'UTC Offset' to include the offset.",
		},
	}),
	...typingOptions,
	offsetHours: timeZoneOption(
		'Offset from UTC in hours, e.g. 8, in which dates with a time are returned. Filters do not use it.',
	),
};

/** Options that are flags of the API (specification, endpoints 1 and 2), by the names of these flags. */
export const flags = flagOptions({
	info: {
		label: 'Include Record Information',
		description: 'Whether to return when and by whom the record was created and updated',
	},
	comment: {
		label: 'Include Comments',
		description: 'Whether to return the comments of the record, as _subtable_61',
	},
	history: {
		label: 'Include Edit History',
		description: 'Whether to return who changed what and when',
	},
	approval: {
		label: 'Include Approval',
		description: 'Whether to return approval information',
	},
	conversation: {
		label: 'Include Conversation',
		description: 'Whether to return the related email conversation',
	},
	bbcode: {
		label: 'Raw Markup',
		description: 'Whether to return rich text as markup instead of HTML. Needed to write it back.',
	},
	ignoreMask: {
		label: 'Show Masked Values',
		description:
			'Whether to return masked values as they are stored. Only for users in a group that may see them.',
	},
});

/** Options that are flags of the API, for lists only. */
export const listFlags = flagOptions({
	ignoreFixedFilter: {
		label: 'Ignore Fixed Filter',
		description:
			'Whether to ignore the fixed filter of the sheet. Requires a user with SYSAdmin privilege.',
	},
	listing: {
		label: 'Listing Fields Only',
		description: 'Whether to return only the fields that the listing page shows',
	},
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
				description: 'Query parameters to send for which this node has no option',
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

/** Returns the read options for these options, without fields. `outputReadOptions` adds those of 'Only Fields'. */
export function readOptionsOf(options: OutputOptions): ReadOptions {
	const { naming = 'FNAME', version, subtables, offsetHours, additionalParameters = [] } = options;
	const parameters: QueryParameter[] = Object.entries(options)
		.filter(([name, value]) => (name in flags || name in listFlags) && value === true)
		.map(([name]) => [name, true]);
	if (subtables !== undefined) parameters.push(['subtables', subtables ? 1 : 0]);
	if (offsetHours !== undefined) parameters.push(['tz', offsetHours]);
	return {
		naming,
		version: version || apiVersion,
		parameters: [...parameters, ...additionalParameters],
	};
}

function queryOf({ name, value }: Record<'name' | 'value', unknown>): QueryParameter[] {
	requireTextual(name, "Name' in 'Additional Parameters");
	const text = textOf(name);
	if (text === '') return [];
	if (value === '' || value === undefined) return [[text]];
	requireTextual(value, `${text}' in 'Additional Parameters`);
	return [[text, verbatimText(value)]];
}

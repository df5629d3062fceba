import { flagOption, option, parseParameters } from './parameter';
import type { ParameterSource, Parameter } from './parameter';
import type { ReadOptions } from '../api/read/readOptions';
import { apiVersion } from '../api/values/query';
import { isObject } from '../api/json/objects';
import type { QueryParameter } from '../api/values/query';
import { textOf } from '../api/values/text';
import { fieldNamesOf, typingOptions } from './valueTypes';
import { namingOption } from './fieldKeys';
import { timeZoneOption } from './timeZone';
import { versionOption } from './version';

/** Options about which fields come, and what they are called. */
export const fieldOptions = {
	onlyFields: option(
		{
			displayName: 'Only Fields',
			name: 'onlyFields',
			type: 'string',
			placeholder: 'e.g. Customer, 1000004, _subtable_2000001',
			default: '',
			description: 'Names or IDs of the fields to return, with commas between. Empty for all.',
		},
		fieldNamesOf,
	),
	naming: namingOption,
};

/** Options about the form in which records come. */
export const formOptions = {
	subtables: flagOption({
		displayName: 'Subtables',
		name: 'subtables',
		type: 'boolean',
		default: false,
		description: 'Whether to return subtable rows, as the service does by default',
	}),
	...typingOptions,
	isoDates: flagOption({
		displayName: 'ISO Dates',
		name: 'isoDates',
		type: 'boolean',
		default: true,
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
		type: 'boolean',
		default: true,
		description: 'Whether to add when and by whom the record was created and updated',
	}),
	comment: flagOption({
		displayName: 'Include Comments',
		name: 'comment',
		type: 'boolean',
		default: true,
		description: 'Whether to add the comments, as the subtable 61',
	}),
	history: flagOption({
		displayName: 'Include Edit History',
		name: 'history',
		type: 'boolean',
		default: true,
		description: 'Whether to add who changed what and when',
	}),
	approval: flagOption({
		displayName: 'Include Approval',
		name: 'approval',
		type: 'boolean',
		default: true,
		description: 'Whether to add approval information',
	}),
	conversation: flagOption({
		displayName: 'Include Conversation',
		name: 'conversation',
		type: 'boolean',
		default: true,
		description: 'Whether to add the related e-mail conversation',
	}),
	bbcode: flagOption({
		displayName: 'Raw Markup',
		name: 'bbcode',
		type: 'boolean',
		default: true,
		description: 'Whether to return rich text as its markup instead of HTML',
	}),
	ignoreMask: flagOption({
		displayName: 'Unmask',
		name: 'ignoreMask',
		type: 'boolean',
		default: true,
		description: 'Whether to show masked text, for users in a group that may see it',
	}),
};

/** The same for lists. */
export const listFlags = {
	ignoreFixedFilter: flagOption({
		displayName: 'Ignore Fixed Filter',
		name: 'ignoreFixedFilter',
		type: 'boolean',
		default: true,
		description:
			"Whether to ignore the sheet's fixed filter. Only for the API key of a user with SYSAdmin privilege.",
	}),
	listing: flagOption({
		displayName: 'Listing Fields Only',
		name: 'listing',
		type: 'boolean',
		default: true,
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

/** In what form the item wants its records, by the options above. */
export function readReading(item: ParameterSource): ReadOptions {
	const more: QueryParameter[] = [];
	const flagged: Readonly<Record<string, Parameter<boolean | undefined, ParameterSource>>> = {
		...flags,
		...listFlags,
	};
	for (const [name, flag] of Object.entries(flagged)) {
		if (flag.parse(item)) more.push([name, true]);
	}
	const { subtables, timeZone } = parseParameters(formOptions, item);
	const { version, additionalParameters = [] } = parseParameters(requestOptions, item);
	if (subtables !== undefined) more.push(['subtables', subtables ? 1 : 0]);
	if (timeZone !== undefined) more.push(['tz', timeZone]);
	more.push(...additionalParameters);
	return { naming: namingOption.parse(item), version: version || apiVersion, more };
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

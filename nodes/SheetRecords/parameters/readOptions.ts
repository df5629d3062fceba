import type { INodeProperties } from 'n8n-workflow';
import { apiVersion } from '../../wire/apiVersion';
import type { Reading } from '../../service/reading';
import type { QueryParameter } from '../../wire/query';
import { isObject } from '../../wire/objects';
import { textOf } from '../../wire/text';
import type { ItemParameters } from '../itemParameters';
import { readNaming } from './fieldKeys';
import { emptyResultOption } from './emptyResult';
import { optionsCollection } from './optionsCollection';
import { offsetHours, timeZoneOption } from './timeZone';
import { versionOption } from './version';

/** Options that are flags of the API (specification, endpoints 1 and 2), with the words for them. */
const flags: INodeProperties[] = [
	{
		displayName: 'Include Approval',
		name: 'approval',
		type: 'boolean',
		default: true,
		description: 'Whether to add approval information',
	},
	{
		displayName: 'Include Comments',
		name: 'comment',
		type: 'boolean',
		default: true,
		description: 'Whether to add the comments, as the subtable 61',
	},
	{
		displayName: 'Include Conversation',
		name: 'conversation',
		type: 'boolean',
		default: true,
		description: 'Whether to add the related e-mail conversation',
	},
	{
		displayName: 'Include Edit History',
		name: 'history',
		type: 'boolean',
		default: true,
		description: 'Whether to add who changed what and when',
	},
	{
		displayName: 'Include Record Information',
		name: 'info',
		type: 'boolean',
		default: true,
		description: 'Whether to add when and by whom the record was created and updated',
	},
	{
		displayName: 'Raw Markup',
		name: 'bbcode',
		type: 'boolean',
		default: true,
		description: 'Whether to return rich text as its markup instead of HTML',
	},
	{
		displayName: 'Unmask',
		name: 'ignoreMask',
		type: 'boolean',
		default: true,
		description: 'Whether to show masked text, for users in a group that may see it',
	},
];

const listFlags: INodeProperties[] = [
	{
		displayName: 'Ignore Fixed Filter',
		name: 'ignoreFixedFilter',
		type: 'boolean',
		default: true,
		description:
			"Whether to ignore the sheet's fixed filter. Only for the API key of a user with SYSAdmin privilege.",
	},
	{
		displayName: 'Listing Fields Only',
		name: 'listing',
		type: 'boolean',
		default: true,
		description: 'Whether to return only the fields of the listing page',
	},
];

const isoDates: INodeProperties = {
	displayName: 'ISO Dates',
	name: 'isoDates',
	type: 'boolean',
	default: true,
	description:
		"Whether to turn dates into ISO 8601. Set 'Time Zone', too, to have the offset behind the time.",
};

const subtables: INodeProperties = {
	displayName: 'Subtables',
	name: 'subtables',
	type: 'boolean',
	default: false,
	description: 'Whether to return subtable rows, as the service does by default',
};

const commonOptions: INodeProperties[] = [
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
	versionOption,
	isoDates,
	{
		displayName: 'Only Fields',
		name: 'onlyFields',
		type: 'string',
		placeholder: 'e.g. Customer, 1000004, _subtable_2000001',
		default: '',
		description: 'Names or IDs of the fields to return, with commas between. Empty for all.',
	},
	subtables,
	timeZoneOption(
		'Hours from UTC in which dates are returned, e.g. 8. Filters do not depend on it.',
	),
	...flags,
];

const manyOptions: INodeProperties[] = [
	{
		displayName: 'JSONP Callback',
		name: 'callback',
		type: 'string',
		placeholder: 'e.g. showRecords',
		default: '',
		description:
			"The function that the service wraps the records in. The text comes back as it is, in the field 'jsonp', one item a page; each page begins with the last record of the one before.",
	},
	{
		displayName: 'Page Size',
		name: 'pageSize',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description:
			'How many records to ask for at once. 0 starts with 1000 and follows the speed of the service.',
	},
	...listFlags,
];

export const getOptions = optionsCollection([
	...commonOptions,
	emptyResultOption(
		'error',
		'What to return for an item whose record is not there. An empty item holds _recordId and _missing.',
	),
]);
export const getAllOptions = optionsCollection([
	...commonOptions,
	...manyOptions,
	emptyResultOption('none', 'What to return for an item for which there is no record'),
]);

/** In what form the item wants its records. */
export function readReading(item: ItemParameters): Reading {
	const options = item.collection('options');
	const naming = readNaming(item);
	const parameters: QueryParameter[] = [];
	for (const { name, displayName } of [...flags, ...listFlags]) {
		if (item.optionFlag(name, displayName)) parameters.push([name, true]);
	}
	const withSubtables = item.optionFlag(subtables.name, subtables.displayName);
	if (withSubtables !== undefined) parameters.push(['subtables', withSubtables ? 1 : 0]);
	const offset = offsetHours(options);
	if (offset !== undefined) parameters.push(['tz', offset]);
	const more = [...parameters, ...additionalParameters(options.additionalParameters)];
	return { naming, version: textOf(options.version) || apiVersion, more };
}

/** Whether dates are wanted in ISO 8601. */
export function readIsoDates(item: ItemParameters): boolean {
	return item.optionFlag(isoDates.name, isoDates.displayName) ?? false;
}

function additionalParameters(collection: unknown): QueryParameter[] {
	const entries = isObject(collection) ? collection.parameter : undefined;
	if (!Array.isArray(entries)) return [];
	return entries.filter(isObject).flatMap(({ name, value }): QueryParameter[] => {
		const text = textOf(name);
		if (text === '') return [];
		if (value === '' || value === undefined) return [[text]];
		return [[text, typeof value === 'string' ? value : textOf(value)]];
	});
}

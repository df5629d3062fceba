import type { INodeProperties } from 'n8n-workflow';
import { apiVersion } from '../../wire/apiVersion';
import { isFieldId } from '../../wire/fields';
import type { QueryParameter } from '../../wire/query';
import { rawRecord, simplifiedRecord } from '../../wire/record';
import type { PlainObject, RecordShape, SheetRecord } from '../../wire/record';
import { inputError } from '../../wire/serviceError';
import { isObject } from '../../wire/objects';
import { textOf } from '../../wire/text';
import type { ItemParameters } from '../itemParameters';
import type { SheetFields } from '../sheetFields';
import { optionsCollection } from './optionsCollection';
import { offsetHours, timeZoneOption } from './timeZone';

/** The version that this package was written for; the service may change what it does without one. */

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
	{
		displayName: 'API Version',
		name: 'version',
		type: 'string',
		placeholder: 'e.g. 2025-01-01',
		default: apiVersion,
		description: 'The version of the API to use, as a date',
	},
	{
		displayName: 'If Nothing Is Found',
		name: 'emptyResult',
		type: 'options',
		options: [
			{ name: 'Return an Empty Item', value: 'emptyItem' },
			{ name: 'Return No Item', value: 'none' },
			{ name: 'Stop With an Error', value: 'error' },
		],
		default: 'none',
		description: 'What to return for an item for which there is no record',
	},
	{
		displayName: 'ISO Dates',
		name: 'isoDates',
		type: 'boolean',
		default: true,
		description:
			"Whether to turn dates into ISO 8601. Set 'Time Zone', too, to have the offset behind the time.",
	},
	{
		displayName: 'Only Fields',
		name: 'onlyFields',
		type: 'string',
		placeholder: 'e.g. Customer, 1000004, _subtable_2000001',
		default: '',
		description: 'Names or IDs of the fields to return, with commas between. Empty for all.',
	},
	{
		displayName: 'Subtables',
		name: 'subtables',
		type: 'boolean',
		default: false,
		description: 'Whether to return subtable rows, as the service does by default',
	},
	timeZoneOption('Hours from UTC in which dates are returned, e.g. 8'),
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
			"The function that the service wraps the records in. The text comes back as it is, in the field 'jsonp', one item a page.",
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

export const getOptions = optionsCollection(commonOptions);
export const getAllOptions = optionsCollection([...commonOptions, ...manyOptions]);

/** The query parameters that reading takes from the item's options; `naming` and `version` always. */
export function readParameters(item: ItemParameters): QueryParameter[] {
	const options = item.collection('options');
	const parameters: QueryParameter[] = [
		['naming', item.text('fieldKeys') === 'id' ? 'EID' : 'FNAME'],
		['version', textOf(options.version) || apiVersion],
	];
	for (const { name } of [...flags, ...listFlags]) {
		if (options[name] === true) parameters.push([name, true]);
	}
	if (typeof options.subtables === 'boolean')
		parameters.push(['subtables', options.subtables ? 1 : 0]);
	const offset = offsetHours(options);
	if (offset !== undefined) parameters.push(['tz', offset]);
	return [...parameters, ...additionalParameters(options.additionalParameters)];
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

/** How records become the item's output: simplified or raw, with the fields and dates asked for. */
export async function readOutputShape(
	item: ItemParameters,
	sheetFields: SheetFields,
): Promise<(record: SheetRecord) => PlainObject> {
	const options = item.collection('options');
	const shape: RecordShape = {
		isoDates: options.isoDates === true,
		offsetHours: offsetHours(options),
		onlyKeys: await onlyKeys(options.onlyFields, item.text('fieldKeys') === 'id', sheetFields),
	};
	const toJson = item.flag('simplify') ? simplifiedRecord : rawRecord;
	return (record) => toJson(record, shape);
}

async function onlyKeys(
	value: unknown,
	byId: boolean,
	sheetFields: SheetFields,
): Promise<ReadonlySet<string> | undefined> {
	const names = (Array.isArray(value) ? value.map(textOf) : textOf(value).split(','))
		.map((name) => name.trim())
		.filter((name) => name !== '');
	if (names.length === 0) return undefined;
	const keys = new Set<string>();
	for (const name of names) {
		if (name.startsWith('_') || isFieldId(name) === byId) keys.add(name);
		else if (byId) keys.add((await sheetFields.find(name, true)).fieldId);
		else keys.add(await nameInOutput(name, sheetFields));
	}
	return keys;
}

/**
 * The name by which the output shows a field.
 *
 * @throws ServiceError of kind `input` for a field without a name, or with that of another: the service
 *   numbers them in its own way
 */
async function nameInOutput(fieldId: string, sheetFields: SheetFields): Promise<string> {
	const { name } = await sheetFields.find(fieldId, true);
	const fields = (await sheetFields.listed()) ?? [];
	const named = fields.filter((field) => field.subtableId === undefined && field.name === name);
	if (name !== fieldId && named.length === 1) return name;
	throw inputError(
		`It is not known what the output calls the field ${fieldId}`,
		"Write the name that the output shows, or set 'Field Keys' to Field IDs.",
	);
}

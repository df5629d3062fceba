import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { OrderRule } from '../../api/read/records';
import { InputError } from '../../api/values/inputError';
import {
	choiceOf,
	choiceOption,
	entriesParameter,
	flagOption,
	flagParameter,
	type Parameter,
} from '../../ui/parameter';
import { searchText, sharedViewId } from '../../ui/filters';
import { entryField, pickList } from '../../ui/pickList';
import { schemaOf } from '../../ui/sheet';
import type { ItemContext } from '../itemContext';

const returnAll = flagParameter({
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
});

const limit: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	typeOptions: { minValue: 1 },
	displayOptions: { show: { returnAll: [false] } },
	default: 50,
	description: 'Max number of results to return',
};

/** How many results the item wants: Infinity for all. */
export const limitParameter: Parameter<number> = {
	properties: [...returnAll.properties, limit],
	parse(item) {
		if (returnAll.parse(item)) return Infinity;
		const number = Number(item.value(limit.name));
		if (Number.isSafeInteger(number) && number >= 1) return number;
		throw new InputError(
			"'Limit' must be a whole number of at least 1",
			'Change the number, or check its expression.',
		);
	},
};

const rules = entriesParameter({
	displayName: 'Sort',
	name: 'sort',
	type: 'fixedCollection',
	placeholder: 'Add Sort Rule',
	default: {},
	description: 'The order of the records. Without one, the oldest comes first.',
	options: [
		{
			displayName: 'Sort Rule',
			name: 'rule',
			values: [
				pickList('field', 'Field Name or ID', 'getFilterFields'),
				{
					displayName: 'Direction',
					name: 'direction',
					type: 'options',
					options: [
						{ name: 'Ascending', value: 'ASC' },
						{ name: 'Descending', value: 'DESC' },
					],
					default: 'ASC',
				},
			],
		},
	],
});

/** The fields by which the item wants its records sorted. */
export const sortParameter: Parameter<Promise<OrderRule[]>, ItemContext> = {
	properties: rules.properties,
	deferred: true,
	async parse(item) {
		const by: OrderRule[] = [];
		for (const rule of rules.parse(item)) {
			const key = entryField(rule.field, 'A rule', 'Sort');
			const direction = choiceOf(rule.direction, 'Direction', ['ASC', 'DESC']);
			by.push({ fieldId: (await schemaOf(item).field(key)).fieldId, direction });
		}
		return by;
	},
};

/** The option that orders by creation. */
export const newestFirst = flagOption({
	displayName: 'Newest First',
	name: 'reverse',
	type: 'boolean',
	default: true,
	description: 'Whether to sort by the Create Date, the newest first, behind the rules of Sort',
});

/** The option of a text to look for, as it is written. */
export const fullText = searchText({
	displayName: 'Full-Text Search',
	name: 'fullText',
	type: 'string',
	default: '',
	description: 'Text to look for in all fields',
});

/** Options that apply a filter of the sheet beside the conditions. */
export const sheetFilters = {
	sharedViewId,
	defaultFilter: flagOption({
		displayName: 'Apply Default Filter',
		name: 'defaultFilter',
		type: 'boolean',
		default: true,
		description: "Whether to apply the sheet's default filter, too",
	}),
};

type EmptyResult = 'none' | 'emptyItem' | 'error';

/** The option that says what to yield when nothing is found; `otherwise` without it. */
export function emptyResultOption(
	otherwise: EmptyResult,
	description: string,
): Parameter<EmptyResult> {
	const { properties, parse } = choiceOption<EmptyResult>({
		displayName: 'If Nothing Is Found',
		name: 'emptyResult',
		type: 'options',
		options: [
			{ name: 'Return an Empty Item', value: 'emptyItem' },
			{ name: 'Return No Item', value: 'none' },
			{ name: 'Stop With an Error', value: 'error' },
		],
		default: otherwise,
		description,
	});
	return { properties, parse: (item) => parse(item) ?? otherwise };
}

/** Returns the output for an item for which nothing was found. Throws InputError with the message when such is the choice. */
export function emptyOutput(
	choice: EmptyResult,
	message: string,
	emptyItem: IDataObject = {},
): IDataObject[] {
	if (choice === 'emptyItem') return [emptyItem];
	if (choice === 'none') return [];
	throw new InputError(
		message,
		"To go on without it, set the option 'If Nothing Is Found' to 'Return No Item' or 'Return an Empty Item'.",
	);
}

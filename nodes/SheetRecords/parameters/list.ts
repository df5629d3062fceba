import type { IDataObject } from 'n8n-workflow';
import type { OrderRule } from '../../api/read/records';
import { InputError } from '../../api/values/inputError';
import {
	choiceOption,
	choiceProperty,
	deferred,
	entriesParameter,
	flagOptions,
	flagParameter,
	mapped,
	numberParameter,
	type Parameter,
} from '../../shared/parameters/parameter';
import { choiceOf, positiveInteger } from '../../shared/parameters/settings';
import { searchText, sharedViewId } from '../../shared/parameters/filters';
import { entryField, pickList } from '../../shared/editor/pickList';
import { schemaOf } from '../../shared/parameters/sheet';
import type { ItemContext } from '../run/itemContext';

const returnAll = flagParameter({
	displayName: 'Return All',
	name: 'returnAll',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
});

const limit = numberParameter(
	{
		displayName: 'Limit',
		name: 'limit',
		typeOptions: { minValue: 1 },
		displayOptions: { show: { returnAll: [false] } },
		default: 50,
		description: 'Max number of results to return',
	},
	...positiveInteger,
);

/** How many results the item wants: Infinity for all. */
export const limitParameter: Parameter<number> = {
	properties: [...returnAll.properties, ...limit.properties],
	parse: (item) => (returnAll.parse(item) ? Infinity : limit.parse(item)),
};

const rules = entriesParameter({
	displayName: 'Sort',
	name: 'sort',
	placeholder: 'Add Sort Rule',
	description: 'Fields to sort the records by. Without a rule, the service decides the order.',
	entry: {
		displayName: 'Sort Rule',
		name: 'rule',
		values: [
			pickList('field', 'Field Name or ID', 'getFilterFields'),
			choiceProperty({
				displayName: 'Direction',
				name: 'direction',
				choices: { ASC: 'Ascending', DESC: 'Descending' },
				default: 'ASC',
			}),
		],
	},
});

export const sortParameter = deferred(rules.properties, async (item: ItemContext) => {
	const by: OrderRule[] = [];
	for (const rule of rules.parse(item)) {
		const key = entryField(rule.field, 'Sort');
		const direction = choiceOf(rule.direction, 'Direction', ['ASC', 'DESC']);
		by.push({ fieldId: (await schemaOf(item).field(key)).fieldId, direction });
	}
	return by;
});

export const { reverse: newestFirst } = flagOptions({
	reverse: [
		'Newest First',
		"Whether to sort by creation date, newest first. 'Sort' rules take precedence.",
	],
});

export const fullText = searchText({
	displayName: 'Full-Text Search',
	name: 'fullText',
	description: 'Text to search for in all fields',
});

export const sheetFilters = {
	sharedViewId,
	...flagOptions({
		defaultFilter: ['Apply Default Filter', "Whether to also apply the sheet's default filter"],
	}),
};

type EmptyResult = 'none' | 'emptyItem' | 'error';

/** The option that says what to yield when nothing is found; `otherwise` without it. */
export function emptyResultOption(
	otherwise: EmptyResult,
	description: string,
): Parameter<EmptyResult> {
	const emptyResult = choiceOption<EmptyResult>({
		displayName: 'If Nothing Is Found',
		name: 'emptyResult',
		choices: {
			emptyItem: 'Return an Empty Item',
			none: 'Return No Item',
			error: 'Stop With an Error',
		},
		default: otherwise,
		description,
	});
	return mapped(emptyResult, (choice = otherwise) => choice);
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
		"To continue without a record, set the option 'If Nothing Is Found' to 'Return No Item' or 'Return an Empty Item'.",
	);
}

import type { IDataObject } from 'n8n-workflow';
import type { OrderRule } from '../../api/read/records';
import { InputError, inParameter } from '../../api/values/inputError';
import {
	choiceOption,
	choiceProperty,
	entriesParameter,
	flagOptions,
	flagParameter,
	mapped,
	positiveIntegerParameter,
	optional,
	type Parameter,
} from '../../shared/parameters/parameter';
import { choiceOf } from '../../shared/parameters/settings';
import { searchText, sharedViewId } from '../../shared/parameters/filters';
import { entryField, pickList } from '../../shared/editor/pickList';
import type { SheetFields } from '../../api/sheet/sheetFields';

const returnAll = flagParameter({
	displayName: 'Return All',
	name: 'returnAll',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
});

const limit = positiveIntegerParameter({
	displayName: 'Limit',
	name: 'limit',
	typeOptions: { minValue: 1 },
	displayOptions: { show: { returnAll: [false] } },
	default: 50,
	description:
		'Max number of results to return. Applies to each input item: three items return up to three times as many.',
});

/** Maximum number of results for an item; Infinity for all. */
export const limitParameter: Parameter<number> = {
	properties: [...returnAll.properties, ...limit.properties],
	parse: (item) => (returnAll.parse(item) ? Infinity : limit.parse(item)),
};

const rules = entriesParameter({
	displayName: 'Sort',
	name: 'sort',
	placeholder: 'Add Sort Rule',
	description: 'Field to sort the records by. Without a rule, the service decides the order.',
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

/** A sort rule as the user set it: the field is given by its name or ID. */
interface SortRule {
	field: string;
	direction: OrderRule['direction'];
}

export const sortOption = mapped(optional(rules), (entries = []) =>
	entries.map((rule): SortRule => {
		const field = entryField(rule.field, 'Sort');
		return { field, direction: choiceOf(rule.direction, 'Direction', ['ASC', 'DESC']) };
	}),
);

/** Returns the order that sort rules stand for. Throws InputError for an unknown field. */
export async function orderOf(
	sheetFields: SheetFields,
	sort: readonly SortRule[],
): Promise<OrderRule[]> {
	const order: OrderRule[] = [];
	for (const { field, direction } of sort) {
		const compared = async () => await sheetFields.comparedField(field);
		const { fieldId } = await inParameter('Sort', compared);
		order.push({ fieldId, direction });
	}
	return order;
}

export const { reverse: newestFirst } = flagOptions({
	reverse: {
		label: 'Newest First',
		description: "Whether to sort by creation date, newest first. A 'Sort' rule takes precedence.",
	},
});

export const fullText = searchText({
	displayName: 'Full-Text Search',
	name: 'fullText',
	description: 'Text to search for in all fields',
});

export const sheetFilters = {
	sharedViewId,
	...flagOptions({
		defaultFilter: {
			label: 'Apply Default Filter',
			description: "Whether to also apply the sheet's default filter",
		},
	}),
};

type EmptyResult = 'none' | 'emptyItem' | 'error';

/** Option for the output of an item without results; undefined if the user did not add it. `otherwise` is its default. */
export function emptyResultChoice(otherwise: EmptyResult, description: string) {
	return choiceOption<EmptyResult>({
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
}

/** The same option. Its value is the default if the user did not add it. */
export function emptyResultOption(
	otherwise: EmptyResult,
	description: string,
): Parameter<EmptyResult> {
	return mapped(emptyResultChoice(otherwise, description), (choice = otherwise) => choice);
}

/** Returns the output of an item without results. Throws InputError with the message if the user chose an error. `check` says what may be wrong. */
export function emptyOutput(
	choice: EmptyResult,
	message: string,
	check: string,
	emptyItem: IDataObject = {},
): IDataObject[] {
	if (choice === 'emptyItem') return [emptyItem];
	if (choice === 'none') return [];
	throw new InputError(
		message,
		`${check} To continue without a record, set the option 'If Nothing Is Found' to 'Return No Item' or 'Return an Empty Item'.`,
	);
}

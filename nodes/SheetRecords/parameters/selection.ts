import type { INodeProperties } from 'n8n-workflow';
import { emptySelection } from '../../api/tasks/massOperations';
import { InputError } from '../../api/values/inputError';
import { wholeNumberText } from '../../api/values/sheetAddress';
import { requireTextual } from '../../api/values/singleValue';
import { isBlank, shortened, textOf } from '../../api/values/text';
import { arrayIn } from '../../api/read/selectionText';
import {
	nodeOperators,
	whereOperators,
	whereParts,
	type RecordSelection,
} from '../../api/read/query';
import {
	conditionsParameter,
	rawConditions,
	parseConditions,
	parseFilters,
	requireUsableConditions,
} from '../../shared/parameters/filters';
import { fieldsOfSheet } from '../../shared/parameters/sheet';
import { writtenTimeZone } from '../../shared/parameters/options';
import {
	builderHint,
	choiceParameter,
	deferred,
	shownFor,
	textParameter,
} from '../../shared/parameters/parameter';
import { choiceOf } from '../../shared/parameters/settings';
import type { ItemContext } from '../run/itemContext';
import { parseId } from './record';

/** Maximum number of characters that a message quotes of a wrong ID in an input item. */
const maxQuotedCharacters = 60;

const selectBy = choiceParameter({
	displayName: 'Select Records By',
	name: 'selection',
	choices: {
		filters: ['Filters', 'All records that match the conditions'],
		inputItems: [
			'Input Items',
			'The records of all input items together. The node runs once for all of them.',
		],
		recordIds: ['Record IDs', 'A list of record IDs'],
	},
	default: 'filters',
	description:
		'How to select the records to work on. An empty selection is rejected, so that the operation never runs on all records by accident.',
	...builderHint(
		"After a node that returns records, use 'inputItems': the operation runs once for the records of all items. With 'filters' and 'recordIds' it runs once for each item.",
	),
});

const recordIds: INodeProperties = {
	displayName: 'Record IDs',
	name: 'recordIds',
	type: 'string',
	required: true,
	displayOptions: { show: { selection: ['recordIds'] } },
	placeholder: 'e.g. 17, 18, 25',
	default: '',
	description: 'Comma-separated record IDs, or an expression that returns an array of IDs',
};

const recordIdField = textParameter({
	displayName: 'Record ID Field',
	name: 'recordIdField',
	required: true,
	displayOptions: { show: { selection: ['inputItems'] } },
	default: '_recordId',
	hint: 'Enter the name of the field, not its value',
	description: 'Field of the input items that contains the record ID',
});

/**
 * The records that an item selects; undefined for 'Input Items', which takes the IDs of all items together. Parsing throws
 * InputError for an empty selection, because the service might apply the operation to all records.
 */
export const selectionParameter = deferred(
	[
		...selectBy.properties,
		...shownFor({ selection: ['filters'] }, conditionsParameter.properties),
		recordIds,
		...recordIdField.properties,
	],
	async (item: ItemContext): Promise<RecordSelection | undefined> => {
		const kind = selectBy.parse(item);
		if (kind === 'inputItems') return undefined;
		if (kind === 'recordIds') {
			const listedIds = parseRecordIds(item.value(recordIds.name));
			if (listedIds.length > 0) return { kind: 'records', recordIds: listedIds };
			throw emptySelection();
		}
		const raw = rawConditions.parse(item) ?? [];
		// Check the operators: a service that ignores an unknown operator would apply the operation to all records.
		raw.forEach(({ operator }) => choiceOf(operator, 'Operator of Raw Conditions', whereOperators));
		const isOfNode = (operator: unknown) => nodeOperators.some((known) => known === operator);
		if (parseFilters(item).some(({ operator }) => isOfNode(operator))) throw operatorsOfNode();
		const built = await parseConditions(item, item.timeZone(writtenTimeZone.parse(item)));
		await requireUsableConditions(fieldsOfSheet(item), built, raw);
		const where = [...built, ...raw];
		if (where.length === 0) throw emptySelection();
		if (whereParts(where).length > 1) throw longList();
		return { kind: 'filters', where };
	},
);

/** Returns the ID of the record in the item's data; undefined if records are selected otherwise. Throws InputError if the item has no ID. */
export function inputRecordId(item: ItemContext): string | undefined {
	if (selectBy.parse(item) !== 'inputItems') return undefined;
	const field = recordIdField.parse(item);
	const value: unknown = item.json[field] ?? item.record[field];
	const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : textOf(value);
	const recordId = wholeNumberText(text);
	if (recordId !== undefined) return recordId;
	throw new InputError(
		text === ''
			? `The item has no record ID in the field '${field}'`
			: `'${shortened(text, maxQuotedCharacters)}' in the field '${field}' is not a record ID`,
		"Set 'Record ID Field' to the name of the field of the input items that contains the ID: the name itself, not an expression that returns the ID.",
	);
}

/**
 * Returns the error for 'Is Not Equal To' and 'Is Not Empty', which the service does not have. The node cannot apply them,
 * because it does not read the records.
 */
function operatorsOfNode(): InputError {
	return new InputError(
		"'Is Not Equal To' and 'Is Not Empty' cannot select the records of a mass operation, because the service does not have these operators",
		"Find the records with Get Many, and connect this node behind it with 'Select Records By' set to Input Items.",
	);
}

/** Returns the error for a list of values that does not fit into the address of one request. */
function longList(): InputError {
	return new InputError(
		"The list of 'Is One Of' is too long for one request of a mass operation",
		"Find the records with Get Many, and connect this node behind it with 'Select Records By' set to Input Items.",
	);
}

/**
 * Returns the IDs in an array, a JSON array or a separated text. Empty entries of a text do not count. Throws InputError for a wrong
 * ID, and for empty entries beside others in an array: the records of these entries would be left out.
 */
function parseRecordIds(value: unknown): string[] {
	const text = textOf(value);
	const listed = typeof value === 'object' ? [value].flat() : arrayIn(text);
	const isEmpty = (entry: unknown) => isBlank(typeof entry === 'string' ? entry.trim() : entry);
	const entries = (listed ?? text.split(/[\s,]+/)).filter((entry) => !isEmpty(entry));
	const emptyCount = (listed?.length ?? entries.length) - entries.length;
	if (emptyCount > 0 && entries.length > 0) {
		const verb = emptyCount === 1 ? 'is' : 'are';
		throw new InputError(
			`Of the entries in 'Record IDs', ${emptyCount} ${verb} empty, and nothing was done`,
			'Check the expression: some items may lack the ID.',
		);
	}
	return entries.map((entry) => {
		requireTextual(entry, 'Record IDs');
		return parseId(textOf(entry), 'Record IDs', 'record');
	});
}

import type { INodeProperties } from 'n8n-workflow';
import { emptySelection } from '../../api/tasks/massOperations';
import { InputError } from '../../api/values/inputError';
import { wholeNumberText } from '../../api/values/sheetAddress';
import { shortened, textOf } from '../../api/values/text';
import { arrayIn } from '../../api/read/selectionText';
import { whereOperators, type RecordSelection, type WhereCondition } from '../../api/read/query';
import type { ItemContext } from '../itemContext';
import { conditionProperties, rawConditions, readConditions } from '../../ui/filters';
import { writtenTimeZone } from '../../ui/options';
import {
	builderHint,
	choiceParameter,
	deferred,
	shownFor,
	textParameter,
	type ParameterSource,
} from '../../ui/parameter';

const choice = choiceParameter({
	displayName: 'Select Records By',
	name: 'selection',
	choices: {
		filters: ['Filters', 'All records that match conditions'],
		inputItems: [
			'Input Items',
			'The records of all items together; the node runs once for all of them',
		],
		recordIds: ['Record IDs', 'A list of record IDs'],
	},
	default: 'filters',
	description:
		'Which records to work on. An empty selection is refused, so nothing runs on all records by accident.',
	...builderHint(
		"After a node that returns records use 'inputItems': the operation runs once for the records of all items. With 'filters' and 'recordIds' it runs once for each item.",
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
	description: 'IDs with commas between, or an expression that yields an array of them',
};

const recordIdField = textParameter({
	displayName: 'Record ID Field',
	name: 'recordIdField',
	required: true,
	displayOptions: { show: { selection: ['inputItems'] } },
	default: '_recordId',
	hint: 'The name of the field, not its value',
	description: 'The field of the input items that holds the record ID',
});

/** Whether the ids of all items are taken together. */
export function takesInputItems(item: ParameterSource): boolean {
	return choice.parse(item) === 'inputItems';
}

/**
 * The records that the item selects; undefined when the ids of all items are taken together. Refuses, without a request,
 * an empty selection, which might mean every record, and a condition whose value is empty, as an expression that finds
 * nothing makes it.
 */
export const selectionParameter = deferred(
	[
		...choice.properties,
		...shownFor(
			{ selection: ['filters'] },
			conditionProperties('get the records first, filter them, and select by Input Items'),
		),
		recordIds,
		...recordIdField.properties,
	],
	async (item: ItemContext): Promise<RecordSelection | undefined> => {
		const kind = choice.parse(item);
		if (kind === 'inputItems') return undefined;
		if (kind === 'recordIds') {
			const chosen = readRecordIds(item.value(recordIds.name));
			if (chosen.length === 0) throw emptySelection();
			return { kind: 'records', recordIds: chosen };
		}
		const raw = rawConditions.parse(item) ?? [];
		requireOperators(raw);
		const built = await readConditions(item, item.clock(writtenTimeZone.parse(item)));
		const where = [...built, ...raw];
		if (where.length === 0) throw emptySelection();
		return { kind: 'filters', where };
	},
);

/** The id of the record that an input item stands for. Throws InputError when it holds none. */
export function readInputRecordId(item: ItemContext): string {
	const field = recordIdField.parse(item);
	const value = item.json[field] ?? item.record[field];
	const recordId = recordIdOf(value);
	if (recordId !== undefined) return recordId;
	throw new InputError(
		value === undefined || value === null || value === ''
			? `The item has no record ID in the field '${field}'`
			: `${shown(value)} in the field '${field}' is not a record ID`,
		"Set 'Record ID Field' to the name of the field of the input items that holds the ID: the name itself, not an expression that yields the ID.",
	);
}

function readRecordIds(value: unknown): string[] {
	const text = typeof value === 'object' && value !== null ? undefined : textOf(value);
	const listed = text === undefined ? [value].flat() : arrayIn(text);
	const entries: unknown[] = listed ?? text?.split(/[\s,]+/) ?? [];
	const isNothing = (entry: unknown) =>
		typeof entry === 'string' ? entry.trim() === '' : (entry ?? '') === '';
	return entries.flatMap((entry) => {
		const recordId = recordIdOf(entry);
		if (recordId !== undefined) return recordId;
		if (isNothing(entry)) return [];
		throw new InputError(
			`${shown(entry)} in 'Record IDs' is not a record ID`,
			'Record IDs are whole numbers, with commas between.',
		);
	});
}

function recordIdOf(value: unknown): string | undefined {
	return wholeNumberText(textOf(value));
}

function shown(value: unknown): string {
	return shortened(typeof value === 'object' ? JSON.stringify(value) : `'${textOf(value)}'`, 80);
}

/** A service that passes over a condition that it does not know would run the operation on every record. */
function requireOperators(where: readonly WhereCondition[]): void {
	const unknown = where.find(({ operator }) => !whereOperators.some((known) => known === operator));
	if (unknown === undefined) return;
	throw new InputError(
		`'${unknown.operator}' in 'Raw Conditions' is not an operator, and nothing was done`,
		`Operators are ${whereOperators.join(', ')}.`,
	);
}

import type { INodeProperties } from 'n8n-workflow';
import type { RecordSelection } from '../../wire/recordSelection';
import { inputError } from '../../wire/serviceError';
import { isWholeNumber } from '../../wire/sheetAddress';
import { textOf } from '../../wire/text';
import type { WhereCondition } from '../../wire/where';
import type { ItemParameters } from '../itemParameters';
import type { SheetFields } from '../sheetFields';
import { conditionParameters, readConditions } from './filters';
import { offsetHours } from './writeOptions';

export const selectionParameters: INodeProperties[] = [
	{
		displayName: 'Select Records By',
		name: 'selection',
		type: 'options',
		options: [
			{
				name: 'Filters',
				value: 'filters',
				description: 'All records that match conditions',
			},
			{
				name: 'Input Items',
				value: 'inputItems',
				description: 'The records of all items together; the node runs once for all of them',
			},
			{ name: 'Record IDs', value: 'recordIds', description: 'A list of record IDs' },
		],
		default: 'filters',
		description: 'Which records to work on. An empty selection is refused.',
	},
	...conditionParameters.map((parameter) => ({
		...parameter,
		displayOptions: {
			...parameter.displayOptions,
			show: { ...parameter.displayOptions?.show, selection: ['filters'] },
		},
	})),
	{
		displayName: 'Record IDs',
		name: 'recordIds',
		type: 'string',
		required: true,
		displayOptions: { show: { selection: ['recordIds'] } },
		placeholder: 'e.g. 17, 18, 25',
		default: '',
		description: 'IDs with commas between, or an expression that yields an array of them',
	},
	{
		displayName: 'Record ID Field',
		name: 'recordIdField',
		type: 'string',
		required: true,
		displayOptions: { show: { selection: ['inputItems'] } },
		default: '_recordId',
		description: 'The field of the input items that holds the record ID',
	},
];

/** Whether the ids of all items are taken together. */
export function takesInputItems(item: ItemParameters): boolean {
	return item.text('selection') === 'inputItems';
}

/**
 * The records that the item selects by conditions or by a list of ids.
 *
 * @throws ServiceError of kind `input` for ids that are none, and for a condition whose value is empty,
 *   as an expression that finds nothing makes it
 */
export async function readSelection(
	item: ItemParameters,
	sheetFields: SheetFields,
): Promise<RecordSelection> {
	if (item.text('selection') === 'recordIds') {
		return { kind: 'records', recordIds: readRecordIds(item.value('recordIds')) };
	}
	const clock = item.clock(offsetHours(item.collection('options')));
	const where = await readConditions(item, sheetFields, clock);
	if (item.text('filterMode') !== 'raw') requireValues(item, where);
	return { kind: 'filters', where };
}

/**
 * The id of the record that an input item stands for.
 *
 * @throws ServiceError of kind `input` when it holds none
 */
export function readInputRecordId(item: ItemParameters): string {
	const field = item.text('recordIdField');
	const recordId = textOf(item.json[field]);
	if (isWholeNumber(recordId)) return recordId;
	throw inputError(
		recordId === ''
			? `The item has no record ID in the field '${field}'`
			: `'${recordId}' in the field '${field}' is not a record ID`,
		"Set 'Record ID Field' to the field of the input items that holds the ID.",
	);
}

function readRecordIds(value: unknown): string[] {
	const texts = (Array.isArray(value) ? value.map(textOf) : textOf(value).split(/[\s,]+/)).filter(
		(text) => text !== '',
	);
	const wrong = texts.find((text) => !isWholeNumber(text));
	if (wrong === undefined) return texts;
	throw inputError(
		`'${wrong}' in 'Record IDs' is not a record ID`,
		'Record IDs are whole numbers, with commas between.',
	);
}

/** An empty value asks for all records whose field is empty; who means that says "Is Empty". */
function requireValues(item: ItemParameters, where: readonly WhereCondition[]): void {
	const operators = item.entries('filters', 'conditions').map(({ operator }) => operator);
	const empty = where.findIndex(
		({ value }, index) => value.trim() === '' && operators[index] !== 'empty',
	);
	if (empty === -1) return;
	throw inputError(
		`Condition ${empty + 1} in 'Filters' has no value, and nothing was done`,
		"Check the expression of the value. To select records whose field is empty, choose 'Is Empty'.",
	);
}

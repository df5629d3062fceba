import type { INodeProperties } from 'n8n-workflow';
import type { FieldValues } from '../../wire/recordChanges';
import { InputError } from '../../wire/inputError';
import { subtableKey } from '../../wire/subtableKeys';
import type { ItemParameters } from '../itemParameters';
import { parseJsonObject } from '../jsonParameter';
import type { SheetFields } from '../sheetFields';
import { inputModeParameter, mapperParameter } from './recordValueParameters';
import { mappedInput, readChanges, readInputMode } from './recordValues';

/** The parameters that say what to write into a row. */
export const rowValueParameters: INodeProperties[] = [
	inputModeParameter,
	mapperParameter({
		mode: 'add',
		addAllFields: true,
		method: 'getRowFields',
		dependsOn: ['sheet.value', 'authentication', 'subtableId'],
	}),
	{
		displayName: 'Row (JSON)',
		name: 'rowJson',
		type: 'json',
		required: true,
		displayOptions: { show: { inputMode: ['json'] } },
		placeholder: 'e.g. { "Article": "Chair", "Quantity": 2 }',
		default: '{}',
		description: 'Field names or IDs with their values',
	},
];

/**
 * What the item writes into a row of the subtable, with field ids for names.
 *
 * @throws InputError for JSON that is none, unknown names, values that cannot be
 *   written, and when nothing is left to write
 */
export async function readRowValues(
	item: ItemParameters,
	sheetFields: SheetFields,
	subtableId: string,
): Promise<FieldValues> {
	const { input, isAutoMapped } =
		readInputMode(item) === 'json'
			? { input: parseJsonObject(item.value('rowJson'), 'Row (JSON)'), isAutoMapped: false }
			: mappedInput(item);
	const values = Object.fromEntries(Object.entries(input).filter(([key]) => key !== '_rowId'));
	const record = { [subtableKey(subtableId)]: [values] };
	const { subtables } = await readChanges(item, sheetFields, record, isAutoMapped);
	const row = [...(subtables.get(subtableId)?.values() ?? [])][0];
	if (row) return row;
	throw new InputError(
		'There is nothing to write: no field of the row has a value',
		"To empty fields on purpose, turn on the option 'Clear Empty'.",
	);
}

import type { INodeProperties } from 'n8n-workflow';
import { InputError } from '../../wire/inputError';
import { wholeNumberText } from '../../wire/sheetAddress';
import type { ItemParameters } from '../itemParameters';
import type { SheetFields } from '../sheetFields';
import { pickList } from './pickList';

export const subtableIdParameter: INodeProperties = {
	...pickList('subtableId', 'Subtable Name or ID', 'getSubtables'),
	required: true,
};

export const rowIdParameter: INodeProperties = {
	displayName: 'Row ID',
	name: 'rowId',
	type: 'string',
	required: true,
	placeholder: 'e.g. 17',
	default: '',
	description: "The row to work on. 'Get Many' of this resource returns it as _rowId.",
};

/**
 * The id of the subtable that the item chose, by its name or its ID.
 *
 * @throws InputError when none is chosen, and for an unknown or ambiguous name
 */
export async function readSubtableId(
	item: ItemParameters,
	sheetFields: SheetFields,
): Promise<string> {
	const key = item.text('subtableId');
	if (key !== '') return await sheetFields.findSubtable(key);
	throw new InputError(
		"Choose a 'Subtable'",
		'Pick the subtable from the list, or give its ID, e.g. 2000001.',
	);
}

/**
 * The id of the row that the item chose, in the one spelling that it has.
 *
 * @throws InputError when it is no whole number
 */
export function readRowId(item: ItemParameters): string {
	const rowId = item.text('rowId');
	const ownId = wholeNumberText(rowId);
	if (ownId !== undefined) return ownId;
	throw new InputError(
		rowId === '' ? "'Row ID' is empty" : `'${rowId}' is not a row ID`,
		'A row ID is a whole number, e.g. 17.',
	);
}

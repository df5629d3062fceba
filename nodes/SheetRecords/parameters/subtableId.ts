import type { INodeProperties } from 'n8n-workflow';
import { isFieldId } from '../../wire/fields';
import { inputError } from '../../wire/serviceError';
import { isWholeNumber } from '../../wire/sheetAddress';
import type { ItemParameters } from '../itemParameters';
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
 * The id of the subtable that the item chose.
 *
 * @throws ServiceError of kind `input` when it is no id
 */
export function readSubtableId(item: ItemParameters): string {
	const subtableId = item.text('subtableId').replace(/^_subtable_/, '');
	if (isFieldId(subtableId)) return subtableId;
	throw inputError(
		subtableId === '' ? "Choose a 'Subtable'" : `'${subtableId}' is not a subtable ID`,
		'Pick it from the list, or give its ID, e.g. 2000001.',
	);
}

/**
 * The id of the row that the item chose, in the one spelling that it has.
 *
 * @throws ServiceError of kind `input` when it is no whole number
 */
export function readRowId(item: ItemParameters): string {
	const rowId = item.text('rowId');
	if (isWholeNumber(rowId)) return rowId.replace(/^0+(?=\d)/, '');
	throw inputError(
		rowId === '' ? "'Row ID' is empty" : `'${rowId}' is not a row ID`,
		'A row ID is a whole number, e.g. 17.',
	);
}

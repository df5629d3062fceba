import type { IDataObject } from 'n8n-workflow';
import { inputError } from '../../wire/serviceError';
import { textOf } from '../../wire/text';
import type { ItemParameters } from '../itemParameters';

/**
 * The output for an item for which nothing was found, as the item chose.
 *
 * @throws ServiceError of kind `input` when the choice is an error
 */
export function emptyResult(item: ItemParameters, message: string): IDataObject[] {
	const choice = textOf(item.collection('options').emptyResult) || 'none';
	if (choice === 'emptyItem') return [{}];
	if (choice === 'none') return [];
	throw inputError(message, "To go on without it, set the option 'If Nothing Is Found'.");
}

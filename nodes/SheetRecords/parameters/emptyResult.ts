import type { IDataObject } from 'n8n-workflow';
import { inputError } from '../../wire/serviceError';
import type { ItemParameters } from '../itemParameters';

/**
 * What the item chose to yield when nothing is found, to be read before anything is asked of the service.
 *
 * @returns the output for the item; called with what happened, it throws that as an error of kind `input`
 *   when such is the choice
 * @throws ServiceError of kind `input` when an expression yields none of the choices
 */
export function readEmptyResult(item: ItemParameters): (message: string) => IDataObject[] {
	const choice =
		item.optionChoice('emptyResult', 'If Nothing Is Found', ['none', 'emptyItem', 'error']) ??
		'none';
	return (message) => {
		if (choice === 'emptyItem') return [{}];
		if (choice === 'none') return [];
		throw inputError(
			message,
			"To go on without it, set the option 'If Nothing Is Found' to 'Return No Item' or 'Return an Empty Item'.",
		);
	};
}

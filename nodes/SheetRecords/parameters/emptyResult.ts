import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { InputError } from '../../wire/inputError';
import type { ItemParameters } from '../itemParameters';

const choices = ['none', 'emptyItem', 'error'] as const;
type EmptyResult = (typeof choices)[number];

/** The option that says what to yield when nothing is found, and what is yielded without it. */
export function emptyResultOption(otherwise: EmptyResult, description: string): INodeProperties {
	return {
		displayName: 'If Nothing Is Found',
		name: 'emptyResult',
		type: 'options',
		options: [
			{ name: 'Return an Empty Item', value: 'emptyItem' },
			{ name: 'Return No Item', value: 'none' },
			{ name: 'Stop With an Error', value: 'error' },
		],
		default: otherwise,
		description,
	};
}

/**
 * What the item chose to yield when nothing is found, to be read before anything is asked of the service.
 *
 * @param otherwise what it yields without the option
 * @param emptyItem what an empty item holds
 * @returns the output for the item; called with what happened, it throws that as an error of kind `input`
 *   when such is the choice
 */
export function readEmptyResult(
	item: ItemParameters,
	otherwise: EmptyResult,
	emptyItem: IDataObject = {},
): (message: string) => IDataObject[] {
	const choice = item.optionChoice('emptyResult', 'If Nothing Is Found', choices) ?? otherwise;
	return (message) => {
		if (choice === 'emptyItem') return [{ ...emptyItem }];
		if (choice === 'none') return [];
		throw new InputError(
			message,
			"To go on without it, set the option 'If Nothing Is Found' to 'Return No Item' or 'Return an Empty Item'.",
		);
	};
}

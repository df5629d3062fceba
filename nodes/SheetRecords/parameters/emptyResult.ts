import type { IDataObject } from 'n8n-workflow';
import { choiceOption, type Parameter } from '../../ui/parameter';
import { InputError } from '../../api/values/inputError';

type EmptyResult = 'none' | 'emptyItem' | 'error';

/**
 * The option that says what to yield when nothing is found.
 *
 * @param otherwise what is yielded without it
 */
export function emptyResultOption(
	otherwise: EmptyResult,
	description: string,
): Parameter<EmptyResult> {
	const { properties, parse } = choiceOption<EmptyResult>({
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
	});
	return { properties, parse: (item) => parse(item) ?? otherwise };
}

/**
 * The output for an item for which nothing was found.
 *
 * @param message what happened
 * @param emptyItem what an empty item holds
 * @throws InputError with what happened when such is the choice
 */
export function emptyOutput(
	choice: EmptyResult,
	message: string,
	emptyItem: IDataObject = {},
): IDataObject[] {
	if (choice === 'emptyItem') return [emptyItem];
	if (choice === 'none') return [];
	throw new InputError(
		message,
		"To go on without it, set the option 'If Nothing Is Found' to 'Return No Item' or 'Return an Empty Item'.",
	);
}

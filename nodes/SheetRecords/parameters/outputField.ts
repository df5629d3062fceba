import type { INodeProperties } from 'n8n-workflow';
import { InputError } from '../../wire/inputError';
import type { ItemParameters } from '../itemParameters';

export const outputFieldParameter: INodeProperties = {
	displayName: 'Output Data Field Name',
	name: 'outputDataFieldName',
	type: 'string',
	required: true,
	placeholder: 'e.g. data',
	default: 'data',
	description: 'The name of the output field to put the file in',
};

/**
 * The name of the output field for files.
 *
 * @throws InputError for the one name that no item can hold
 */
export function readOutputField(item: ItemParameters): string {
	const name = item.text('outputDataFieldName') || 'data';
	if (name !== '__proto__') return name;
	throw new InputError("'Output Data Field Name' cannot be '__proto__'", 'Choose another name.');
}

import type { IBinaryData } from 'n8n-workflow';
import type { ArrivingFile } from '../../api/files/download';
import type { Item } from '../itemContext';
import { textParameter, type Parameter } from '../../ui/parameter';
import { InputError } from '../../api/values/inputError';

const text = textParameter({
	displayName: 'Output Data Field Name',
	name: 'outputDataFieldName',
	type: 'string',
	required: true,
	placeholder: 'e.g. data',
	default: 'data',
	description: 'The name of the output field to put the file in',
});

/** The name of the output field for files; not the one name that no item can hold. */
export const outputFieldParameter: Parameter<string> = {
	properties: text.properties,
	parse(item) {
		const name = text.parse(item) || 'data';
		if (name !== '__proto__') return name;
		throw new InputError("'Output Data Field Name' cannot be '__proto__'", 'Choose another name.');
	},
};

/**
 * Puts an arriving file into n8n's store, as a stream. Name and type are always given: n8n would
 * otherwise take them from the address, with the identity in it.
 */
export async function storeFile(
	{ context }: Item,
	{ stream, mimeType }: ArrivingFile,
	name: string,
): Promise<IBinaryData> {
	return await context.helpers.prepareBinaryData(stream, name, mimeType);
}

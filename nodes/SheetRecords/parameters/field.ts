import type { INodeProperties } from 'n8n-workflow';
import { fieldKey } from '../../wire/fields';
import { InputError } from '../../wire/inputError';
import type { LookedUp } from '../operation';
import { sheetFieldsOf } from '../sheetFields';
import { pickList } from './pickList';

const property: INodeProperties = {
	...pickList('fieldId', 'Field Name or ID', 'getFields', 'The file or image field.'),
	required: true,
};

/** The id of the field for files that the item chose, by its name or its ID. */
export const fieldParameter: LookedUp<string> = {
	shown: [property],
	async lookUp(call) {
		const key = fieldKey(call.item.value(property.name));
		if (key !== '') return (await sheetFieldsOf(call).find(key)).fieldId;
		throw new InputError("'Field Name or ID' is empty", 'Choose the field for the file.');
	},
};

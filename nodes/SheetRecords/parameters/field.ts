import type { INodeProperties } from 'n8n-workflow';
import { fieldKey } from '../../wire/fields';
import type { FilePlace } from '../../wire/recordContent';
import { InputError } from '../../wire/inputError';
import type { LookedUp } from '../operation';
import { sheetFieldsOf } from '../../shared/sheetFields';
import { pickList } from '../../shared/pickList';

const property: INodeProperties = {
	...pickList(
		'fieldId',
		'Field Name or ID',
		'getFields',
		'The file or image field; that of a subtable row as field_rowID, e.g. Photo_17.',
	),
	required: true,
};

/** The field for files that the item chose, of the record or of a row, by its name or its ID. */
export const fieldParameter: LookedUp<FilePlace> = {
	shown: [property],
	async lookUp(call) {
		const key = fieldKey(call.item.value(property.name));
		if (key !== '') return await sheetFieldsOf(call).findFilePlace(key);
		throw new InputError("'Field Name or ID' is empty", 'Choose the field for the file.');
	},
};

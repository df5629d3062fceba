import { sheetParameter } from '../../../editor/sheet';
import { discoverFields } from '../../../service/discovery';
import type { Field } from '../../../wire/fields';
import { inputError } from '../../../wire/serviceError';
import type { IDataObject } from 'n8n-workflow';
import type { Operation } from '../../operation';

export const getFields: Operation = {
	value: 'getFields',
	name: 'Get Fields',
	action: 'Get the fields of a sheet',
	description: 'Get names and IDs of the fields of a sheet and its subtables',
	parameters: [sheetParameter],
	async run({ item, client }) {
		const list = await discoverFields(client, item.sheet(client.connection), true);
		if (list) return list.fields.map(fieldJson);
		throw inputError(
			"The service does not tell this sheet's fields to this user",
			'The field settings of the sheet show their IDs.',
		);
	},
};

function fieldJson({ fieldId, name, type, required, readOnly, subtableId }: Field): IDataObject {
	return {
		fieldId,
		name,
		...(type === undefined ? {} : { type }),
		...(required === undefined ? {} : { required }),
		...(readOnly === undefined ? {} : { readOnly }),
		...(subtableId === undefined ? {} : { subtableId }),
	};
}

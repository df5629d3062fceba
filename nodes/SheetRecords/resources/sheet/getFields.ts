import { sheetParameter } from '../../../shared/sheet';
import { discoverFields } from '../../../service/discovery';
import type { Field } from '../../../wire/fields';
import { InputError } from '../../../wire/inputError';
import { formatSheetPath } from '../../../wire/sheetAddress';
import type { IDataObject } from 'n8n-workflow';
import { jointOperation } from '../../operation';

export const getFields = jointOperation({
	value: 'getFields',
	name: 'Get Fields',
	action: 'Get the fields of a sheet',
	description: 'Get names and IDs of the fields of a sheet and its subtables',
	parameters: { sheet: sheetParameter },
	begin: () => {
		const asked = new Set<string>();
		return async ({ client, sheet }) => {
			const key = JSON.stringify([client.connection.credentialType, formatSheetPath(sheet)]);
			const list = await discoverFields(client, sheet, !asked.has(key));
			asked.add(key);
			if (list) return list.fields.map(fieldJson);
			throw noFields();
		};
	},
});

function noFields(): InputError {
	return new InputError(
		"The service does not tell this sheet's fields to this user",
		'The field settings of the sheet show their IDs.',
	);
}

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

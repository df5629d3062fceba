import { sheetParameter } from '../../../ui/sheet';
import { Schema } from '../../../api/schema/schema';
import type { FieldList } from '../../../api/schema/fieldLists';
import type { Field } from '../../../api/schema/fields';
import { InputError } from '../../../api/values/inputError';
import { formatSheetPath } from '../../../api/values/sheetAddress';
import type { IDataObject } from 'n8n-workflow';
import { batchOperation } from '../../operation';

export const getFields = batchOperation({
	value: 'getFields',
	name: 'Get Fields',
	action: 'Get the fields of a sheet',
	description: 'Get names and IDs of the fields of a sheet and its subtables',
	parameters: { sheet: sheetParameter },
	prepare: () => {
		const asked = new Set<string>();
		return async ({ client }, { sheet }) => {
			const key = JSON.stringify([client.connection.credentialType, formatSheetPath(sheet)]);
			const list = await new Schema(client, sheet).list(!asked.has(key));
			asked.add(key);
			if (list) return list.fields.map((field) => fieldJson(field, list));
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

function fieldJson(field: Field, { subtables }: FieldList): IDataObject {
	const { fieldId, name, type, required, readOnly, hidden, choices, subtableId } = field;
	const subtable = subtables.find((one) => one.subtableId === subtableId);
	return {
		fieldId,
		name,
		...(type === undefined ? {} : { type }),
		...(required === undefined ? {} : { required }),
		...(readOnly === undefined ? {} : { readOnly }),
		...(hidden === undefined ? {} : { hidden }),
		...(choices === undefined ? {} : { choices }),
		...(subtableId === undefined ? {} : { subtableId }),
		...(subtable?.name ? { subtableName: subtable.name } : {}),
	};
}

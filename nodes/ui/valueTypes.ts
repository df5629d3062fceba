import type { Client } from '../api/http/client';
import { Schema } from '../api/schema/schema';
import type { ReadOptions } from '../api/read/readOptions';
import type { SheetAddress } from '../api/values/sheetAddress';
import { textOf } from '../api/values/text';
import { ValueTypes } from '../api/write/typedValues';
import { flagOption, option, parseParameters, type ParameterSource } from './parameter';

/** Several names or ids of fields: with commas between, or an array of an expression. */
export function fieldNamesOf(value: unknown): string[] {
	const names = Array.isArray(value) ? value.map(textOf) : textOf(value).split(',');
	return names.map((name) => name.trim()).filter((name) => name !== '');
}

/** Options about the types of values, for whatever reads records. */
export const typingOptions = {
	typedValues: flagOption({
		displayName: 'Typed Values',
		name: 'typedValues',
		type: 'boolean',
		default: true,
		description:
			"Whether to return numbers, true and false, and lists by the types of the sheet's fields, which the service tells to administrators only. What would lose a digit stays a text.",
	}),
	numberFields: option(
		{
			displayName: 'Number Fields',
			name: 'numberFields',
			type: 'string',
			placeholder: 'e.g. Total, 1000009',
			default: '',
			description:
				"Names or IDs of fields that hold numbers, with commas between, where the service does not tell the types. Turns on 'Typed Values'.",
		},
		fieldNamesOf,
	),
	listFields: option(
		{
			displayName: 'List Fields',
			name: 'listFields',
			type: 'string',
			placeholder: 'e.g. Tags, 1000008',
			default: '',
			description:
				"Names or IDs of multiple selections, with commas between, where the service does not tell the types. Turns on 'Typed Values'.",
		},
		fieldNamesOf,
	),
};

/**
 * By what the values of a sheet's records are typed, as the options say; undefined when they come as texts.
 * Throws ServiceError when the service is not reached or does not know the user.
 */
export async function lookUpValueTypes(
	item: ParameterSource & { client: Client },
	sheet: SheetAddress,
	naming: ReadOptions['naming'],
): Promise<ValueTypes | undefined> {
	const { typedValues, numberFields = [], listFields = [] } = parseParameters(typingOptions, item);
	if (!(typedValues ?? (numberFields.length > 0 || listFields.length > 0))) return undefined;
	const list = await new Schema(item.client, sheet).list();
	const rules = { byId: naming === 'EID', numbers: numberFields, lists: listFields };
	return new ValueTypes(list?.fields ?? [], rules);
}

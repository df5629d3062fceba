import type { INodeProperties } from 'n8n-workflow';
import { builderHint, type Parameter } from '../../ui/parameter';
import { locatorText } from '../../ui/sheet';
import { InputError } from '../../api/values/inputError';

const property: INodeProperties = {
	displayName: 'Action Button',
	name: 'buttonId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'The button of the sheet to press',
	...builderHint(
		"Leave mode 'list' for the user to choose, or use mode 'id' with an ID that Action Button: Get Many returned. IDs differ from sheet to sheet: never make one up.",
	),
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchActionButtons', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 4' },
	],
};

/** The id of the button that the item chose. */
export const buttonIdParameter: Parameter<string> = {
	properties: [property],
	parse(item) {
		const buttonId = locatorText(item.value(property.name));
		if (buttonId !== '') return buttonId;
		throw new InputError("Choose an 'Action Button'", 'Pick it from the list, or give its ID.');
	},
};

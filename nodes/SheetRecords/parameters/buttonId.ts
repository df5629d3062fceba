import type { INodeProperties } from 'n8n-workflow';
import { builderHint, type Parameter } from '../../ui/parameter';
import { locatorText, sheetParameter } from '../../ui/sheet';
import { findActionButton } from '../../api/actions';
import { isObject } from '../../api/json/objects';
import { InputError } from '../../api/values/inputError';

const property: INodeProperties = {
	displayName: 'Action Button',
	name: 'buttonId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'The button of the sheet to press',
	...builderHint(
		"Leave mode 'list' for the user to choose, or use mode 'name' with the button's name as people see it, or mode 'id' with an ID that Action Button: Get Many returned. Never make one up.",
	),
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchActionButtons', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 4' },
		{ displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. Mark as Shipped' },
	],
};

/** The id of the button that the item chose, by its id or its name. */
export const buttonIdParameter: Parameter<Promise<string>> = {
	properties: [property],
	deferred: true,
	async parse(item) {
		const locator = item.value(property.name);
		const key = locatorText(locator);
		const isName = isObject(locator) && locator.mode === 'name';
		if (key !== '')
			return await findActionButton(item.client, sheetParameter.parse(item), key, isName);
		throw new InputError(
			"Choose an 'Action Button'",
			'Pick it from the list, or give its name or ID.',
		);
	},
};

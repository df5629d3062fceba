import type { INodeProperties, INodePropertyMode } from 'n8n-workflow';
import { isObject } from '../../api/json/objects';
import { fieldKey } from '../../api/schema/fields';
import { requireText } from '../parameters/settings';

/** What lists of the sheet depend on. */
export const chosenSheet = ['sheet.value', 'authentication'];

/** The words of all nodes of n8n. */
const pickListDescription =
	'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>';

/** A choice from a live list of the sheet, by id or name; `what` says what it is, before how to choose. */
export function pickList<Name extends string>(
	name: Name,
	displayName: 'Field Name or ID' | 'Name File By Field Name or ID' | 'Subtable Name or ID',
	loadOptionsMethod: 'getFields' | 'getFilterFields' | 'getOptionalFields' | 'getSubtables',
	what?: string,
): INodeProperties & { name: Name } {
	return {
		displayName,
		name,
		type: 'options',
		typeOptions: { loadOptionsMethod, loadOptionsDependsOn: chosenSheet },
		default: '',
		// A name is understood, too, and nothing chosen yet is no mistake.
		allowArbitraryValues: true,
		description: what === undefined ? pickListDescription : `${what} ${pickListDescription}.`,
	};
}

/** A choice of several fields of the sheet, whose names are understood as well as their ids. */
export function fieldsPickList(
	name: string,
	displayName: `${string} Field Names or IDs`,
	what: string,
): INodeProperties {
	const one = pickList(name, 'Field Name or ID', 'getFields');
	const description = `${what} ${pickListDescription.replace('an ID', 'IDs')}.`;
	return { ...one, displayName, type: 'multiOptions', default: [], description };
}

/** Returns the name or id of the field of an entry in a list with that label. Throws InputError when it has none. */
export function entryField(field: unknown, list: string): string {
	return requireText(fieldKey(field), `Field Name or ID in ${list}`);
}

/** The mode of a resource locator that searches a list; `more` holds further properties. */
export function fromList(searchListMethod: string, more: object = {}): INodePropertyMode {
	const typeOptions = { searchListMethod, searchable: true, ...more };
	return { ...{ displayName: 'From List', name: 'list' }, type: 'list', typeOptions };
}

/** The value of a resource locator in whichever mode; anything else is the value itself. */
export function locatorValue(locator: unknown): unknown {
	return isObject(locator) && '__rl' in locator ? locator.value : locator;
}

/** Whether the value was picked from the list: then it is one choice to the letter. */
export function isPicked(value: unknown): boolean {
	return isObject(value) && '__rl' in value && value.mode === 'list';
}

/** A value for the field chosen beside it: written, or picked from the field's choices. */
export function choosableValue<Name extends string>(
	property: Omit<INodeProperties, 'type' | 'default'> & { name: Name },
): INodeProperties & { name: Name } {
	return {
		...property,
		type: 'resourceLocator',
		default: { mode: 'text', value: '' },
		modes: [
			{ displayName: 'Text', name: 'text', type: 'string', placeholder: 'e.g. Open' },
			fromList('searchChoices'),
		],
	};
}

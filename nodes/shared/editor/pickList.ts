import type { INodeProperties, INodePropertyMode } from 'n8n-workflow';
import { isObject } from '../../api/json/objects';
import { fieldKey } from '../../api/sheet/fields';
import { requireTextual } from '../../api/values/singleValue';
import { requireText } from '../parameters/settings';

/** Parameters that determine the selected sheet. Lists are loaded again when they change. */
export const chosenSheet = ['sheet.value', 'authentication'];

/** The standard text of n8n's nodes. */
const pickListDescription =
	'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>';

/** A property that selects from a list of the sheet, by ID or name. `what` describes it, before the standard text. */
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
		// Names are valid as well, and an empty value is not marked as wrong.
		allowArbitraryValues: true,
		description: what === undefined ? pickListDescription : `${what} ${pickListDescription}.`,
	};
}

/** A property that selects several fields of the sheet, by ID or name. */
export function fieldsPickList(
	name: string,
	displayName: `${string} Field Names or IDs`,
	what: string,
): INodeProperties {
	const single = pickList(name, 'Field Name or ID', 'getFields');
	const description = `${what} ${pickListDescription.replace('an ID', 'IDs')}.`;
	return { ...single, displayName, type: 'multiOptions', default: [], description };
}

/** Returns the field name or ID of an entry. Throws InputError if it is empty, a list or an object, with `list` as the label of the list. */
export function entryField(field: unknown, list: string): string {
	const label = `Field Name or ID in ${list}`;
	requireTextual(field, label);
	return requireText(fieldKey(field), label);
}

/** Returns the mode of a resource locator that searches a list. `furtherOptions` are added to its type options. */
export function fromList(searchListMethod: string, furtherOptions: object = {}): INodePropertyMode {
	const typeOptions = { searchListMethod, searchable: true, ...furtherOptions };
	// `type` is not in this object, because n8n's lint takes an object with all three keys for a parameter that lacks a default.
	const names = { displayName: 'From List', name: 'list' };
	return { ...names, type: 'list', typeOptions };
}

/** Returns the value of a resource locator in any mode. Returns any other value unchanged. */
export function locatorValue(locator: unknown): unknown {
	return isObject(locator) && '__rl' in locator ? locator.value : locator;
}

/** Returns whether a value was selected from a list, so it is exactly one of the choices. */
export function isPicked(value: unknown): boolean {
	return isObject(value) && '__rl' in value && value.mode === 'list';
}

/**
 * A property for the value of a selected field: entered as text, or selected from the choices of the field. Its value is a
 * resource locator (see `locatorValue`).
 */
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

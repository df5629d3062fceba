import type { INodeProperties } from 'n8n-workflow';
import { isObject } from '../api/json/objects';

/** Whether the value was picked from the list: then it is one choice to the letter. */
export function isPicked(value: unknown): boolean {
	return isObject(value) && '__rl' in value && value.mode === 'list';
}

/** A value for the field chosen beside it: written, or picked from the field's choices. Saved texts are values as well. */
export function choosableValue<Name extends string>(
	property: Pick<INodeProperties, 'displayName' | 'description' | 'displayOptions'> & {
		name: Name;
	},
): INodeProperties & { name: Name } {
	return {
		...property,
		type: 'resourceLocator',
		default: { mode: 'text', value: '' },
		modes: [
			{ displayName: 'Text', name: 'text', type: 'string' },
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod: 'searchChoices', searchable: true },
			},
		],
	};
}

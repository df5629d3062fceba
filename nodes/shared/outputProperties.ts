import type { INodeProperties } from 'n8n-workflow';
import type { ChoiceProperty } from './parameter';

export const fieldKeysProperty: ChoiceProperty<'id' | 'name'> = {
	displayName: 'Field Keys',
	name: 'fieldKeys',
	type: 'options',
	options: [
		{
			name: 'Field IDs',
			value: 'id',
			description: 'They stay when a field is renamed',
		},
		{
			name: 'Field Names',
			value: 'name',
			description: 'Fields without a name, or with the same name, get numbers',
		},
	],
	default: 'name',
	description: 'What the fields of the output are called',
};

export const simplifyProperty: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

import type { INodeProperties } from 'n8n-workflow';

export const fieldKeysParameter: INodeProperties = {
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

/** The choices of the parameter above. */
export const fieldKeysChoices = ['id', 'name'] as const;

export const simplifyParameter: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

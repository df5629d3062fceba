import type { INodeProperties } from 'n8n-workflow';

export const authenticationParameter: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	options: [
		{ name: 'API Key', value: 'apiKey' },
		{ name: 'Email and Password', value: 'session' },
	],
	default: 'apiKey',
};

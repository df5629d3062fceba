import type { INodeProperties } from 'n8n-workflow';

/** Properties for the address of the service. They are the first ones. */
export const addressProperties: INodeProperties[] = [
	{
		displayName: 'Base URL',
		name: 'baseUrl',
		type: 'string',
		placeholder: 'e.g. https://www.example.com',
		default: '',
		required: true,
		description:
			'The address of the server that hosts your account. The address of a sheet, copied from the browser, will do.',
	},
	{
		displayName: 'Account',
		name: 'account',
		type: 'string',
		placeholder: 'e.g. acme',
		default: '',
		description:
			'The account name: the first part of the path when you have a sheet open in the browser. May stay empty when Base URL is the address of a sheet.',
	},
];

/** Properties for the communication with the service. They are the last ones. */
export const serviceProperties: INodeProperties[] = [
	{
		displayName: 'Service Dialect',
		name: 'serviceDialect',
		type: 'options',
		options: [
			{ name: 'Ragic', value: 'ragic', description: 'For accounts at an address of ragic.com' },
			{ name: 'Standard', value: 'standard', description: 'For every other service' },
		],
		default: 'standard',
		description:
			'How a few parameters that are sent are spelled, such as those of custom print reports. Answers are understood in both spellings.',
	},
	{
		displayName: 'Requests per Second',
		name: 'requestsPerSecond',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 5,
		description:
			'How many requests may begin in one second, rounded down to at least 1. More than 5 lead to a review by the service. Set to 0 for no limit.',
		hint: 'Each n8n process counts for itself: with several, as in queue mode, divide by their number',
	},
	{
		displayName: 'Ignore SSL Issues (Insecure)',
		name: 'allowUnauthorizedCerts',
		type: 'boolean',
		default: false,
		description:
			'Whether to connect even if the certificate of the service cannot be verified. Whoever is between n8n and the service can then read and change everything, the credential too: give its certificate to n8n with NODE_EXTRA_CA_CERTS instead, if you can.',
	},
];

export const apiKeyInProperty: INodeProperties = {
	displayName: 'Send API Key In',
	name: 'apiKeyIn',
	type: 'options',
	options: [
		{ name: 'Header', value: 'header', description: 'As HTTP Basic authentication' },
		{
			name: 'Query',
			value: 'query',
			description: 'As the parameter APIKey, where a proxy removes headers',
		},
	],
	default: 'header',
};

/** Property in which n8n stores the session of the last login. As a password it is never shown. */
export const sessionIdProperty: INodeProperties = {
	displayName: 'Session ID',
	name: 'sessionId',
	type: 'hidden',
	typeOptions: { expirable: true, password: true },
	default: '',
};

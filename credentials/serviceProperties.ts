import type { INodeProperties } from 'n8n-workflow';

/** Where the service is: the first ones. */
export const addressProperties: INodeProperties[] = [
	{
		displayName: 'Base URL',
		name: 'baseUrl',
		type: 'string',
		placeholder: 'e.g. https://www.example.com',
		default: '',
		required: true,
		description:
			'Address of the server that hosts your account. You can paste the address of a sheet from the browser.',
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

/** How the service is talked to: the last ones. */
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
			'Max number of requests per second, rounded down to at least 1. The service reviews accounts that exceed 5. Set to 0 for no limit.',
		hint: 'Applies per n8n process. In queue mode, divide by the number of workers.',
	},
	{
		displayName: 'Ignore SSL Issues (Insecure)',
		name: 'allowUnauthorizedCerts',
		type: 'boolean',
		default: false,
		description:
			'Whether to connect even if the certificate of the service cannot be verified. Anyone between n8n and the service can then read and change all data, including the credential. If possible, set NODE_EXTRA_CA_CERTS of n8n to the certificate instead.',
	},
];

export const apiKeyInProperty: INodeProperties = {
	displayName: 'Send API Key In',
	name: 'apiKeyIn',
	type: 'options',
	options: [
		{ name: 'Header', value: 'header', description: 'Send it as HTTP Basic authentication' },
		{
			name: 'Query',
			value: 'query',
			description: 'Send it as the query parameter APIKey, if a proxy removes headers',
		},
	],
	default: 'header',
};

/** n8n keeps the session of the last login here; a password is never handed out in clear. */
export const sessionIdProperty: INodeProperties = {
	displayName: 'Session ID',
	name: 'sessionId',
	type: 'hidden',
	typeOptions: { expirable: true, password: true },
	default: '',
};

import type { INodeProperties } from 'n8n-workflow';
import { defaultRequestsPerSecond } from '../nodes/api/http/connection';

/** Properties for the address of the service and the account. They are the first ones. */
export const addressProperties: INodeProperties[] = [
	{
		displayName: 'Base URL',
		name: 'baseUrl',
		type: 'string',
		placeholder: 'e.g. https://www.example.com',
		default: '',
		required: true,
		description:
			'Address of the server that hosts your account. You can also paste the address of a sheet: Account may then stay empty.',
	},
	// Not `required`, which n8n could only make depend on Base URL with a regular expression. n8n evaluates those for every
	// item, and they time out on a busy machine.
	{
		displayName: 'Account',
		name: 'account',
		type: 'string',
		placeholder: 'e.g. acme',
		default: '',
		description: 'First part of the path when a sheet is open in the browser',
		hint: 'Required unless Base URL is the address of a sheet',
	},
];

/** Properties for the communication with the service. They are the last ones. */
export const serviceProperties: INodeProperties[] = [
	{
		displayName: 'Requests per Second',
		name: 'requestsPerSecond',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: defaultRequestsPerSecond,
		description:
			'Max number of requests per second. Values above 1 are rounded down; 0.2 means one request every five seconds. The service reviews accounts that exceed 5. Set to 0 for no limit.',
		hint: 'Applies per n8n process. In queue mode, divide by the number of processes: main, webhook processors and workers.',
	},
	{
		displayName: 'Ignore SSL Issues (Insecure)',
		name: 'allowUnauthorizedCerts',
		type: 'boolean',
		default: false,
		description:
			'Whether to connect even if the certificate of the service cannot be verified. Anyone between n8n and the service can then read and change all data, including the credential. If possible, set NODE_EXTRA_CA_CERTS of n8n to the certificate instead.',
	},
	{
		displayName: 'Service Dialect',
		name: 'serviceDialect',
		type: 'options',
		options: [
			{
				name: 'Automatic',
				value: 'automatic',
				description: "Detect Ragic by its host, or by an answer in Ragic's spelling",
			},
			{ name: 'Ragic', value: 'ragic', description: 'For accounts on a Ragic server' },
			{ name: 'Standard', value: 'standard', description: 'For other services' },
		],
		default: 'automatic',
		description:
			'Spelling of a few names in requests, such as those of custom print reports. Keep Automatic unless an error names this setting.',
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

/** Property in which n8n stores the session of the last login. As a password it is never shown. */
export const sessionIdProperty: INodeProperties = {
	displayName: 'Session ID',
	name: 'sessionId',
	type: 'hidden',
	typeOptions: { expirable: true, password: true },
	default: '',
};

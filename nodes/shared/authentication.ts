import type { INodeCredentialDescription, INodeProperties } from 'n8n-workflow';
import type { CredentialType } from '../service/connection';
import { choiceOf } from './settings';

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

/**
 * The credential that goes with a choice of the parameter above.
 *
 * @throws InputError when it is none of the choices
 */
export function credentialTypeOf(authentication: unknown): CredentialType {
	const choice = choiceOf(authentication, 'Authentication', ['apiKey', 'session']);
	return choice === 'session' ? 'sheetRecordsSessionApi' : 'sheetRecordsApi';
}

/** The credentials of a node, each shown for its choice of the parameter above. */
export const nodeCredentials: INodeCredentialDescription[] = [
	{
		name: 'sheetRecordsApi',
		required: true,
		displayOptions: { show: { authentication: ['apiKey'] } },
	},
	{
		name: 'sheetRecordsSessionApi',
		required: true,
		displayOptions: { show: { authentication: ['session'] } },
	},
];

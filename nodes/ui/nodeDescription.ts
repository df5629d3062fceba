import type { INodeCredentialDescription } from 'n8n-workflow';
import type { CredentialType } from '../api/http/connection';
import { choiceParameter, mapped, type Parameter, type ParameterSource } from './parameter';

/** Which credential is used. */
export const authenticationParameter: Parameter<CredentialType, ParameterSource> = mapped(
	choiceParameter({
		displayName: 'Authentication',
		name: 'authentication',
		choices: { apiKey: 'API Key', session: 'Email and Password' },
		default: 'apiKey',
	}),
	(choice) => (choice === 'session' ? 'sheetRecordsSessionApi' : 'sheetRecordsApi'),
);

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

/** A hint for models that look for a node, with the node to use beside it; to be spread into a description. */
export function nodeHint(searchHint: string, nodeType: string, relationHint: string) {
	return { builderHint: { searchHint, relatedNodes: [{ nodeType, relationHint }] } };
}

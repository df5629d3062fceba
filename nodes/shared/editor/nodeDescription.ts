import type { INodeCredentialDescription } from 'n8n-workflow';
import type { CredentialType } from '../../api/http/connection';
import { choiceParameter, mapped } from '../parameters/parameter';

const credentialTypes = { apiKey: 'sheetRecordsApi', session: 'sheetRecordsSessionApi' } as const;

/** Which credential is used. */
export const authenticationParameter = mapped(
	choiceParameter({
		displayName: 'Authentication',
		name: 'authentication',
		choices: { apiKey: 'API Key', session: 'Email and Password' },
		default: 'apiKey',
	}),
	(choice): CredentialType => credentialTypes[choice],
);

/** The credentials of a node, each shown for its choice of the parameter above. */
export const nodeCredentials = Object.entries(credentialTypes).map(
	([choice, name]): INodeCredentialDescription => ({
		name,
		required: true,
		displayOptions: { show: { authentication: [choice] } },
	}),
);

/** A hint for models that look for a node, with the node to use beside it; to be spread into a description. */
export function nodeHint(searchHint: string, nodeType: string, relationHint: string) {
	return { builderHint: { searchHint, relatedNodes: [{ nodeType, relationHint }] } };
}

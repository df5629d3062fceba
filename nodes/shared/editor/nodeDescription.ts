import type { INodeCredentialDescription } from 'n8n-workflow';
import type { CredentialType } from '../../api/http/connection';
import { choiceParameter, mapped } from '../parameters/parameter';

const credentialTypes = { apiKey: 'sheetRecordsApi', session: 'sheetRecordsSessionApi' } as const;

/** The type of credential to use. */
export const authenticationParameter = mapped(
	choiceParameter({
		displayName: 'Authentication',
		name: 'authentication',
		choices: { apiKey: 'API Key', session: 'Email and Password' },
		default: 'apiKey',
	}),
	(choice): CredentialType => credentialTypes[choice],
);

/** The credentials of a node. Each is shown if it is selected in `authenticationParameter`. */
export const nodeCredentials = Object.entries(credentialTypes).map(
	([choice, name]): INodeCredentialDescription => ({
		name,
		required: true,
		displayOptions: { show: { authentication: [choice] } },
	}),
);

/** Returns a hint for models that search for a node, and a related node. Spread it into a node description. */
export function nodeHint(searchHint: string, nodeType: string, relationHint: string) {
	return { builderHint: { searchHint, relatedNodes: [{ nodeType, relationHint }] } };
}

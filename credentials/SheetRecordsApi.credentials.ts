import type { ICredentialType, Icon, INodeProperties } from 'n8n-workflow';
import { withKey } from '../nodes/api/http/connection';
import { addressProperties, apiKeyInProperty, serviceProperties } from './serviceProperties';

export class SheetRecordsApi implements ICredentialType {
	name = 'sheetRecordsApi';

	displayName = 'Sheet Records API';

	icon: Icon = {
		light: 'file:../icons/sheetRecords.svg',
		dark: 'file:../icons/sheetRecords.dark.svg',
	};

	documentationUrl =
		'https://github.com/sheet-records/n8n-nodes-sheet-records/blob/main/credentials/README.md#sheet-records-api';

	properties: INodeProperties[] = [
		...addressProperties,
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				"API key from your personal settings in the service. Requests run with its user's permissions, so give n8n its own user account.",
		},
		apiKeyInProperty,
		...serviceProperties,
	];

	authenticate: ICredentialType['authenticate'] = async (credential, request) =>
		withKey(request, credential);
}

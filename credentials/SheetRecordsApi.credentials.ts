import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	Icon,
	INodeProperties,
} from 'n8n-workflow';
import { requireHeaderText } from '../nodes/wire/headerText';
import { requireServiceAddress } from '../nodes/wire/serviceAddress';
import { checkConnection } from './checkConnection';
import {
	accountProperty,
	apiKeyInProperty,
	baseUrlProperty,
	dialectProperty,
	paceProperty,
} from './serviceProperties';

export class SheetRecordsApi implements ICredentialType {
	name = 'sheetRecordsApi';

	displayName = 'Sheet Records API';

	icon: Icon = {
		light: 'file:../icons/sheetRecords.svg',
		dark: 'file:../icons/sheetRecords.dark.svg',
	};

	documentationUrl =
		'https://github.com/sheet-records/n8n-nodes-sheet-records?tab=readme-ov-file#credentials';

	properties: INodeProperties[] = [
		baseUrlProperty,
		accountProperty,
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'The key from your personal settings. Requests act as its user, so a separate user for n8n is a good idea.',
		},
		apiKeyInProperty,
		dialectProperty,
		paceProperty,
	];

	/**
	 * The key goes raw behind `Basic`, without a colon and not encoded again (specification, "Authentication").
	 * The header's name is in lower case: n8n hands `Authorization` on to other hosts when another node
	 * follows a redirect there.
	 *
	 * @returns the request with the key
	 * @throws ServiceError of kind `input` when the request goes to another address than the credential's, or
	 *   the key cannot be sent in a header
	 */
	async authenticate(
		{ baseUrl, apiKey, apiKeyIn }: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		requireServiceAddress(requestOptions, String(baseUrl));
		const key = String(apiKey).trim();
		return apiKeyIn === 'query'
			? { ...requestOptions, qs: { ...requestOptions.qs, APIKey: key } }
			: {
					...requestOptions,
					headers: {
						...requestOptions.headers,
						authorization: `Basic ${requireHeaderText(key, "'API Key'")}`,
					},
				};
	}

	test: ICredentialTestRequest = checkConnection;
}

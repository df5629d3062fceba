import {
	sleep,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IHttpRequestHelper,
	type Icon,
	type INodeProperties,
} from 'n8n-workflow';
import { httpAnswer } from '../nodes/api/http/answer';
import { rateLimitOf, withSession } from '../nodes/api/http/connection';
import { failureOf, finalFailure } from '../nodes/api/http/failure';
import { schedule, untilAllowed } from '../nodes/api/http/rateLimiter';
import { loginTimeoutMilliseconds } from '../nodes/api/http/policies';
import { logIn } from '../nodes/api/http/login';
import { ServiceError } from '../nodes/api/http/serviceError';
import { answerDeadline, withDeadline } from '../nodes/api/http/deadline';
import { storedSession } from '../nodes/api/http/session';
import { addressProperties, serviceProperties, sessionIdProperty } from './serviceProperties';

export class SheetRecordsSessionApi implements ICredentialType {
	name = 'sheetRecordsSessionApi';

	displayName = 'Sheet Records Session API';

	icon: Icon = {
		light: 'file:../icons/sheetRecords.svg',
		dark: 'file:../icons/sheetRecords.dark.svg',
	};

	documentationUrl =
		'https://github.com/sheet-records/n8n-nodes-sheet-records/blob/main/credentials/README.md#sheet-records-session-api';

	properties: INodeProperties[] = [
		...addressProperties,
		{
			displayName: 'Email',
			name: 'email',
			type: 'string',
			placeholder: 'e.g. name@email.com',
			default: '',
			required: true,
		},
		{
			displayName: 'Password',
			name: 'password',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'Users who registered through a third-party sign-in must first set a password in the service',
		},
		sessionIdProperty,
		{
			displayName: 'Send Session In',
			name: 'sessionIn',
			type: 'options',
			options: [
				{ name: 'Cookie', value: 'cookie', description: 'Send it as a session cookie' },
				{ name: 'Query', value: 'query', description: 'Send it as the query parameter sid' },
			],
			default: 'query',
		},
		{
			displayName: 'Cookie Name',
			name: 'cookieName',
			type: 'string',
			displayOptions: { show: { sessionIn: ['cookie'] } },
			default: 'JSESSIONID',
			description: "Name of the service's session cookie",
		},
		...serviceProperties,
	];

	/**
	 * Logs in, and returns the `sessionId` for n8n to store (specification, endpoint 14). n8n calls this if there is no session,
	 * and if the node found that the session has ended. Throws ServiceError.
	 */
	async preAuthentication(this: IHttpRequestHelper, credential: ICredentialDataDecryptedObject) {
		try {
			const limit = rateLimitOf(credential);
			const options = {
				encoding: 'text',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				timeout: loginTimeoutMilliseconds,
				skipSslCertificateValidation: credential.allowUnauthorizedCerts === true,
			} as const;
			const send = async (url: string) => {
				const request = async (abortSignal: AbortSignal): Promise<unknown> =>
					await this.helpers.httpRequest({ ...options, url, abortSignal });
				const sendOnce = async () => await withDeadline(answerDeadline(), request, { sleep });
				return httpAnswer(await schedule(limit, sendOnce, { sleep }));
			};
			const sessionId = await logIn(credential, send);
			// Wait here, because n8n sends the request that needs the session immediately.
			await untilAllowed(limit, { sleep });
			return { sessionId: storedSession(credential, sessionId) };
		} catch (thrown) {
			// Redact the password, because the service may repeat the address, which contains it.
			const failure = new ServiceError({ ...failureOf(thrown).details, beforeRequest: true });
			throw finalFailure(failure, [String(credential.password)]);
		}
	}

	authenticate: ICredentialType['authenticate'] = async (credential, request) =>
		withSession(request, credential);
}

import {
	sleep,
	type ICredentialsDecrypted,
	type ICredentialTestFunctions,
	type IHttpRequestOptions,
	type INodeCredentialTestResult,
} from 'n8n-workflow';
import { httpAnswer, readAnswer, type RawAnswer } from '../../api/http/answer';
import { connectionOf, withKey, withSession } from '../../api/http/connection';
import { expiredCode, noAccessCode } from '../../api/http/errorCodes';
import { failureOf, finalFailure } from '../../api/http/failure';
import { logIn } from '../../api/http/login';
import { guestMilliseconds, loginTimeoutMilliseconds } from '../../api/http/policies';
import { followRedirects } from '../../api/http/redirect';
import { ServiceError } from '../../api/http/serviceError';
import { storedSession } from '../../api/http/session';
import { isMenu, sheetsOfMenu } from '../../api/schema/sheets';
import { apiQuery } from '../../api/values/query';
import { accountPath } from '../../api/values/sheetAddress';
import { describe } from '../../shared/nodeError';

/** Tests a credential when it is saved: logs in where that is needed, and asks for the account's menu. Only a menu with a sheet is a success. */
async function checkConnection(
	this: ICredentialTestFunctions,
	{ type, data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const isKey = type === 'sheetRecordsApi';
	const secrets: string[] = [];
	const identity = { ...data };
	// The one helper that n8n offers to such a test.
	const { request } = this.helpers;
	const send = async ({ url, qs, headers }: IHttpRequestOptions): Promise<RawAnswer> => {
		const answer: unknown = await request({
			...{ method: 'GET', uri: url, qs, headers },
			...{ resolveWithFullResponse: true, simple: false, followRedirect: false },
			timeout: loginTimeoutMilliseconds,
			rejectUnauthorized: data.allowUnauthorizedCerts !== true,
		});
		return httpAnswer(answer);
	};
	const authenticate = isKey ? withKey : withSession;
	const ask = followRedirects(async ({ url }) => await send(authenticate({ url }, identity)));
	try {
		const connection = connectionOf(isKey ? type : 'sheetRecordsSessionApi', data);
		const { baseUrl, account } = connection;
		secrets.push(...connection.secrets);
		if (!isKey) {
			const sessionId = await logIn(data, async (url) => await send({ url }), true);
			secrets.push(sessionId);
			identity.sessionId = storedSession(data, sessionId);
		}
		const url = `${baseUrl}${accountPath(account)}?${apiQuery([])}`;
		const readMenu = async () => readAnswer(await ask({ url, request: {} }));
		const menu = await readMenu().catch(async (error: unknown) => {
			if (failureOf(error).details.code !== noAccessCode) throw error;
			await sleep(guestMilliseconds);
			return await readMenu();
		});
		if (!isMenu(menu, account)) {
			const message = 'The answer is not the menu of the account';
			throw new ServiceError({ kind: 'malformed', message, remedy: 'checkAddress' });
		}
		if (sheetsOfMenu(menu, account).length === 0) {
			const message =
				'The service accepts the credential, but its user has no access to any sheet of this account';
			const description = 'In the service, give the user access to the sheets.';
			throw new ServiceError({ kind: 'noAccess', message, description });
		}
		return { status: 'OK', message: 'Connection successful!' };
	} catch (thrown) {
		const { message, details } = finalFailure(inWordsOf(isKey, failureOf(thrown)), secrets);
		const description = describe(details.description, details.remedy);
		return { status: 'Error', message: [message, description].filter(Boolean).join('. ') };
	}
}

/** What is said of a sheet or a record elsewhere, said of the credential. */
function inWordsOf(isKey: boolean, failure: ServiceError): ServiceError {
	const { kind, details } = failure;
	const { code, serviceMessage } = details;
	const refusal = (message: string, description: string) =>
		failure.with({ message, description, remedy: undefined });
	if (code === noAccessCode) {
		const who = isKey ? 'The service does not accept this key, or its user' : 'The user';
		const remedy = isKey ? 'Copy the complete API key again, and check' : 'Check';
		return refusal(`${who} has no access to this account`, `${remedy} 'Account'. Code ${code}.`);
	}
	if (isKey && kind === 'authentication' && code !== expiredCode) {
		const advice = 'Copy the complete API key again from your personal settings in the service.';
		return refusal('The service does not accept this key', advice);
	}
	if (kind === 'notFound') {
		return refusal('The service does not know this account', "Check 'Base URL' and 'Account'.");
	}
	if (kind !== 'refused' || code !== undefined || !serviceMessage) return failure;
	const message = `The service refused the request for the account's menu: ${details.message}`;
	return refusal(message, "Check 'Base URL', 'Account' and the rights of the user.");
}

export const credentialTest = { checkConnection };

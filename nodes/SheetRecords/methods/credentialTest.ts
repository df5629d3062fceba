import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { waitUnlessCancelled } from '../../api/http/waiting';
import { connectionOf, type Connection, type CredentialType } from '../../api/http/connection';
import { failureOf, finalFailure } from '../../api/http/failure';
import { withKey, withSession } from '../../api/http/authentication';
import { redirectTarget } from '../../api/http/redirect';
import { guestMilliseconds, loginTimeoutMilliseconds } from '../../api/http/policies';
import { httpAnswer, readAnswer } from '../../api/http/answer';
import { expiredCode, noAccessCode } from '../../api/http/errorCodes';
import { loginAddress, sessionIdOf } from '../../api/http/login';
import { isMenu } from '../../api/schema/sheets';
import { describe } from '../../ui/nodeError';
import { apiQuery, encodeText } from '../../api/values/query';
import { ServiceError } from '../../api/http/serviceError';
import { accountPath } from '../../api/values/sheetAddress';

/** Sends a request, and yields the answer of n8n's helper whatever its status; redirects are not followed. */
type Send = (request: IHttpRequestOptions) => Promise<unknown>;

/**
 * Tests a credential of either type as n8n's editor asks for when it is saved: logs in where that is needed, and asks
 * for the account's menu, as every user may. Only a menu is a success.
 */
async function checkConnection(
	this: ICredentialTestFunctions,
	{ type, data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const credentialType = type === 'sheetRecordsApi' ? type : 'sheetRecordsSessionApi';
	const secrets: string[] = [];
	try {
		const connection = connectionOf(credentialType, data);
		secrets.push(...connection.secrets);
		const send = sendWith(this, connection.ignoresCertificate);
		const identity = { ...data };
		if (credentialType === 'sheetRecordsSessionApi') {
			const login = loginAddress(connection.baseUrl, String(data.email), String(data.password));
			identity.sessionId = sessionIdOf(await send({ url: login }));
			secrets.push(identity.sessionId);
		}
		await requireMenu(send, connection, identity);
		return { status: 'OK', message: 'Connection successful!' };
	} catch (thrown) {
		const failure = inWordsOf(credentialType, failureOf(thrown));
		const { message, details } = finalFailure(failure, secrets);
		const description = describe(details.description, details.remedy);
		return { status: 'Error', message: [message, description].filter(Boolean).join('. ') };
	}
}

/** By the one helper that n8n offers to such a test. */
function sendWith({ helpers }: ICredentialTestFunctions, ignoresCertificate: boolean): Send {
	return async ({ url, headers, qs = {} }) => {
		const identity = Object.entries(qs).map(
			([name, value]) => `${name}=${encodeText(String(value))}`,
		);
		return await helpers.request({
			method: 'GET',
			uri: [url, ...identity].join('&'),
			headers,
			resolveWithFullResponse: true,
			simple: false,
			followRedirect: false,
			timeout: loginTimeoutMilliseconds,
			rejectUnauthorized: !ignoresCertificate,
		});
	};
}

/** @throws ServiceError for every answer but the account's menu */
async function requireMenu(
	send: Send,
	{ credentialType, baseUrl, account }: Connection,
	data: ICredentialDataDecryptedObject,
): Promise<void> {
	const withIdentity = credentialType === 'sheetRecordsApi' ? withKey : withSession;
	const address = `${baseUrl}${accountPath(account)}?${apiQuery([])}`;
	const ask = async (url: string, redirects = 0): Promise<void> => {
		const answer = httpAnswer(await send(withIdentity({ url }, data)));
		const target = redirectTarget(answer, 'GET', url, redirects);
		if (target !== undefined) return await ask(target, redirects + 1);
		if (isMenu(readAnswer(answer), account)) return;
		throw new ServiceError({
			kind: 'malformed',
			message: 'What answered is not the menu of the account',
			remedy: 'checkAddress',
			status: answer.status,
		});
	};
	await ask(address).catch(async (thrown: unknown) => {
		if (failureOf(thrown).details.code !== noAccessCode) throw thrown;
		await waitUnlessCancelled(guestMilliseconds);
		await ask(address);
	});
}

/** What is said of a sheet or a record elsewhere, said of the credential. */
function inWordsOf(credentialType: CredentialType, failure: ServiceError): ServiceError {
	const { kind, details } = failure;
	const isKey = credentialType === 'sheetRecordsApi';
	const told = (message: string, description: string) =>
		new ServiceError({ ...details, message, description, remedy: undefined });
	if (details.code === noAccessCode) {
		const who = isKey ? 'The service does not accept this key, or its user' : 'The user';
		const remedy = isKey ? 'Copy the API key again, whole, and check' : 'Check';
		return told(
			`${who} has no access to this account`,
			`${remedy} 'Account'. Code ${details.code}.`,
		);
	}
	if (isKey && kind === 'authentication' && details.code !== expiredCode) {
		return told(
			'The service does not accept this key',
			'Copy the API key again, whole, from your personal settings in the service.',
		);
	}
	return kind === 'notFound'
		? told('The service does not know this account', "Check 'Base URL' and 'Account'.")
		: failure;
}

export const credentialTest = { checkConnection };
